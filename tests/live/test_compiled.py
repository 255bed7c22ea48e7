"""The languages that are rows of a table, each stopped once in a program of its own."""

import shutil

import pytest

from dapwright.adapters import _gdb
from dapwright.adapters.compiled import TABLE
from dapwright.host import machine
from live.served import values

pytestmark = [
    pytest.mark.live,
    pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="there is no gdb beside our interpreter"),
]
TOOLS = {row[0]: row[3] for row in TABLE}
STOPS = [
    ("fortran", "tally.f90", "total = total + i", {"prices": "(1.5, 2.5, 3.5)", "i": "1"}),
    ("ada", "tally.adb", "Total := Total + I * One.Count;", {"one": "(count => 3, l => high)"}),
    ("d", "tally.d", "return total;", {"total": "6"}),
    ("pascal", "tally.pas", "add := total;", {"TOTAL": "5", "A": "2"}),
    ("objc", "tally.m", "return total;", {"total": "5", "a": "3"}),
    ("asm", "tally.s", "add $3, %rbx", {}),
    ("nasm", "tally.asm", "add rbx, 3", {}),
]


@pytest.mark.parametrize(
    ("language", "file", "statement", "shown"), STOPS, ids=lambda part: part if type(part) is str else ""
)
def test_it_is_compiled_stopped_and_shown(served, program, language, file, statement, shown):
    if not any(map(shutil.which, TOOLS[language])):
        pytest.skip(f"there is no {TOOLS[language][0]}")
    source = str(program("compiled") / file)
    stop = served.run(language, {"file": source, "statement": statement}, scriptPath=source)
    if stop["state"] == "stopped" or "does not" in str(stop.get("error")):
        raise AssertionError(stop)
    found = values(stop)
    assert {name: found.get(name) for name in shown} == shown
    if "asm" in language:
        assert served.ok("evaluate_expression", expression="$rbx")["result"] == "5"
        stepped = served.ok("step_over", granularity="instruction")
        assert stepped["location"]["line"] == stop["location"]["line"] + 1
