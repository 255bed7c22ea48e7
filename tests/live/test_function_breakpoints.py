"""Functions by name, in every language: methods, nested and decorated ones, each definition of a name, and none."""

from dataclasses import dataclass

import places
import pytest
import toolchains

pytestmark = pytest.mark.live


@dataclass(frozen=True, kw_only=True)
class Named:
    """A program, and how often a function breakpoint of each name stops in it."""

    file: str
    hits: dict[str, int]
    needs: tuple[str, ...] = ()
    nowhere: str = "aera"
    near: str = "`area`"


NAMED = {
    "python": Named(
        file="main.py",
        hits={"Box.area": 1, "area": 2, "vol": 1, "Box.make": 1, "Box.size": 1, "deep": 1, "deep.inner": 1, "inner": 1}
        | {"later": 1, "wrapper": 3},
    ),
    "javascript": Named(
        file="main.js",
        hits={"Box.area": 1, "area": 2, "Box.make": 1, "Box.constructor": 1, "size": 1, "outer": 1, "outer.inner": 1}
        | {"arrow": 1, "obj.area": 1, "later": 1},
        needs=("node",),
    ),
    "typescript": Named(
        file="main.ts",
        hits={"Box.area": 1, "area": 2, "Box.make": 1, "outer": 1, "outer.inner": 1, "arrow": 1},
        needs=("node", "tsx"),
    ),
    "java": Named(
        file="Main.java",
        hits={"Box.area": 1, "area": 3, "Main.outer": 1, "over": 2, "Box.<init>": 1, "Box.Box": 1, "Main$Sq.area": 1},
        needs=("javac",),
    ),
    "kotlin": Named(
        file="main.kt",
        hits={"Box.area": 1, "area": 2, "make": 1, "outer": 1, "inner": 1, "outer.inner": 1, "shout": 1},
        needs=("kotlinc",),
    ),
    "go": Named(
        file="main.go",
        hits={"Box.Area": 1, "Area": 2, "Map": 2, "outer": 1, "Sq.Area": 1},
        needs=("go", "dlv"),
        nowhere="Aera",
        near="`Area`",
    ),
    "cpp": Named(
        file="main.cpp",
        hits={"Box.area": 1, "geo::Box::area": 1, "area": 3, "geo.area": 1, "over": 2, "twice": 2, "Box::Box": 1},
        needs=("gdb", "g++"),
    ),
    "rust": Named(
        file="main.rs",
        hits={"Bx.area": 2, "area": 4, "geo::area": 1, "outer": 1, "outer.inner": 1, "generic": 2, "twice": 1},
        needs=("gdb", "cargo"),
    ),
    "ruby": Named(
        file="main.rb",
        hits={"Box.area": 1, "Geo::Box#area": 1, "area": 3, "Box.make": 1, "outer": 1, "ok?": 1, "Box.initialize": 1},
        needs=("ruby", "rdbg"),
    ),
    "php": Named(
        file="main.php",
        hits={"Box.area": 1, "Box::make": 1, "area": 3, "outer": 1, "Sq.area": 1, "__construct": 1},
        needs=("php", "xdebug"),
    ),
    "perl": Named(
        file="main.pl",
        hits={"Box.area": 1, "Box::new": 1, "area": 2, "outer": 1, "main::area": 1, "inner": 1},
        needs=("perl",),
    ),
    "lua": Named(
        file="main.lua",
        hits={"Box.area": 1, "Box:area": 1, "Box.new": 1, "area": 2, "outer.inner": 1, "inner": 1},
        needs=("lua",),
    ),
    "bash": Named(file="main.sh", hits={"area": 1, "outer": 1, "inner": 1}, needs=("bash-dap",), near=""),
}


@pytest.mark.parametrize("language", NAMED)
def test_every_function_of_a_name_stops_and_one_that_is_nowhere_is_told(served, tmp_path, language):
    told = NAMED[language]
    toolchains.needs(*told.needs)
    for name in (told.file, "go.mod") if language == "go" else (told.file,):
        (tmp_path / name).write_bytes((places.FIXTURES / "functions" / name).read_bytes())
    wanted = [{"function": name} for name in (*told.hits, told.nowhere)]
    stop = served.run(language, *wanted, scriptPath=str(tmp_path / told.file))
    stops = 0
    while stop["state"] == "paused":
        stops += 1
        assert stop["stopReason"] == "function breakpoint" and stops < 40, stop
        stop = served.go(stop)
    rows = served.ok("list_breakpoints", sessionId=stop["sessionId"])["functionBreakpoints"]
    assert {row["functionName"]: row["hits"] for row in rows} == told.hits | {told.nowhere: 0}
    assert {row["functionName"]: row["verified"] for row in rows} == dict.fromkeys(told.hits, True) | {
        told.nowhere: False
    }
    (unhit,) = stop["unhitBreakpoints"]
    assert f"never bound: no function `{told.nowhere}` is in the program's sources" in unhit["reason"]
    assert told.near in unhit["reason"]
