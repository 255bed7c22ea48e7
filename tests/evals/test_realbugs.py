"""The corpus of real bugs: its annotations hold together, and two of them are played for real."""

import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
sys.path[:0] = [str(HOME), str(HOME / "bench")]

from evals.realbugs import installing, playing, report  # noqa: E402
from evals.realbugs.corpus import functions, read  # noqa: E402

BUGS = read()
PLAYED = ("attrs_namedtuple", "werkzeug_partial")
"""One whose first answer holds the value, and one that needs the second call."""


def test_there_are_thirty_bugs_of_many_packages():
    assert len(BUGS) >= 30
    assert len({bug.package for bug in BUGS}) >= 20


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_is_annotated_whole(bug):
    assert bug.report.startswith("https://") and bug.version != bug.fixed
    assert all(getattr(bug, key) for key in ("package", "cause", "file", "function", "betrays", "fails"))
    assert all(one.count("==") == 1 for one in bug.requires), "every release is pinned"
    test = bug.test.read_text(encoding="utf-8")
    assert [name for name in functions(test) if name.startswith("test_")]
    assert bug.betrays not in test, "a value that stands in the test would be shown by its source"
    assert bug.then["tool"] in ("trace_calls", "investigate")
    assert set(bug.then) - {"tool"} == ({"focus"} if bug.then["tool"] == "trace_calls" else {"probes"})
    probes = bug.then.get("probes", [])
    assert all(set(probe) == {"statement", "capture"} for probe in probes)
    if bug.fails.startswith("test_"):
        assert bug.fails in functions(test)


def test_what_was_shown_is_judged_by_whole_words_and_by_what_ran():
    bug = next(one for one in BUGS if one.name == "boltons_addlist")
    played = playing.Played(bug, playing.Seen(bug.betrays))
    played.answers.append({"content": "omd.addlist('b', [])", "failure": {"userFrames": [{"function": "_remove_all"}]}})
    played.seen.read("k = 'b'; self = OMD([('a', 1)])")
    assert (played.frame, played.value, played.function) == (True, False, False)
    played.answers.append({"tree": "#1 OMD.addlist(k='b', v=[]) -> None"})
    played.seen.read("#1 OMD.addlist(k='b', v=[]) -> None")
    assert (played.frame, played.value, played.function) == (True, True, True)
    played.texts += ["nothing", "#1 OMD.addlist(k='b', v=[]) -> None"]
    assert "| yes | yes | yes | `` #1 OMD.addlist(k='b', v=[]) -> None `` |" in report.table([played])


@pytest.mark.live
@pytest.mark.timeout(240)
@pytest.mark.parametrize("name", PLAYED)
def test_a_bug_fails_where_it_should_and_the_tools_show_why(name, tmp_path, monkeypatch):
    bug = next(one for one in BUGS if one.name == name)
    monkeypatch.setattr(installing, "CACHE", tmp_path)
    try:
        folder, mended = installing.install(bug), installing.install(bug, fixed=True)
    except installing.Unreachable as no:
        pytest.skip(f"the registry cannot be reached: {str(no)[-200:]}")
    assert bug.function in functions((folder / bug.file).read_text(encoding="utf-8"))
    assert not installing.passes(bug, folder)[0] and installing.passes(bug, mended)[0]
    played = playing.play(bug, folder)
    assert not played.refused
    assert (played.frame, played.value, played.function) == (True, True, True)
    assert played.tools == ["debug_test"] + ([] if name == "attrs_namedtuple" else ["investigate"])
