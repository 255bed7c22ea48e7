"""A breakpoint that cannot bind, or is never reached, is told with its reason; what a line cannot hold is refused."""

import json.decoder
import subprocess
from dataclasses import dataclass, field

import pytest
import toolchains
from places import line_of

pytestmark = pytest.mark.live


@dataclass(frozen=True, kw_only=True)
class Unreached:
    """A program of some files, and what is told of a breakpoint on (file, text)."""

    files: dict[str, str]
    reasons: dict[tuple[str, str], str]
    """(file, a text of the line) -> a part of the reason at the end."""
    moved: dict[str, str] = field(default_factory=dict)
    """A text of the program's line that cannot hold one -> a text of the line that holds it instead."""
    refused: str = ""
    """A text of the program's line behind which its function has no code."""
    reached: dict[tuple[str, str], int] = field(default_factory=dict)
    """What is reached all the same, and how often."""
    needs: tuple[str, ...] = ()


PYTHON = """import json, subprocess, sys, used


@used.deco
def work(x):
    y = x + 1
    # between
    return y
    # behind


print(work(1), json.loads("[1]"))
subprocess.run([sys.executable, "followed.py"], cwd=sys.path[0], check=True)
subprocess.run(["sh", "-c", sys.executable + " other.py"], cwd=sys.path[0], check=True)
"""
JAVASCRIPT = """const { execFileSync } = require("child_process");
function work(x) {
  const y = x + 1;
  // between
  return y;
  // behind
}
console.log(work(1));
execFileSync(process.execPath, [__dirname + "/followed.js"]);
execFileSync("env", ["-u", "NODE_OPTIONS", process.execPath, __dirname + "/other.js"]);
"""
JAVA = """public class Main {
    @Deprecated
    static int work(int x) {
        int y = x + 1;
        // between
        return y;
        // behind
    }

    static void never() {
        System.out.println("never");
    }

    public static void main(String[] args) {
        System.out.println(work(1));
    }
}
"""
GO = """package main

import "fmt"

func unused() int {
	x := 1
	return x
}

func work(x int) int {
	y := x + 1
	// between
	return y
	// behind
}

func main() {
	if work(1) > 5 {
		fmt.Println("large")
	}
}
"""
C = """static int work(int x) {
    int y = x + 1;
    /* between */
    return y;
    /* behind */
}

int main(int argc, char **argv) {
    if (argc > 5)
        return 9;
    return work(argc) - 2;
}
"""
OPTIMIZED = """#include <stdio.h>
static int work(int x) {
    int y = x + 1;
    return y;
}

int main(int argc, char **argv) {
    int k = work(argc);
    printf("%d\\n", k);
    return 0;
}
"""
RUBY = """require_relative "used"
def work(x)
  y = x + 1
  # between
  y
  # behind
end
work(used(1))
system(RbConfig.ruby, File.join(__dir__, "other.rb"))
"""
LIBRARY = ("/" + json.decoder.__file__.lstrip("/"), "end = self.raw_decode(s, idx=_w(s, 0).end())")
UNREACHED = {
    "python": Unreached(
        files={
            "main.py": PYTHON,
            "used.py": "def deco(f):\n    return f\n",
            "never.py": "a = 1\n",
            "followed.py": "b = 1\n",
            "other.py": "c = 1\n",
        },
        reasons={
            LIBRARY: "library code, which `justMyCode` leaves out",
            ("never.py", "a = 1"): "or the program never loaded `never.py`",
            ("other.py", "c = 1"): "a Python that a shell or another program starts is not debugged",
        },
        moved={"# between": "return y"},
        refused="# behind",
        reached={("followed.py", "b = 1"): 1},
    ),
    "javascript": Unreached(
        files={
            "main.js": JAVASCRIPT,
            "never.js": "let a = 1;\n",
            "followed.js": "let b = 1;\n",
            "other.js": "let c = 1;\n",
        },
        reasons={
            ("never.js", "let a"): "never bound: no process that was debugged loaded this file",
            ("other.js", "let c"): "a Node that is started without our `NODE_OPTIONS` is not debugged",
        },
        moved={"// between": "return y;"},
        refused="// behind",
        reached={("followed.js", "let b"): 1},
        needs=("node",),
    ),
    "java": Unreached(
        files={"Main.java": JAVA, "Never.java": "class Never {\n    static int n() {\n        return 1;\n    }\n}\n"},
        reasons={
            ("Never.java", "return 1"): "never bound: no class that was loaded has code of this file",
            ("Main.java", '"never"'): "the line did not run; the processes that the program starts are not debugged",
        },
        moved={"// between": "return y;", "@Deprecated": "int y = x + 1;"},
        refused="// behind",
        needs=("javac",),
    ),
    "go": Unreached(
        files={
            "main.go": GO,
            "go.mod": "module example.test/unreached\n\ngo 1.19\n",
            "sub/never.go": "package sub\n\nfunc N() int {\n\ta := 1\n\treturn a\n}\n",
        },
        reasons={
            ("sub/never.go", "return a"): "never bound: the program was not built of this file",
            ("main.go", "return x"): "never bound: no code is there in the program as it was built",
            ("main.go", '"large"'): "the line did not run; the processes that the program starts are not debugged",
        },
        moved={"// between": "return y"},
        refused="// behind",
        needs=("go", "dlv"),
    ),
    "c": Unreached(
        files={"main.c": C, "never.c": "int never(int a) {\n    return a;\n}\n"},
        reasons={
            ("never.c", "return a"): "never bound: the program was not built of this file",
            ("main.c", "return 9"): "bound, never hit: the line did not run",
        },
        moved={"/* between */": "return y;"},
        refused="/* behind */",
        needs=("gdb", "gcc"),
    ),
    "ruby": Unreached(
        files={
            "main.rb": RUBY,
            "used.rb": "def used(n)\n  n + 1\nend\n",
            "never.rb": "a = 1\n",
            "other.rb": "c = 1\n",
        },
        reasons={
            ("never.rb", "a = 1"): "or the program never loaded `never.rb`",
            ("other.rb", "c = 1"): "the processes that the program starts are not debugged",
        },
        moved={"# between": "y"},
        refused="# behind",
        reached={("main.rb", "require_relative"): 1, ("used.rb", "n + 1"): 1},
        needs=("ruby", "rdbg"),
    ),
}


@pytest.mark.parametrize("language", UNREACHED)
def test_what_cannot_bind_or_is_not_reached_is_told_with_its_reason(served, tmp_path, language):
    told = UNREACHED[language]
    toolchains.needs(*told.needs)
    for name, text in told.files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    program = str(tmp_path / next(iter(told.files)))
    session = served.ok("create_debug_session", language=language)["sessionId"]

    def place(file, text):
        path = tmp_path / file
        return served.ok("set_breakpoint", sessionId=session, file=str(path), line=line_of(path, text))

    ids = {place(*where)["breakpointId"]: reason for where, reason in told.reasons.items()}
    reached = {place(*where)["breakpointId"]: times for where, times in told.reached.items()}
    for text, instead in told.moved.items():
        set_at = place(program, text)
        assert set_at["content"] == instead and "requested" in set_at["warning"]
        reached[set_at["breakpointId"]] = 1
    behind = served.call("set_breakpoint", sessionId=session, file=program, line=line_of(program, told.refused))
    assert "cannot hold a breakpoint, and no line after it of" in behind["error"] and "the nearest" in behind["hint"]
    end = served.settled(served.ok("start_debugging", sessionId=session, scriptPath=program, wait=40))
    while end["state"] == "paused":
        end = served.go(end)
    rows = {row["breakpointId"]: row["reason"] for row in end["unhitBreakpoints"]}
    assert rows.keys() == ids.keys(), end
    for number, reason in ids.items():
        assert reason in rows[number], rows
    hits = {row["breakpointId"]: row["hits"] for row in served.ok("list_breakpoints", sessionId=session)["breakpoints"]}
    assert {number: hits[number] for number in reached} == reached


def test_children_that_were_left_alone_as_asked_are_told(served, tmp_path):
    (tmp_path / "main.py").write_text(
        "import subprocess, sys\nsubprocess.run([sys.executable, 'child.py'], cwd=sys.path[0])\n"
    )
    (tmp_path / "child.py").write_text("a = 1\n")
    place = {"file": str(tmp_path / "child.py"), "line": 1}
    end = served.run("python", place, scriptPath=str(tmp_path / "main.py"), adapterLaunchConfig={"subProcess": False})
    assert "the processes that the program starts were not debugged, as asked" in end["unhitBreakpoints"][0]["reason"]


@pytest.mark.needs("gdb", "gcc")
def test_c_optimized_lines_that_became_one_are_told(served, tmp_path):
    source = tmp_path / "main.c"
    source.write_text(OPTIMIZED)
    subprocess.run(["gcc", "-g", "-O2", "-o", tmp_path / "main", source], check=True)
    stop = served.run("c", {"file": str(source), "statement": "int y = x + 1;"}, scriptPath=str(tmp_path / "main"))
    line = line_of(source, "int y")
    assert stop["lastStop"]["hitBreakpointIds"] == ["b1"] and "-O2" in stop["warning"]
    shown = stop["location"]["line"]
    assert (
        shown == line or f"code of b1 (line {line}), which the compiler has made one with line {shown}" in stop["note"]
    )
