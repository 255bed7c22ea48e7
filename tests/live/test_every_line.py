"""A breakpoint on every line of a program: it is refused, or hit where it was said to be, or told as not reached."""

import places
import pytest
import toolchains
from interpreters import python

pytestmark = pytest.mark.live

NEVER = {
    "ruby": {"sum -= 1", "sum = 0"},
    "lua": {"sum = sum + 1"},
    "perl": set(),
    "bash": {"sum=$((sum + 1))", "sum=0", "list=("},
    "java": {"sum = 0;", "} else {", "}", "};", "public class Main {", "interface Shape {", "int area();"}
    | {"import java.util.List;", "import java.util.function.IntUnaryOperator;"},
    "kotlin": {"interface Shape {", "fun area(): Int", "}", "override fun area(): Int {"},
    "python": {"return 0", "result.append(1)", "elif not result:"},
}
"""What is never run, or has no code of its own where only the engine can know: (language -> text of the line)."""
PROGRAMS = {
    "ruby": ("main.rb", "rdbg"),
    "lua": ("main.lua", "lua"),
    "perl": ("main.pl", "perl"),
    "bash": ("main.sh", "bash-dap"),
    "java": ("Main.java", "javac"),
    "kotlin": ("main.kt", "kotlinc"),
}


@pytest.mark.parametrize("language", PROGRAMS)
def test_each_line_is_refused_or_hit_where_it_was_said_or_told(served, tmp_path, language):
    name, tool = PROGRAMS[language]
    toolchains.needs(tool)
    sweep(served, tmp_path, language, name)


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14"])
def test_each_line_of_python_whatever_its_version_takes_for_its_beginning(served, tmp_path, version):
    sweep(served, tmp_path, "python", "main.py", executablePath=python(version))


def sweep(served, tmp_path, language, name, **more):
    """Ask for every line, run to the end, and compare what was told with where it stopped."""
    program = tmp_path / name
    program.write_bytes((places.FIXTURES / "lines" / name).read_bytes())
    session = served.ok("create_debug_session", language=language, **more)["sessionId"]
    for line in range(1, len(program.read_text().splitlines()) + 1):
        told = served.call("set_breakpoint", sessionId=session, file=str(program), line=line)
        if told["success"] is False:
            assert "cannot hold a breakpoint" in told["error"]
        elif told["line"] != line:
            assert told["requestedLine"] == line and f"requested {line}, bound to {told['line']}" in told["warning"]
    stop = served.settled(served.ok("start_debugging", sessionId=session, scriptPath=str(program), wait=40))
    seen: dict[str, set[int]] = {}
    while stop["state"] == "paused":
        for number in stop["lastStop"]["hitBreakpointIds"]:
            seen.setdefault(number, set()).add(stop["location"]["line"])
        stop = served.go(stop)
    assert stop["exitCode"] == 0
    unhit = {row["breakpointId"]: row for row in stop.get("unhitBreakpoints", [])}
    for row in served.ok("list_breakpoints", sessionId=session)["breakpoints"]:
        where = seen.get(row["breakpointId"])
        if where is None:
            assert row["content"] in NEVER[language] and unhit[row["breakpointId"]]["reason"], row
        else:
            assert where == {row.get("boundLine", row["line"])}, (row, where)
