"""The prompt that a person can start a debugging task with."""

from collections.abc import Mapping
from typing import Any

from dapwright.policy.settings import Settings

NAME = "debugging-workflow"
LISTED: list[dict[str, Any]] = [
    {
        "name": NAME,
        "title": "Debug a problem",
        "description": "Find the cause of a failure by observing the running program.",
        "arguments": [
            {"name": "problem", "description": "What goes wrong: the failing test, the crash, the wrong value."},
            {"name": "target", "description": "What to run: a test id, a program, a process to attach to."},
        ],
    }
]

TEXT = """\
Find the cause by watching the program, not by reading alone.

1. Say what should happen, what happens, and one hypothesis that a single observation can refute.
2. Observe in one call:
   - a failing test: `debug_test` with its id. Read `failure`: the compared values, then the frames of the program, \
innermost first, with their locals.
   - a wrong value: `investigate` with probes at the {places} that the value passes. Read the table for the first row \
that is wrong; the cause lies between it and the row before.
   - a crash, or when the place is not known: `start_debugging`. Uncaught exceptions stop it where they are raised.
   - a program that runs already: `attach_to_process`, then `pause_execution` or a breakpoint. It is left running \
when you are done.
   - nothing moves: `pause_execution`, then the stacks of all threads.
3. At a stop, first read the answer: its locals, the source around and the callers are there. Then \
`evaluate_expression` to test the hypothesis: compute the value that you expected, side by side.
4. {breakpoints}
5. If a breakpoint is not hit, the answer says so and why. Set it earlier on the way there; do not run it again \
unchanged.
6. Check the repair before you write it: assign the corrected value at the stop, or give a probe `set`, and let the \
run go on. Then edit, run the test again, and close the session.

Report the evidence: the place, the values seen, the value expected, and why the change mends the cause.
"""
BY_LINE = """\
Set breakpoints by file and line, with a `condition` where a line runs often; a `logMessage` tells without stopping."""
BY_TEXT = """\
Set breakpoints by the text of the line (`statement`), with a `condition` where it runs often; a `logMessage` tells \
without stopping. They are found again after you edit the file."""


def workflow(settings: Settings) -> str:
    """The way to debug, in Markdown, for the settings' addressing mode."""
    by_text = settings.addressing == "content"
    return TEXT.format(places="statements" if by_text else "lines", breakpoints=BY_TEXT if by_text else BY_LINE)


def get_prompt(settings: Settings, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The prompt as messages, with what the person said of the problem."""
    told = [f"{name.capitalize()}: {arguments[name]}" for name in ("problem", "target") if arguments.get(name)]
    text = "\n".join([*told, "", workflow(settings)]) if told else workflow(settings)
    return {
        "description": LISTED[0]["description"],
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
    }
