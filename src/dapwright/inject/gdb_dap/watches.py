"""Data breakpoints: a value of a frame (until that frame returns), a static one, or a place in memory."""

from typing import Optional, Sequence

import gdb

from . import deferred
from .breakpoints import set_all
from .calls import quiet
from .wiring import advertise, module, replace, startup

KINDS = {"read": gdb.WP_READ, "write": gdb.WP_WRITE, "readWrite": gdb.WP_ACCESS}
_places = {}
"""dataId -> (what gdb is to watch, the frame it is to be read in or None)."""
NAMES = {}
"""What gdb watches by its place -> the expression that named it."""

advertise("supportsDataBreakpoints")


@replace("dataBreakpointInfo")
def data_breakpoint_info(*, name: str, variablesReference: Optional[int] = None, frameId: Optional[int] = None, **args):
    """Whether NAME can be watched, and the id to watch it by."""
    try:
        with quiet():
            return _child(variablesReference, name) if variablesReference else _expression(name, frameId)
    except (gdb.error, startup.DAPException, RuntimeError, TypeError) as error:
        return {"dataId": None, "description": str(error)}


def _expression(text, frame_id):
    frame = None
    if frame_id is not None:
        module("frames").select_frame(frame_id)
        frame = gdb.selected_frame()
    deferred.need(text)
    value = gdb.parse_and_eval(text)
    if any(sign in text for sign in ("->", "*", "[")):
        return _located(text, value)
    return _answer(text, value, text, frame)


def _child(reference, name):
    value = module("varref").find_variable(reference).find_child_by_name(name)._value
    if isinstance(module("varref").find_variable(reference), module("scopes")._ScopeReference):
        return _expression(name, module("varref").find_variable(reference)._frameId)
    return _located(name, value)


def _located(name, value):
    """Watch the place where a value is, whatever becomes of its frame.

    `gdb.Breakpoint` knows no `-location` (gdb 13 to 18): it reads it as a minus and a name.
    """
    if value.address is None:
        return _answer(name, value, name, None)
    variable = "dapwright_%d" % len(_places)
    gdb.set_convenience_variable(variable, value.address)
    NAMES["*$" + variable] = name
    return _answer(name, value, "*$" + variable, None)


def _answer(name, value, watched, frame):
    if value.address is None:
        return {"dataId": None, "description": "`%s` has no place in memory" % name}
    if value.type.sizeof > 32:
        text = "`%s` takes %d bytes, more than the processor can watch: name a member" % (name, value.type.sizeof)
        return {"dataId": None, "description": text}
    identity = "%s@%s" % (watched, frame if frame is not None else "")
    _places[identity] = (watched, frame)
    text = "%s (%d bytes at %#x)" % (name, value.type.sizeof, int(value.address))
    return {"dataId": identity, "description": text, "accessTypes": list(KINDS), "canPersist": False}


@startup.in_gdb_thread
def _create(*, dataId, accessType):
    if dataId not in _places:
        raise startup.DAPException("no such dataId")
    watched, frame = _places[dataId]
    if frame is not None:
        if not frame.is_valid():
            raise startup.DAPException("its frame has returned")
        frame.select()
    bp = gdb.Breakpoint(watched, type=gdb.BP_WATCHPOINT, wp_class=KINDS[accessType or "write"])
    if bp.type == gdb.BP_WATCHPOINT and gdb.selected_inferior().pid:
        bp.delete()
        raise startup.DAPException("the processor cannot watch it: name a smaller value, or watch fewer")
    return bp


@replace("setDataBreakpoints")
def set_data_breakpoints(*, breakpoints: Sequence, **args):
    """Set all watches; one that stays keeps its count."""
    keys = ("dataId", "accessType", "condition", "hitCondition")
    return {"breakpoints": set_all("data", [{key: each.get(key) for key in keys} for each in breakpoints], _create)}


def is_watch(bp):
    """Whether a gdb breakpoint is a watch."""
    return bp.type in (gdb.BP_WATCHPOINT, gdb.BP_HARDWARE_WATCHPOINT, gdb.BP_READ_WATCHPOINT, gdb.BP_ACCESS_WATCHPOINT)
