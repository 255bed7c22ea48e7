"""What a model is told of the server before its first call; some clients cut it at 2,000 characters."""

from dapwright.policy.settings import Settings

LONGEST = 2_000

HEAD = """\
Debug real programs: see what the code did instead of guessing. Each call costs you a turn, so take the one \
that answers your question:
- a failing test -> debug_test: runs it and stops at the failing assertion or exception; you get the frame, its \
locals and both sides of the comparison.
- a wrong value, no crash -> investigate: one run, expressions captured at the {places} you name, a table of \
values back. No pausing, no edits, no prints.
- a crash or anything that needs a look around -> start_debugging with `breakpoints`: runs to the first stop and \
answers location, source, locals, callers and new output. It needs no session beforehand.
"""
PLACES = """\
Name a place by what its line says (`statement`), with `nearLine` to choose between equal ones; line numbers go \
stale when you edit. Read `line` and `content` in the answer: that is where it really landed.
"""
LINES = """\
Read `line` and `verified` in the answer to set_breakpoint: that is where it really landed.
"""
STOPPED = """\
Every stop answer already holds the locals: look before you step. {look}. {move}. Paths best absolute.
Times: a call answers within 50 s. `pending: true` means it still runs and all stays armed: call wait_for_stop \
again. If a stop does not come, read `unhitBreakpoints` and `message`; do not just retry.
`sessionId` may be left out while one session is live. Ids (frames, variablesReference) are of one stop; a stale \
one is refused, so ask anew. After an edit: {again}.
A failed call says why and what to do (`hint`). Remove nothing by hand at the end: {close} cleans up.
"""


def instructions(settings: Settings) -> str:
    """The instructions for these settings; in the modes `line` and `assert` they know of no other address."""
    focused = settings.toolset == "focused"
    body = STOPPED.format(
        look="evaluate_expression runs any expression in a frame"
        + ("" if focused else "; get_variables opens a value, set_variable changes one"),
        move="Go on with step and continue_execution" if focused else "Go on with step_* and continue_execution `wait`",
        again="start again" if focused else "restart_debugging keeps the breakpoints",
        close="closing the session" if focused else "close_debug_session",
    )
    by_text = settings.addressing == "content"
    places, middle = ("statements", PLACES) if by_text else ("lines", LINES)
    return HEAD.format(places=places) + middle + body
