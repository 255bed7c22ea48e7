"""Scopes, expressions and assignments in COBOL's words; a frame of C keeps gdb's own."""

import re
from typing import Optional

from gdb_dap.wiring import module, replace, server, startup

from .expressions import Expression, text_of
from .frames import CobolFrame, newest
from .references import ItemReference, SectionReference

SECTIONS = ("WORKING-STORAGE", "LOCAL-STORAGE", "LINKAGE", "FILE", "SCREEN")
ASSIGNMENT = re.compile(
    r"\s*(?:MOVE\s+(?P<value>.+?)\s+TO\s+(?P<name>\S.*?)\.?|(?P<left>\S.*?)\s*:=\s*(?P<right>.+))\s*", re.I
)
_gdb = {name: server._commands[name] for name in ("scopes", "evaluate", "setVariable", "setExpression")}


@startup.in_gdb_thread
def cobol_frame(number):
    """gdb's frame of a COBOL frame's id, of the innermost where there is none; None in C."""
    if number is None:
        return newest()
    found = module("frames").frame_for_id(number)
    return found.inferior_frame() if isinstance(found, CobolFrame) else None


@startup.in_gdb_thread
def _scopes(frameId):
    frame = cobol_frame(frameId)
    if frame is None:
        return None
    from .frames import program_of

    roots = program_of(frame).roots
    known = [(name, [root for root in roots if root.section == name]) for name in SECTIONS]
    return {"scopes": [SectionReference(name, items, frame).to_object() for name, items in known if items]}


@startup.in_gdb_thread
def _evaluate(expression, frameId):
    frame = cobol_frame(frameId)
    if frame is None:
        return None
    found = ASSIGNMENT.fullmatch(expression)
    if found is not None:
        return _assign(found["name"] or found["left"], found["value"] or found["right"], frame, "result")
    value = Expression(expression, frame).value()
    if isinstance(value, ItemReference):
        value.text()  # what cannot be read is refused, not shown
        return value.to_object()
    return {"result": text_of(value), "variablesReference": 0}


def _assign(name, value, frame, key):
    target = Expression(name, frame).value()
    if not isinstance(target, ItemReference):
        raise startup.DAPException("`%s` is no data item" % name)
    target.assign(text_of(Expression(value, frame).value()))
    target.result = key
    return target.to_object()


@startup.in_gdb_thread
def _set_variable(variablesReference, name, value):
    holder = module("varref").find_variable(variablesReference)
    if not isinstance(holder, (ItemReference, SectionReference)):
        return None
    target = holder.find_child_by_name(name)
    target.assign(text_of(Expression(value, target.frame).value()))
    return target.to_object()


@startup.in_gdb_thread
def _set_expression(expression, value, frameId):
    frame = cobol_frame(frameId)
    return None if frame is None else _assign(expression, value, frame, "value")


def _here(act):
    """Run in gdb's thread; None says that the frame is not COBOL's."""
    return server.send_gdb_with_response(act)


@replace("scopes", on_dap_thread=True)
def scopes(*, frameId: int, **args):
    """The sections of the data division."""
    return _here(lambda: _scopes(frameId)) or _gdb["scopes"](frameId=frameId, **args)


@replace("evaluate", on_dap_thread=True)
def evaluate(*, expression: str, frameId: Optional[int] = None, **args):
    """A COBOL expression; `MOVE x TO y` and `y := x` assign."""
    told = _here(lambda: _evaluate(expression, frameId))
    return told or _gdb["evaluate"](expression=expression, frameId=frameId, **args)


@replace("setVariable", on_dap_thread=True)
def set_variable(*, variablesReference: int, name: str, value: str, **args):
    """Give an item a value."""
    told = _here(lambda: _set_variable(variablesReference, name, value))
    return told or _gdb["setVariable"](variablesReference=variablesReference, name=name, value=value, **args)


@replace("setExpression", on_dap_thread=True)
def set_expression(*, expression: str, value: str, frameId: Optional[int] = None, **args):
    """Give an item a value."""
    told = _here(lambda: _set_expression(expression, value, frameId))
    return told or _gdb["setExpression"](expression=expression, value=value, frameId=frameId, **args)
