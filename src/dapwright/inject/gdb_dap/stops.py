"""Stops that say what happened: signals and panics as exceptions, the old and new value of a watch, a return value."""

import os
import re
import signal

import gdb

from . import breakpoints, failures, forks, history, inferior, looks
from .calls import Quiet
from .values import preview
from .watches import NAMES, is_watch
from .wiring import events, tell

OPTIMIZED = re.compile(r"(?<!\S)-O(?:[123sz]|fast)(?!\S)")
"""gcc writes its options into the debug information; clang and rustc do not."""
UNRECORDABLE = (
    "the recorder cannot record what comes next (it knows not every system call and instruction): "
    "go back from here, or end the recording with the tool `record` {on: false} to go on"
)
_on_stop = events._on_stop
_send_event = events.send_event


class Note:
    """What the next `stopped` event is to say besides gdb's own words."""

    body = {}
    optimized = set()
    """Programs and libraries that were told to be optimised."""


def on_stop(event):
    """gdb's own handler, after the program's output and with what we know."""
    if Quiet.depth:
        return
    failures.Failure.now = None
    if breakpoints.is_mistaken(event) or failures.is_unwanted(event):
        gdb.post_event(lambda: events.exec_and_expect_stop("continue &"))
        return
    if history.is_begin(event) or history.is_exit(event) or forks.is_landing(event):
        return
    fired = breakpoints.fired(event)
    breakpoints.rearm(event)
    inferior.flush()
    warn_if_optimized()
    Note.body = {**describe(event), "hitBreakpointIds": fired, "process": forks.child_of(gdb.selected_thread()) or None}
    _on_stop(event)


def warn_if_optimized():
    """Tell once of a program that the function at hand was compiled with optimisation, where its compiler says so."""
    try:
        table = gdb.newest_frame().find_sal().symtab
        here = table is not None and os.path.isfile(table.fullname())
        found = OPTIMIZED.search(table.producer or "") if here else None
    except (gdb.error, AttributeError):
        return
    if found and table.objfile.filename not in Note.optimized:
        Note.optimized.add(table.objfile.filename)
        text = "this code was compiled with `%s`: values may be optimized out, and steps jump between lines"
        tell("dapwrightWarning", {"text": text % found.group(0)})


def describe(event):
    """The fields that we add to `stopped`."""
    details = getattr(event, "details", None) or {}
    reason = details.get("reason")
    if reason == "signal-received":
        return _signal(details)
    if isinstance(event, gdb.BreakpointEvent):
        return _breakpoint(event, details)
    if not details and events._expected_stop_reason is None and gdb.current_recording() is None:
        return _signal({"signal-name": "SIGTRAP", "signal-meaning": "a trap that the program itself sprang"})
    if reason == "watchpoint-scope":
        return _gone(details.get("wpnum"))
    if reason == "no-history" or (not details and gdb.current_recording() is not None):
        text = "the recording has no more: this is its end" if reason else UNRECORDABLE
        return {"reason": "step", "description": text, "text": text}
    if reason == "function-finished":
        return _returned(details)
    if details.get("reason") is None and not details:
        return _core()
    return {}


def _signal(details):
    name = details.get("signal-name", "")
    if name == "0" or (name in ("SIGINT", "SIGSTOP") and (events._expected_pause or events._expected_stop_reason)):
        return {}
    if name == "SIGTRAP" and events._expected_stop_reason == "attach":
        return {}  # a gdbserver holds its program there, at the first instruction
    failures.Failure.now = failures.of_signal(name, details.get("signal-meaning", name))
    return _failure("%s: %s" % (name, failures.Failure.now["description"]))


def _failure(text):
    return {"reason": "exception", "description": text, "text": text}


def _core():
    """A core file was opened: the signal that ended it, and whether it is this program's."""
    if getattr(gdb.selected_inferior(), "corefile", None) is None:
        return {}
    _warn_of_another_program()
    try:
        number = int(gdb.parse_and_eval("$_siginfo.si_signo"))
    except (gdb.error, TypeError):
        return {}
    name = inferior.signal_name(number)
    failures.Failure.now = failures.of_signal(name, signal.strsignal(number) or name)
    return _failure("%s: %s" % (name, failures.Failure.now["description"]))


def _warn_of_another_program():
    try:
        found = re.search(r'AT_EXECFN.*"(.*)"', gdb.execute("info auxv", to_string=True))
    except gdb.error:
        return
    mine = gdb.current_progspace().filename
    if found and mine and os.path.basename(found.group(1)) != os.path.basename(mine):
        text = "the core is of `%s`, not of `%s`: names and lines shown are wrong" % (found.group(1), mine)
        tell("dapwrightWarning", {"text": text})


def _breakpoint(event, details):
    numbers = [each.number for each in event.breakpoints]
    failed = failures.filter_of(numbers)
    if failed is not None:
        failures.Failure.now = failures.of_filter(failed)
        return _failure(failures.Failure.now["description"])
    for key in ("wpt", "hw-rwpt", "hw-awpt"):
        if key in details:
            return _watched(details[key], details.get("value") or {})
    if not details and event.breakpoints and all(is_watch(each) for each in event.breakpoints):
        return _gone(event.breakpoints[0].number)
    if inferior.Run.entry and any(each.temporary for each in event.breakpoints):
        inferior.Run.entry = False
        return {"reason": "entry"}
    if all(each.type == gdb.BP_BREAKPOINT and _is_function(each) for each in event.breakpoints):
        return {"reason": "function breakpoint"}
    return {}


def _is_function(bp):
    return any(record.bp is bp and "function" in dict(record.key) for record in breakpoints.all_records())


def _watched(watch, value):
    body = {"reason": "data breakpoint", "expression": _named(watch.get("exp", ""))}
    for ours, theirs in (("oldValue", "old"), ("newValue", "new"), ("newValue", "value")):
        if theirs in value:
            body[ours] = value[theirs]
    return body


def _named(expression):
    return NAMES.get(expression, expression)


def _gone(number):
    text = "the watched value is gone: its function returned"
    return {"reason": "data breakpoint", "description": text, "text": text, "gone": int(number or 0) or None}


def _returned(details):
    value = details.get("finish-value")
    if not isinstance(value, gdb.Value) or forks.Motion.command != "finish":
        return {}
    return {"returnValue": {"value": preview(value), "type": str(value.type)}}


def send_event(event, body=None):
    """gdb's own, with what we know of this stop."""
    if event == "stopped" and Note.body is not None:
        expected = body.get("reason")
        body = {**body, **{key: value for key, value in Note.body.items() if value is not None}}
        if expected == "attach":
            body["reason"] = Note.body.get("reason", "pause")
        elif expected not in ("breakpoint", "signal", "step", "data breakpoint", "no-history", "stopped"):
            body["reason"] = Note.body.get("reason", expected)
        Note.body = {}
        if levels := looks.take(body["reason"]):
            question = looks.promise(body["threadId"], levels)
            _send_event(event, {**body, "dapwrightForeseen": question})
            _send_event("dapwrightAnswers", {"answers": looks.answers(question)})
            return
    _send_event(event, body)


gdb.events.stop.disconnect(_on_stop)
gdb.events.stop.connect(on_stop)
events._on_stop = on_stop
events.send_event = send_event
