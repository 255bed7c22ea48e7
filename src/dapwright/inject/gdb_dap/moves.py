"""Moving about: another line as the next, the same program again, a process joined."""

import os

import gdb

from . import breakpoints, cores, forks, inferior
from .wiring import advertise, events, module, replace, server, startup, tell

_targets = {}
advertise("supportsGotoTargetsRequest")
advertise("supportsRestartRequest")
advertise("supportsRestartFrame")


@replace("gotoTargets")
def goto_targets(*, source, line: int, **args):
    """The addresses of a line."""
    found = gdb.decode_line("'%s':%d" % (source["path"], line))[1] or ()
    return {"targets": [_target(each) for each in found if each.line == line]}


def _target(place):
    number = len(_targets) + 1
    _targets[number] = place.pc
    label = "%s:%d" % (os.path.basename(place.symtab.filename), place.line)
    return {"id": number, "label": label, "line": place.line, "instructionPointerReference": hex(place.pc)}


@replace("goto")
def goto(*, threadId: int, targetId: int, **args):
    """Set the next line, within the same function: elsewhere the stack would be another's."""
    if targetId not in _targets:
        raise startup.DAPException("no such target")
    module("state").set_thread(threadId)
    gdb.newest_frame().select()
    here, there = gdb.newest_frame().function(), gdb.block_for_pc(_targets[targetId])
    while there is not None and there.function is None:
        there = there.superblock
    if here is None or there is None or there.function != here:
        raise startup.DAPException("that line is in another function")
    gdb.parse_and_eval("$pc = %d" % _targets[targetId])
    _forget()
    tell("stopped", {"reason": "goto", "threadId": threadId, "allThreadsStopped": True})


def _forget():
    module("frames")._clear_frame_ids(None)
    module("varref").clear_vars(None)
    module("scopes").clear_scopes(None)


@replace("restartFrame")
def restart_frame(*, frameId: int, **args):
    """Go back to the beginning of a frame's function: what it has changed stays changed."""
    module("frames").select_frame(frameId)
    frame = gdb.selected_frame()
    if frame.function() is None:
        raise startup.DAPException("that frame has no debug information")
    while gdb.newest_frame() != frame:
        gdb.newest_frame().select()
        startup.exec_and_log("return")
    start = gdb.find_pc_line(frame.function().value().address)
    body = [each for each in frame.function().symtab.linetable() if each.line > start.line]
    gdb.parse_and_eval("$pc = %d" % (min(each.pc for each in body if each.pc > start.pc) if body else start.pc))
    _forget()
    tell("stopped", {"reason": "restart", "threadId": gdb.selected_thread().global_num, "allThreadsStopped": True})


@replace("restart", expect_stopped=False)
def restart(**args):
    """Kill the program and run it again, with fresh streams."""
    gdb.post_event(_restart)


def _restart():
    inferior.Run.muted = True
    try:
        living = [str(each.num) for each in gdb.inferiors() if each.pid]
        gdb.execute("kill inferiors " + " ".join(living), to_string=True)
    except gdb.error:
        pass
    finally:
        gdb.execute("inferior 1", to_string=True)
        inferior.Run.muted = False
    gdb.selected_inferior().arguments = inferior.command_line()
    breakpoints.start_over()
    forks.follow(inferior.Run.children)
    events.expect_process("process")
    events.exec_and_expect_stop("run")


PTRACE = (
    "the system forbids tracing it (kernel.yama.ptrace_scope is %s): run as its parent or as root, "
    "or allow it with `sysctl kernel.yama.ptrace_scope=0`"
)


def _explain(text):
    if not any(word in text for word in ("ptrace", "Operation not permitted", "could not connect")):
        return text
    text = text.rstrip(".")
    if "could not connect" in text:
        return text + ": nothing listens there, or what does is no gdbserver"
    if "No such process" in text:
        return text
    try:
        with open("/proc/sys/kernel/yama/ptrace_scope") as setting:
            scope = setting.read().strip()
    except OSError:
        return text + ": it belongs to another user, is traced already, or this container lacks CAP_SYS_PTRACE"
    return (
        "%s: %s" % (text, PTRACE % scope)
        if scope != "0"
        else text + ": it belongs to another user or is traced already"
    )


class _Attached:
    """The core file that is to be opened, "" for anything else."""

    core = ""


def _wrap_attach():
    attach = server._commands["attach"]

    def remember(**arguments):
        _Attached.core = arguments.get("coreFile") or ""
        children = arguments.pop("subProcess", True)
        if arguments.get("pid"):
            server.send_gdb_with_response(lambda: forks.follow(bool(children)))
        return attach(**arguments)

    server._commands["attach"] = remember
    original = module("launch")._LaunchOrAttachDeferredRequest.invoke

    def invoke(self):
        try:
            return original(self)
        except startup.DAPException as error:
            why = cores.explain(_Attached.core) if _Attached.core else ""
            raise startup.DAPException(_explain(str(error)) + (": " + why if why else "")) from error

    module("launch")._LaunchOrAttachDeferredRequest.invoke = invoke


_wrap_attach()
