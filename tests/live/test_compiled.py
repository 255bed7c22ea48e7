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
    ("zig", "tally.zig", "return total;", {"total": "5"}),
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


FAILS = [
    ("ada", "fails.adb", "Put_Line (Integer'Image (T (I)));", "CONSTRAINT_ERROR", "fails.adb:7 index check failed"),
    ("d", "fails.d", 'throw new Exception("too far");', "Exception", "too far"),
    ("fortran", "fails.f90", 'error stop "too far"', "ERROR STOP", "too far"),
    ("pascal", "fails.pas", "raise Exception.Create('too far');", "Exception", "too far"),
    ("zig", "tally.zig", "items[index].count", "SIGABRT", "index out of bounds: index 7, len 2"),
]


@pytest.mark.parametrize(
    ("language", "file", "statement", "kind", "message"), FAILS, ids=lambda part: part if len(part) < 8 else ""
)
def test_what_its_runtime_raises_has_its_type_and_its_message(
    served, program, language, file, statement, kind, message
):
    if not any(map(shutil.which, TOOLS[language])):
        pytest.skip(f"there is no {TOOLS[language][0]}")
    source = str(program("compiled") / file)
    stop = served.run(language, scriptPath=source)
    info = stop["lastStop"]["exceptionInfo"]
    assert (info["exceptionId"], info["description"]) == (kind, message)
    assert statement in stop["content"] and stop["location"]["file"] == source
    end = served.go(stop)
    assert end["state"] == "stopped" and (end.get("exitCode") or end["signal"])


def test_an_ada_exception_is_stopped_at_by_its_name_though_it_is_handled(served, program):
    if not shutil.which("gnatmake"):
        pytest.skip("there is no gnatmake")
    source = str(program("compiled") / "fails.adb")
    stop = served.run("ada", scriptPath=source, breakOnExceptions=["my_error"])
    assert stop["lastStop"]["exceptionInfo"]["exceptionId"] == "FAILS.MY_ERROR"
    assert stop["lastStop"]["description"] == "caught one" and "raise My_Error" in stop["content"]
