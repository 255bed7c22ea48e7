"""Processes that the program forks: stopped in as the program itself, named, never traced and left.

gdb keeps each as an inferior of its own (`detach-on-fork off`) and lets all run together
(`schedule-multiple on`). It stands still whenever one of them ends: here that is told in a
note, and what was under way (going on, a step) is taken up again. The end of the session is
the end of the last of them, its exit code the program's own.
"""

import gdb

from . import inferior
from .wiring import events, execute, module, replace, startup, tell

MAIN = 1
MANY = 8
"""Notes of one run, beyond which the coming and going of children is told no more."""
STEPS = ("next", "nexti", "step", "stepi")
_on_exit = inferior._on_exit
_names = {}
"""gdb's number of a child -> its process id."""


class Motion:
    """What was asked last: the command, its thread, and the frame that it was asked in (or is to return to)."""

    command, thread, frame, line = "", None, None, 0
    landing = False
    """Whether a call is being finished on behalf of a step that a child's end broke off."""


class Told:
    """How many notes were told of this run's children."""

    notes = 0


class End:
    """How the program itself ended, while children of it live on."""

    event = None


def follow(wanted=True):
    """Follow the forks of the program that is about to start, or let them run untraced."""
    _names.clear()
    End.event, Motion.landing, Told.notes = None, False, 0
    execute("set detach-on-fork " + ("off" if wanted else "on"), "set schedule-multiple " + ("on" if wanted else "off"))


def child_of(thread):
    """`child process 123` where a thread is not of the program itself, else ""."""
    if thread is None or not thread.is_valid() or thread.inferior.num == MAIN:
        return ""
    return "child process %d" % thread.inferior.pid


def remember(command):
    """Keep what is asked for, to take it up again after a child's end."""
    word = command.split()[0]
    if word in ("interrupt", "run", "start", "starti") or Motion.landing:
        Motion.command = "continue" if word in ("run", "start", "starti") else Motion.command
        return
    Motion.command, Motion.thread, Motion.frame = word, gdb.selected_thread(), None
    if word in STEPS or word == "finish":
        here = gdb.selected_frame() if word == "finish" else gdb.newest_frame()
        Motion.frame = here.older() if word == "finish" else here
        Motion.line = here.find_sal().line


def on_exit(event):
    """The end of one of several processes; the last one's is the session's."""
    number = event.inferior.num
    living = [each for each in gdb.inferiors() if each.pid and each.num != number]
    if inferior.Run.muted or (number == MAIN and not living):
        _on_exit(event)
        return
    inferior.flush()
    if number == MAIN:
        End.event = event, gdb.convenience_variable("_exitsignal")
        _note("the program itself ended %s; followed on: %s" % (_how(event), ", ".join(map(_name, living))))
    else:
        _note("child process %s ended %s" % (_names.get(number, "?"), _how(event)))
    gdb.post_event(go_on)


def _name(each):
    return "child process %d" % each.pid


def _how(event):
    code, number = getattr(event, "exit_code", None), gdb.convenience_variable("_exitsignal")
    return "with code %d" % code if code is not None else "by %s" % inferior.signal_name(int(number or 0))


def _note(text):
    Told.notes += 1
    if Told.notes == MANY:
        text += "; more of them come and go, which is told no further (list_threads names those that live)"
    if Told.notes <= MANY:
        tell("dapwrightNote", {"text": text})


def go_on():
    """Take up what was under way when a process ended."""
    living = [each for each in gdb.inferiors() if each.pid]
    if not living:
        inferior.tell_end(*End.event)
        return
    thread = Motion.thread
    if thread is None or not thread.is_valid():
        thread, Motion.command = living[0].threads()[0], "continue"
    thread.switch()
    if _has_arrived():
        events.inferior_running = False
        tell("stopped", {"reason": "step", "threadId": thread.global_num, "allThreadsStopped": True})
        return
    events.exec_and_expect_stop(_again() + " &")


def _has_arrived():
    """Whether the step under way had just come to its end when gdb saw the child's end first, and forgot the step."""
    if Motion.frame is None or not Motion.frame.is_valid() or gdb.newest_frame() != Motion.frame:
        return False
    place = gdb.newest_frame().find_sal()
    return Motion.command == "finish" or (place.line != Motion.line and place.pc == gdb.newest_frame().pc())


def _again():
    """The command that takes up a step where its thread stands now: first out of the call that was broken into."""
    if Motion.frame is None or not Motion.frame.is_valid():
        return Motion.command if Motion.command in STEPS else "continue"
    frame = gdb.newest_frame()
    while frame is not None and frame.older() != Motion.frame:
        frame = frame.older()
    if frame is None:
        return Motion.command if gdb.newest_frame() == Motion.frame else "continue"
    frame.select()
    Motion.landing = Motion.command != "finish"
    return "finish"


def is_landing(event):
    """Whether this stop is the end of a call finished on behalf of a step: the step itself is to be taken up."""
    if not Motion.landing:
        return False
    Motion.landing = False
    if (getattr(event, "details", None) or {}).get("reason") != "function-finished":
        return False
    if gdb.newest_frame().find_sal().line != Motion.line:
        return False  # the call was the last thing on its line: the step has come to its end
    gdb.post_event(lambda: events.exec_and_expect_stop(Motion.command + " &"))
    return True


def _on_new_thread(event):
    number = event.inferior_thread.inferior.num
    if number != MAIN and number not in _names:
        _names[number] = event.inferior_thread.inferior.pid
        _note("child process %d was forked, and is followed" % _names[number])


def set_thread(number):
    """Select a thread by its number over all processes: gdb 18's own takes that for its number within one."""
    for process in gdb.inferiors():
        for thread in process.threads():
            if thread.global_num == number:
                thread.switch()
                return
    if number:
        raise startup.DAPException("there is no thread %d" % number)


@replace("threads", expect_stopped=False)
def threads(**args):
    """The threads of all processes; gdb's own lists those of one."""
    name = module("threads")._thread_name
    found = []
    for process in gdb.inferiors():
        for thread in process.threads():
            row = {"id": thread.global_num, "name": name(thread)}
            found.append({**row, "process": child_of(thread)} if child_of(thread) else row)
    return {"threads": found}


_part = module("server")._disconnect_or_kill


def part(terminate):
    """Let go of all processes of an attached program before the goodbye is answered: we are killed right after it.

    gdb's own detaches the selected one; breakpoints left in the others would kill them.
    """
    living = [each for each in gdb.inferiors() if each.pid and each.corefile is None]
    if not any(each.was_attached for each in living):
        return _part(terminate)
    inferior.Run.muted = True
    for each in reversed(living):
        startup.exec_and_log("%s inferiors %d" % ("kill" if terminate else "detach", each.num))
    return None


module("server")._disconnect_or_kill = part
for _name_of in ("state", "next", "bt", "frames", "scopes"):
    if hasattr(module(_name_of), "set_thread"):
        module(_name_of).set_thread = set_thread
inferior.MOVING.append(remember)
inferior.BEFORE.append(lambda: follow(inferior.Run.children))
gdb.events.exited.disconnect(_on_exit)
gdb.events.exited.connect(on_exit)
gdb.events.new_thread.connect(_on_new_thread)
