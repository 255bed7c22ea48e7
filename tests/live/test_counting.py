"""One meaning of hit counts, conditions and messages, run for real in every language whose toolchain is here.

A loop of ten has a line for each meaning, all are set before the launch, and one run shows where it stood
still, what was logged, how often each was hit and what was told of those that failed.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import places
import pytest
import toolchains

from live.driver import driver

pytestmark = pytest.mark.live


@dataclass(frozen=True, kw_only=True)
class Counting:
    """How what is asked is written in one language."""

    file: str
    needs: tuple[str, ...]
    says: str = "{0} = i"
    """An assignment of the loop."""
    i: str = "i"
    n: str = "n"
    """The argument of the function `visit` (bash-dap 0.3 sees no arguments)."""
    four: str = "i == 4"
    late: str = "i > 4"
    even: str = "i % 2 == 0"
    five: str = "i == 5"
    fails: str = "1 / (i - i) == 1"
    """A condition that fails as it runs, ..."""
    failure: str = "zero"
    """... a word of how, ..."""
    unknown: str = "nosuch > 4"
    """... one of a name that is nowhere, ..."""
    unknown_failure: str = "nosuch"
    error: str = "nosuch"
    """... and an expression that fails."""
    calls: str = "n > 4"
    """Of the function's calls the last six."""
    inside: str = "return n + 1"
    """The first statement of `visit`, ..."""
    seven: str = "n == 7"
    """... and its seventh call."""
    debugger: str = ""


C = Counting(
    file="counting.c",
    needs=("gcc", "gdb"),
    says="{0} = i;",
    inside="return n + 1;",
    fails="*(int *)0 == 1",
    failure="memory",
)
COUNTINGS = {
    "python": Counting(file="counting.py", needs=()),
    "javascript": Counting(
        file="counting.js",
        needs=("node",),
        says="{0} = i;",
        inside="return n + 1;",
        fails="null.x == 1",
        failure="null",
    ),
    "typescript": Counting(
        file="counting.ts",
        needs=("node", "tsx"),
        says="{0} = i;",
        inside="return n + 1;",
        fails="null.x == 1",
        failure="null",
    ),
    "java": Counting(file="Counting.java", needs=("javac",), says="{0} = i;", inside="return n + 1;"),
    "kotlin": Counting(file="counting.kt", needs=("kotlinc",)),
    "go": Counting(file="counting.go", needs=("go", "dlv")),
    "c": C,
    "cpp": Counting(
        file="counting.cpp",
        needs=("g++", "gdb"),
        says="{0} = i;",
        inside="return n + 1;",
        fails="*(int *)0 == 1",
        failure="memory",
    ),
    "c-lldb": Counting(
        file="counting.c",
        needs=("gcc", "lldb-dap"),
        says="{0} = i;",
        inside="return n + 1;",
        fails="*(int *)0 == 1",
        failure="",
        debugger="lldb",
    ),
    "rust": Counting(
        file="counting.rs",
        needs=("cargo", "gdb"),
        says="{0} = i;",
        inside="return n + 1;",
        fails="*(0 as *mut i32) == 1",
        failure="memory",
    ),
    "ruby": Counting(file="counting.rb", needs=("ruby", "rdbg"), failure="divided by 0", inside="n + 1"),
    "php": Counting(
        file="counting.php",
        needs=("php", "xdebug"),
        says="${0} = $i;",
        inside="return $n + 1;",
        seven="$n == 7",
        i="$i",
        n="$n",
        four="$i == 4",
        late="$i > 4",
        even="$i % 2 == 0",
        five="$i == 5",
        fails="intdiv(1, 0) == 1",
        unknown="$nosuch->four()",
        unknown_failure="null",
        error="intdiv(1, 0)",
        calls="$n > 4",
    ),
    "perl": Counting(
        file="counting.pl",
        needs=("perl",),
        says="${0} = $i;",
        inside="my ($n) = @_;",
        seven="$_[0] == 7",
        i="$i",
        n="$_[0]",
        four="$i == 4",
        late="$i > 4",
        even="$i % 2 == 0",
        five="$i == 5",
        fails="1 / ($i - $i) == 1",
        unknown="$nosuch > 4",
        error="$nosuch",
        calls="$_[0] > 4",
    ),
    "lua": Counting(
        file="counting.lua", needs=("lua",), fails="i + {} == 4", failure="table", unknown_failure="nil", error="i + {}"
    ),
    "bash": Counting(
        file="counting.sh",
        needs=("bash-dap",),
        says="{0}=$i",
        inside="last=$((n + 1))",
        seven="(( i == 7 ))",
        i="$i",
        n="$i",
        four="[[ $i == 4 ]]",
        late="(( i > 4 ))",
        even="(( i % 2 == 0 ))",
        five="[[ $i == 5 ]]",
        fails="(( 1 / (i - i) ))",
        failure="division by 0",
        unknown="nosuch -gt 4",
        error="$((1 / (i - i)))",
        calls="(( i > 4 ))",
    ),
}
STOPS = {
    "third": [3],
    "since": [3, 4, 5, 6, 7, 8, 9, 10],
    "every": [3, 6, 9],
    "chosen": [4],
    "both": [6],
    "shared": [5],
    "visit": [6, 8, 10],
}
"""What `i` is at each stop of a line; the function is called with it."""
HITS = {name: len(stops) for name, stops in STOPS.items()} | {"failing": 0, "unknown": 0}
HITS |= {"told": 10, "even": 5, "twice": 10, "fourth": 2, "broken": 10}


@pytest.fixture(params=COUNTINGS)
def counting(request):
    """A language's way to write it."""
    made = COUNTINGS[request.param]
    toolchains.needs(*made.needs)
    return made


def wanted(told: Counting, file: str) -> dict[str, dict[str, str]]:
    """What is set, by a name of its own; of two messages for one line the later stays."""

    def at(name: str, **more: str) -> dict[str, str]:
        return {"file": file, "statement": told.says.format(name), **more}

    i = "{" + told.i + "}"
    return {
        "third": at("third", hitCondition="3"),
        "since": at("since", hitCondition=">=3"),
        "every": at("every", hitCondition="%3"),
        "chosen": at("chosen", condition=told.four),
        "failing": at("failing", condition=told.fails),
        "unknown": at("unknown", condition=told.unknown),
        "both": at("both", condition=told.late, hitCondition="2"),
        "told": at("told", logMessage=f"told {i} {{{{x}}}}"),
        "even": at("shared", condition=told.even, logMessage=f"even {i}"),
        "shared": at("shared", condition=told.five),
        "twice": at("twice", logMessage=f"twice {i}"),
        "fourth": at("fourth", logMessage=f"fourth {i}", hitCondition="%4"),
        "broken": at("broken", logMessage="broken {" + told.error + "} " + i),
        "visit": {"function": "visit", "condition": told.calls, "hitCondition": "%2"},
    }


async def test_hit_counts_conditions_and_messages_mean_the_same_in_every_language(counting, tmp_path):
    file = str(shutil.copy(places.FIXTURES / "counting" / counting.file, tmp_path))
    async with driver() as d:
        session = await d.ok("create_debug_session", **_language(file))
        ids: dict[str, str] = {}
        for name, asked in wanted(counting, file).items():
            if name == "twice":
                await d.ok("set_breakpoint", **{**asked, "logMessage": "once"})
            ids[name] = (await d.ok("set_breakpoint", **asked))["breakpointId"]
        assert len(set(ids.values())) == len(ids)
        more = {"debugger": counting.debugger} if counting.debugger else {}
        stop = await d.ok("start_debugging", sessionId=session["sessionId"], scriptPath=file, wait=45, **more)
        seen, warnings = [], []
        while stop["state"] == "paused":
            warnings.append(stop.get("warning", ""))
            seen.append(await _stood(d, counting, stop, ids))
            assert len(seen) <= 20, seen
            stop = await d.ok("continue_execution", wait=45)
        assert stop["state"] == "stopped" and stop["exitCode"] == 0, stop
        order = list(wanted(counting, file))
        due = sorted(
            ((i, name) for name, stops in STOPS.items() for i in stops), key=lambda s: (s[0], order.index(s[1]))
        )
        assert seen == due
        _check_logs(await d.printed("log"))
        rows = await d.ok("list_breakpoints")
        listed = {row["breakpointId"]: row for row in rows["breakpoints"] + rows["functionBreakpoints"]}
        assert {name: listed[one]["hits"] for name, one in ids.items()} == HITS
        _check_failures(counting, ids, listed, warnings, stop)


async def test_counts_go_on_where_other_breakpoints_come_and_go_and_places_are_shared(counting, tmp_path):
    file = str(shutil.copy(places.FIXTURES / "counting" / counting.file, tmp_path))
    asked = wanted(counting, file)
    plain = {"file": file, "statement": counting.says.format("third")}
    asked = {
        "third": plain,
        "chosen": asked["chosen"],
        "fifth": {"file": file, "statement": counting.says.format("since"), "hitCondition": "5"},
        "visit": asked["visit"],
        "inside": {"file": file, "statement": counting.inside, "condition": counting.seven},
    }
    async with driver() as d:
        session = await d.ok("create_debug_session", **_language(file))
        ids = {name: (await d.ok("set_breakpoint", **one))["breakpointId"] for name, one in asked.items()}
        more = {"debugger": counting.debugger} if counting.debugger else {}
        await d.ok("start_debugging", sessionId=session["sessionId"], scriptPath=file, wait=45, **more)
        await d.ok("continue_execution", wait=45)
        assert await d.value(counting.i) == "2"
        await d.ok("remove_breakpoint", breakpointId=ids["third"])
        await d.ok("set_breakpoint", file=file, statement=counting.says.format("told"), logMessage="told")
        until = {"file": file, "statement": counting.says.format("chosen")}
        stop = await d.ok("continue_execution", wait=45, until=until)
        assert stop["lastStop"]["reason"] == "goto" and await d.value(counting.i) == "2", stop
        seen = []
        stop = await d.ok("continue_execution", wait=45)
        while stop["state"] == "paused":
            hit = [name for name, one in ids.items() if one in stop["lastStop"]["hitBreakpointIds"]]
            seen.append((hit, await d.value(counting.n if hit[0] in ("visit", "inside") else counting.i)))
            stop = await d.ok("continue_execution", wait=45)
        due = [("chosen", "4"), ("fifth", "5"), ("visit", "6"), ("inside", "7"), ("visit", "8"), ("visit", "10")]
        assert seen == [([name], value) for name, value in due]
        rows = await d.ok("list_breakpoints")
        hits = {row["breakpointId"]: row["hits"] for row in rows["breakpoints"] + rows["functionBreakpoints"]}
        assert [hits[ids[name]] for name in ("chosen", "fifth", "visit", "inside")] == [1, 1, 3, 1]
        assert sorted(hits.values()) == [1, 1, 1, 3, 9], hits
        assert "unhitBreakpoints" not in stop, stop


def _language(file: str) -> dict[str, str]:
    by = {"py": "python", "js": "javascript", "ts": "typescript", "java": "java", "kt": "kotlin", "go": "go", "c": "c"}
    by |= {"cpp": "cpp", "rs": "rust", "rb": "ruby", "php": "php", "pl": "perl", "lua": "lua", "sh": "bash"}
    return {"language": by[Path(file).suffix[1:]]}


async def _stood(d, told: Counting, stop, ids: dict[str, str]) -> tuple[int, str]:
    """What `i` is at a stop, and which breakpoint alone it is of."""
    assert stop["lastStop"]["reason"] in ("breakpoint", "function breakpoint"), stop
    hit = stop["lastStop"]["hitBreakpointIds"]
    assert len(hit) == 1, stop
    name = next(name for name, one in ids.items() if one == hit[0])
    if name != "visit":
        assert stop["content"].strip() == told.says.format(name), stop
    return int(await d.value(told.n if name == "visit" else told.i)), name


def _check_logs(text: str) -> None:
    lines = text.splitlines()
    tens = range(1, 11)
    assert [line for line in lines if line.startswith("told")] == [f"told {i} {{x}}" for i in tens], text
    assert [line for line in lines if line.startswith("even")] == [f"even {i}" for i in tens if i % 2 == 0]
    assert [line for line in lines if line.startswith("twice")] == [f"twice {i}" for i in tens]
    assert [line for line in lines if line.startswith("fourth")] == ["fourth 4", "fourth 8"]
    broken = [line for line in lines if line.startswith("broken")]
    assert all(re.fullmatch(r"broken \{.{7,}\} \d+", line) for line in broken), text
    assert [line.rpartition(" ")[2] for line in broken] == [str(i) for i in tens]
    assert "dapwright" not in text.lower(), text
    assert len(lines) == 37, text


def _check_failures(told: Counting, ids, listed, warnings, end) -> None:
    """Those that failed are told in the next answer and on the breakpoint, and at the end: once, and why."""
    unhit = {row["breakpointId"]: row["reason"] for row in end["unhitBreakpoints"]}
    assert set(unhit) == {ids["failing"], ids["unknown"]}, unhit
    for name, word in (("failing", told.failure), ("unknown", told.unknown_failure)):
        row = listed[ids[name]]
        assert word in row["message"] and "fail" in row["message"], row
        assert word in unhit[ids[name]], unhit
        of = [warning for warning in warnings if ids[name] in warning]
        assert of == warnings[:1] and word in of[0], warnings
        assert "Dapwright.pm" not in of[0] and "/inject/" not in of[0], of
