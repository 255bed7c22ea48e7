"""Steps by COBOL statements: PERFORM and CALL are one statement, however many lines of C they are.

gdb's own steps would land in the C file between two statements. So a step puts silent
breakpoints where statements begin, and goes on; what counts is told by how deep the
stack of calls and PERFORMs is there.
"""

import gdb
from gdb_dap.wiring import module, replace, server

from .frames import cobol_files, functions_of, is_cobol, newest, returns, sources_of, statement_at

events, breakpoints = module("events"), module("breakpoint")
_gdb = {name: server._commands[name] for name in ("next", "stepIn", "stepOut")}
_armed = []


class StepEnd(gdb.Breakpoint):
    """A place where a step may end."""

    def __init__(self, address, ends):
        super().__init__("*%#x" % address, internal=True)
        self.silent, self.ends = True, ends

    def stop(self):
        return self.ends()


def calls(frame=None):
    """How many C frames there are, from `frame` outwards."""
    number, frame = 0, frame or gdb.newest_frame()
    while frame is not None:
        number, frame = number + 1, frame.older()
    return number


def performs():
    """How many PERFORMs are active in the innermost frame."""
    return int(gdb.parse_and_eval("frame_ptr - &frame_stack[0]"))


def rows(function):
    """Where statements begin in a program: address -> (file, line)."""
    found = {}
    start = gdb.block_for_pc(function.value().address)
    known = {one.place for one in sources_of(start.start).statements}
    for file in {file for file, _ in known}:
        for place in gdb.decode_line("'%s':1" % file)[1] or ():
            for row in place.symtab.linetable():
                if start.start <= row.pc < start.end and (file, row.line) in known:
                    found[row.pc] = (file, row.line)
    return found


def _ends(kind, depth, inner):
    """The test that a step's end must pass."""

    def ends():
        try:
            now = calls()
            if kind == "in" or now < depth:
                return True
            if now > depth:
                return False
            return performs() < inner if kind == "out" else performs() <= inner
        except gdb.error:
            return True

    return ends


def _is_performing(statement, known):
    """Whether a statement leaves the paragraph: an inline PERFORM does not."""
    if statement.kind == "CALL":
        return True
    following = next((one.c_line for one in known.statements if one.c_line > statement.c_line), len(known.lines))
    body = known.lines[statement.c_line - 1 : following]
    return statement.kind == "PERFORM" and any("return_address_ptr = &&" in line for line in body)


def _places(kind, frame):
    """Addresses where a step of that kind may end."""
    here, known, own = statement_at(frame.pc()), sources_of(frame.pc()), rows(frame.function())
    if kind == "over" and _is_performing(here, known):
        later = known.statements[known.statements.index(here) + 1 :]
        following = next((one.place for one in later if one.place != here.place), None)
        found = {address for address, place in own.items() if place == following}
    else:
        found = {address for address, place in own.items() if place != here.place}
        found |= {frame.pc()} & set(own)  # the same statement in the next round of a loop
    found.update(returns(frame))
    older = frame.older()
    while older is not None and not is_cobol(older):
        older = older.older()
    if older is not None:
        found.update(rows(older.function()))
    if kind == "in":
        for other in functions_of(cobol_files()):
            found.update(rows(other))
    return found


def _go(kind):
    frame = newest()
    places = _places(kind, frame)
    frame.select()
    ends = _ends(kind, calls(frame), performs())
    with breakpoints.suppress_new_breakpoint_event():
        _armed.extend(StepEnd(address, ends) for address in places)
    events.exec_and_expect_stop("continue &")
    return True


def _disarm(event):
    """A stop, whatever it was, ends the step."""
    if not _armed:
        return
    gone = list(_armed)
    _armed.clear()

    def remove():
        with breakpoints.suppress_new_breakpoint_event():
            for one in gone:
                if one.is_valid():
                    one.delete()

    gdb.post_event(remove)


def _step(name, kind, command):
    def step(*, threadId: int, granularity: str = "statement", **args):
        def begin():
            module("state").set_thread(threadId)
            return granularity != "instruction" and newest() is not None and _go(kind)

        if not server.send_gdb_with_response(begin):
            return _gdb[name](threadId=threadId, granularity=granularity, **args)
        return None

    return step


gdb.events.stop.connect(_disarm)
gdb.events.exited.connect(_disarm)
for _name, _kind, _command in (("next", "over", "next"), ("stepIn", "in", "step"), ("stepOut", "out", "finish")):
    replace(_name, on_dap_thread=True)(_step(_name, _kind, _command))
