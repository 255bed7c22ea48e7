"""Evaluation that leaves the session as it was.

A call of the program's own function makes gdb 18 tell `continued` and `stopped`, forget
all frames and variables, and, when the call fails, believe for ever that the program
runs. Here a call is silent, ids live on, breakpoints do not stop inside it, and gdb's
belief is mended afterwards.
"""

from contextlib import contextmanager

import gdb

from . import deferred
from .wiring import advertise, events, mend_state, module, replace, server, startup

breakpoint_module = module("breakpoint")
frames, variables, scopes, global_scopes = module("frames"), module("varref"), module("scopes"), module("globalvars")
evaluation = module("evaluate")

FORGETTING = (frames._clear_frame_ids, variables.clear_vars, scopes.clear_scopes, global_scopes.clear, events._cont)


class Quiet:
    """Whether a call of ours is being made, so that its stops are nobody's business."""

    depth = 0


@contextmanager
def _without_breakpoints():
    enabled = [each for each in gdb.breakpoints() if each.enabled]
    with breakpoint_module.suppress_new_breakpoint_event():
        try:
            for each in enabled:
                each.enabled = False
            yield
        finally:
            for each in enabled:
                if each.is_valid():
                    each.enabled = True


@contextmanager
def quiet(breakpoints=False):
    """Run a piece of evaluation silently; with BREAKPOINTS off unless told otherwise."""
    if Quiet.depth:
        yield
        return
    Quiet.depth += 1
    for forget in FORGETTING:
        gdb.events.cont.disconnect(forget)
    gdb.events.inferior_call.disconnect(events._on_inferior_call)
    try:
        if breakpoints:
            yield
        else:
            with _without_breakpoints():
                yield
    finally:
        gdb.events.inferior_call.connect(events._on_inferior_call)
        for forget in FORGETTING:
            gdb.events.cont.connect(forget)
        Quiet.depth -= 1
        mend_state()


def _calls(expression):
    return "(" in expression


def parse(expression, global_context=False):
    """gdb's own `parse_and_eval`, silent; breakpoints are off only while a call is possible."""
    deferred.need(expression)
    try:
        with quiet(breakpoints=not _calls(expression)):
            return startup.parse_and_eval(expression, global_context=global_context)
    finally:
        if _calls(expression) or "=" in expression or "++" in expression or "--" in expression:
            forget_values()


def forget_values():
    """Read the variables of every scope again when they are asked for: gdb 18 keeps what it has shown until it runs."""
    for each in variables.all_variables:
        if isinstance(each, scopes._ScopeReference):
            each.reset_children()


_find = variables.BaseReference.find_child_by_name


def find_child(self, name):
    """gdb's own, that knows a scope's variables though they were forgotten since."""
    if name not in self._by_name and isinstance(self, scopes._ScopeReference):
        list(self.fetch_children(0, 0))
    return _find(self, name)


variables.BaseReference.find_child_by_name = find_child


evaluation.parse_and_eval = parse

_repl = evaluation._repl


def repl(command, frame_id):
    """A gdb command: what it does to the program is told as usual, but a failure never wedges the session."""
    deferred.ask()
    try:
        return _repl(command, frame_id)
    finally:
        mend_state()
        forget_values()


evaluation._repl = repl


def _forgetting(original):
    def assign(**arguments):
        try:
            return original(**arguments)
        finally:
            server.send_gdb_with_response(forget_values)

    return assign


for _name in ("setVariable", "setExpression"):
    server._commands[_name] = _forgetting(server._commands[_name])


@replace("dapwright/resync", expect_stopped=False)
def resync(**args):
    """Ask gdb whether the program runs, and set its DAP server right."""
    return {"running": mend_state()}


advertise("supportsCancelRequest")
