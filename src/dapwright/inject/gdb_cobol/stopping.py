"""What a stop means in COBOL: a step's end, the first statement, a run-time error in its own words."""

import re

import gdb
from gdb_dap import failures, inferior, stops
from gdb_dap.wiring import module, startup

from .frames import cobol_files, functions_of, sources_of
from .stepping import StepEnd

ERROR = "cob_runtime_error"
HOLE = re.compile(r"%l?[sdiu]")
ARGUMENTS = ("$rsi", "$rdx", "$rcx", "$r8", "$r9")
"""Where a variadic function finds its words (x86-64)."""
_describe = stops.describe


class Entry(gdb.Breakpoint):
    """The first statement of the program."""


def describe(event):
    """A stop at our own breakpoints alone is a step, or the entry."""
    hit = getattr(event, "breakpoints", [])
    if hit and all(isinstance(one, StepEnd) for one in hit):
        return {"reason": "step"}
    if hit and all(isinstance(one, (Entry, StepEnd)) for one in hit):
        return {"reason": "entry"}
    told = _describe(event)
    if told.get("reason") == "exception" and gdb.newest_frame().name() == ERROR:
        text = message() or told.get("description", "")
        failures.Failure.now = {**(failures.Failure.now or {}), "description": text}
        told.update(description=text, text=text)
    return told


def message():
    """What the run-time error is about to print; "" where it cannot be read."""
    try:
        text = gdb.parse_and_eval("(char *) $rdi").string()
        words = iter(ARGUMENTS)

        def fill(hole):
            kind = "(char *) " if hole.group().endswith("s") else "(int) "
            value = gdb.parse_and_eval(kind + next(words))
            return value.string() if hole.group().endswith("s") else str(int(value))

        return HOLE.sub(fill, text)
    except (gdb.error, StopIteration, UnicodeDecodeError):
        return ""


@startup.in_gdb_thread
def _stop_at_entry():
    for function in functions_of(cobol_files()):
        start = gdb.block_for_pc(function.value().address).start
        statements = sources_of(start).statements
        entry = next((at for at, one in enumerate(statements) if one.kind == "Entry"), None)
        first = next((one for one in statements[entry:] if one.kind not in ("Entry", "Paragraph", "Section")), None)
        if entry is not None and first is not None:
            with module("breakpoint").suppress_new_breakpoint_event():
                Entry("'%s':%d" % first.place, internal=True, temporary=True)
            return True
    return False


def _enter(arguments):
    """gdb stops at C's `main`; COBOL begins later."""
    if arguments.get("stopAtBeginningOfMainSubprogram") and _stop_at_entry():
        arguments.pop("stopAtBeginningOfMainSubprogram")


stops.describe = describe
inferior.LOADED.append(_enter)
