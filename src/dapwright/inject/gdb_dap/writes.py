"""Who wrote a value last: back through the recording to the last write of its place, and forward again."""

import re

import gdb

from . import deferred
from .calls import quiet
from .hangs import source_line
from .values import preview
from .wiring import module, replace, startup

WORDS = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->)[A-Za-z_]\w*|\[\w+\])*(?!\w*\s*\()")
WIDEST = 32
INPUTS = 12


@replace("dapwright/lastWrite")
def last_write(*, expression: str, frameId: int, **args):
    """The last statement of the recording that wrote EXPRESSION, what it was before, and what the statement read."""
    if gdb.current_recording() is None:
        raise startup.DAPException("nothing is recorded")
    module("frames").select_frame(frameId)
    deferred.need(expression)
    value = gdb.parse_and_eval(expression)
    if value.address is None or value.type.sizeof > WIDEST:
        raise startup.DAPException("`%s` has no place in memory that could be watched: name a member" % expression)
    return _looked(expression, value)


def _looked(expression, value):
    thread, here = gdb.selected_thread(), _position()
    gdb.set_convenience_variable("dapwright_written", value.address)
    answer = {"value": preview(value), "type": str(value.type)}
    with quiet():
        watch = gdb.Breakpoint("*$dapwright_written", type=gdb.BP_WATCHPOINT, wp_class=gdb.WP_WRITE, internal=True)
        try:
            gdb.execute("reverse-continue", to_string=True)
            if watch.hit_count:
                answer["write"] = _write(expression, value)
        finally:
            watch.delete()
            _return(here)
            thread.switch()
            gdb.newest_frame().select()
    return answer


def _position():
    """The number of the recorded instruction that the program stands before; None at the recording's end."""
    found = re.search(
        r"Replay mode:(?:.|\n)*Current instruction number is (\d+)", gdb.execute("info record", to_string=True)
    )
    return int(found.group(1)) if found else None


def _return(position):
    """Stand again where the look began. gdb's `goto end` stands before the last instruction, not behind it."""
    try:
        gdb.execute("record goto %s" % (position or "end"), to_string=True)
    except gdb.error as error:
        if "Already at target" not in str(error):
            raise
    if position is None:
        gdb.execute("stepi", to_string=True)


def _write(expression, value):
    """Where it stands now: at the instruction that is about to write."""
    frame = gdb.newest_frame()
    place = frame.find_sal()
    text = source_line(frame)
    before = gdb.parse_and_eval("*$dapwright_written")
    file = place.symtab.fullname() if place.symtab is not None else ""
    write = {"file": file, "line": place.line, "function": frame.name() or "?", "statement": text}
    return {**write, "was": preview(before), "from": _inputs(text)}


def _inputs(text):
    """The names of a statement that have a value in its frame, as they were when it ran."""
    found = {}
    for name in dict.fromkeys(WORDS.findall(re.sub(r"//.*|\"(\\.|[^\"\\])*\"", "", text))):
        try:
            value = gdb.parse_and_eval(name)
            if value.type.code not in (gdb.TYPE_CODE_FUNC, gdb.TYPE_CODE_METHOD) and len(found) < INPUTS:
                found[name] = preview(value)
        except gdb.error:
            continue
    return found
