"""Running backwards, by gdb's recorder (or a target that can by itself, as rr)."""

import gdb

from . import names
from .inferior import BEFORE, Run
from .wiring import advertise, events, execute, module, replace, startup, tell

advertise("supportsStepBack")
SYSCALL, EXITS = b"\x0f\x05", (60, 231)
"""`syscall`, and the numbers of `exit` and `exit_group`, of x86-64."""
LONGEST = 1_000_000
"""Instructions kept; the oldest are let go."""


class Begin:
    """The breakpoint on the program's own entry, where a recording asked for at the launch begins."""

    bp = None


def is_recording():
    """Whether going back is possible."""
    if gdb.current_recording() is not None:
        return True
    connection = gdb.selected_inferior().connection
    return connection is not None and "rr" in str(getattr(connection, "details", "") or "")


def _need_recording():
    if not is_recording():
        raise startup.DAPException("nothing is recorded: switch the recorder on first, at a stop")


def start():
    """Switch the recorder on."""
    execute("set record full insn-number-max %d" % LONGEST)
    startup.exec_and_log("record full")


@replace("dapwright/record")
def record(*, on: bool = True, **args):
    """Switch the recorder on or off, at a stop."""
    if on and gdb.current_recording() is None:
        start()
    recording = gdb.current_recording()
    if not on and recording is not None:
        # gdb 18 goes on with wrong registers from the middle of a recording
        if "Replay mode" in gdb.execute("info record", to_string=True):
            raise startup.DAPException("the program stands in its past: continue to the recording's end first")
        startup.exec_and_log("record stop")
    return {"recording": gdb.current_recording() is not None}


@replace("stepBack")
def step_back(*, threadId: int, granularity: str = "statement", **args):
    """To the line (or instruction) before."""
    _need_recording()
    module("state").set_thread(threadId)
    command = "reverse-stepi" if granularity == "instruction" else "reverse-next"
    events.exec_and_expect_stop(command + " &")


@replace("reverseContinue")
def reverse_continue(*, threadId: int, **args):
    """To the stop before."""
    _need_recording()
    module("state").set_thread(threadId)
    events.exec_and_expect_stop("reverse-continue &")


def prepare():
    """Set the place where a recording asked for at the launch begins."""
    if Run.record:
        Begin.bp = gdb.Breakpoint(function=names.resolve("main"), internal=True, temporary=True)


def is_begin(event):
    """Whether this stop is that place: the recorder is switched on and the program goes on, told to nobody."""
    if Begin.bp is None or Begin.bp not in getattr(event, "breakpoints", ()):
        return False
    Begin.bp = None
    gdb.post_event(_begin)
    return len(event.breakpoints) == 1 and not Run.entry


def is_exit(event):
    """Whether the recorder stands at the program's own exit, which it cannot record: it is let go, told to nobody."""
    if getattr(event, "details", None) or gdb.current_recording() is None:
        return False
    try:
        frame = gdb.newest_frame()
        code = bytes(gdb.selected_inferior().read_memory(frame.pc(), 2))
        if code != SYSCALL or int(frame.read_register("rax")) not in EXITS:
            return False
    except (gdb.error, ValueError):
        return False
    gdb.post_event(_let_end)
    return True


def _let_end():
    startup.exec_and_log("record stop")
    tell("dapwrightNote", {"text": "the recording ended with the program"})
    events.exec_and_expect_stop("continue &")


def _begin():
    start()
    if not Run.entry:
        events.exec_and_expect_stop("continue &")


BEFORE.append(prepare)
