"""Budgets, golden texts, and what holds for any answer."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from dapwright.core import render
from dapwright.core.model import Safe

LINES = [f"line {n}" for n in range(1, 21)]
PAUSED = {
    "success": True,
    "sessionId": "s-1",
    "state": "paused",
    "lastStop": {"reason": "breakpoint", "threadId": 1, "hitBreakpointIds": ["b1"]},
    "stopReason": "breakpoint",
    "location": {"file": "/x/orders.py", "line": 10, "function": "total"},
    "source": render.source_window(LINES, 10),
    "locals": [
        {"name": "price", "value": "3", "type": "int", "changed": True},
        {"name": "rows", "value": "[1, 2]", "type": "list", "variablesReference": 7},
    ],
    "stack": [{"id": 2, "name": "<module>", "file": "/x/orders.py", "line": 40}],
    "output": "started\nstderr: careful\n",
    "warning": ["b2 moved to 12"],
}
PAUSED_TEXT = """\
paused: breakpoint b1 in total at /x/orders.py:10
session s-1, paused, thread 1
   8 | line 8
   9 | line 9
> 10 | line 10
  11 | line 11
  12 | line 12
locals:
  price: int = 3 (changed)
  rows: list = [1, 2] [ref 7]
callers:
  <module> at /x/orders.py:40 (frame 2)
output since the last answer:
  started
  stderr: careful
warning: b2 moved to 12
next: evaluate_expression or get_variables to look closer, step_over or continue_execution to go on"""


def big(values=80, length=500):
    rows = [{"name": f"v{n}", "value": f"{n}" * length, "type": "str"} for n in range(values)]
    return PAUSED | {"locals": rows, "output": "out\n" * 2000, "stack": PAUSED["stack"] * 3}


def test_a_stop_reads_like_this():
    assert render.stop_text(PAUSED) == PAUSED_TEXT


def test_an_end_reads_like_this():
    answer = {
        "sessionId": "s-1",
        "state": "stopped",
        "exitCode": 0,
        "output": "bye\n",
        "unhitBreakpoints": [{"breakpointId": "b1", "file": "a.py", "line": 3, "reason": "never reached"}],
    }
    assert render.stop_text(answer) == (
        "ended: exit code 0\nsession s-1, stopped\noutput since the last answer:\n  bye\n"
        "not hit: breakpointId b1, file a.py, line 3, reason never reached\n"
        "next: restart_debugging runs it again with the same breakpoints"
    )
    assert render.stop_text({"sessionId": "s", "state": "stopped"}).startswith("ended: exit code unknown\n")
    assert "killed by SIGABRT" in render.stop_text({"sessionId": "s", "state": "stopped", "signal": "SIGABRT"})


def test_an_exception_is_told_with_its_words():
    stop = {
        "reason": "exception",
        "threadId": 1,
        "exceptionInfo": {"exceptionId": "ValueError", "description": "bad 3"},
    }
    assert "exception: ValueError: bad 3" in render.stop_text(PAUSED | {"lastStop": stop})


def test_a_running_answer_says_what_to_call():
    text = render.stop_text({"sessionId": "s-1", "state": "running", "pending": True, "message": "armed: b1"})
    assert text == "running: nothing stopped it yet\nsession s-1, running\nnext: armed: b1"


def test_a_window_shows_neighbours_numbered_and_one_marked():
    assert (
        render.source_window(LINES, 10)
        == "   8 | line 8\n   9 | line 9\n> 10 | line 10\n  11 | line 11\n  12 | line 12"
    )
    assert render.source_window(["only"], 1) == "> 1 | only"
    assert render.source_window([], 1) == ""
    assert "hunter2" not in render.source_window(["password = 'hunter2'"], 1)
    assert len(render.source_window(["x" * 10_000], 1)) < 300


def test_clipping_says_how_much_is_gone():
    text = "abcdefghij" * 20
    short = render.clip(text, 50)
    head, gone, tail = short.split("…")[0], short.split("[")[1].split(" ")[0], short.rsplit("…", 1)[1]
    assert len(short) <= 50 and len(head) + len(tail) + int(gone) == len(text)
    assert text.startswith(head) and text.endswith(tail)
    assert render.clip(text, 50, at_end=True).endswith("cut]…")
    assert render.clip("short", 50) == "short"


def test_clipping_splits_no_accent_and_no_mark():
    assert not render.clip("e\u0301" * 100, 41).split("…")[0].endswith("e")
    for limit in range(20, 120):
        shown = render.clip("a" * 40 + "<redacted:github-pat #3f2a>" + "b" * 60, limit)
        assert shown.count("<redacted:") == shown.count("<redacted:github-pat #3f2a>"), shown


def test_variables_are_cut_by_length_and_by_number():
    rows, cut = render.variables(
        [{"name": "a", "value": "x" * 2000}, *({"name": "b", "value": "1"} for _ in range(400))]
    )
    assert len(rows) == 300 and len(rows[0]["value"]) <= 1024
    assert cut["omittedCount"] == 101 and cut["valueTruncatedCount"] == 1 and "101" in cut["notice"]
    assert render.variables([{"name": "a", "value": "x"}]) == ([{"name": "a", "value": "x"}], None)


def test_fitting_leaves_a_small_answer_alone():
    assert render.fit(PAUSED) == PAUSED


def test_fitting_shortens_values_before_it_drops_any():
    fitted = render.fit(big(values=10, length=2000))
    assert len(fitted["locals"]) == 10 and fitted["truncation"]["valueTruncatedCount"] > 0
    assert fitted["truncation"]["omittedCount"] == 0 and len(fitted["stack"]) == 3


def test_fitting_counts_what_it_drops():
    answer = big()
    fitted = render.fit(answer)
    assert render.size(fitted) <= 5000
    assert len(fitted["locals"]) + fitted["truncation"]["omittedCount"] == 80
    assert "get_output" in fitted["truncation"]["notice"]
    assert len(answer["locals"]) == 80 and "truncation" not in answer, "the given answer is not changed"


def test_fitting_adds_to_an_earlier_cut():
    fitted = render.fit(big() | {"truncation": {"omittedCount": 7, "valueTruncatedCount": 0, "notice": "x"}})
    assert len(fitted["locals"]) + fitted["truncation"]["omittedCount"] == 87


def test_rows_alike_are_folded():
    rows = [{"n": n, "probe": 0, "line": 3, "values": {"total": str(n // 20)}} for n in range(1, 40)]
    rows.append({"n": 40, "probe": 1, "values": {"total": "x"}})
    assert render.table(rows, ["n", "probe", "total"]) == (
        "n   probe  total\n1   0      0\n"
        "  … 39 rows, 37 of them folded here: total first changes at n=20 (0 -> 1), 2 values\n"
        "39  0      1\n40  1      x"
    )
    assert render.table([], ["n"]) == "n"


def test_a_few_rows_that_all_differ_are_shown_and_many_are_folded():
    def written(count):
        rows = [{"n": n, "probe": 0, "line": 3, "values": {"day": str(n * n)}} for n in range(1, count + 1)]
        return render.table(rows, ["n", "probe", "day"]).splitlines()

    assert [line.split()[-1] for line in written(12)][1:] == [str(n * n) for n in range(1, 13)]
    assert len(written(13)) == 4 and "11 of them folded here" in written(13)[2]


def test_any_answer_reads_as_lines():
    answer = {
        "success": True,
        "sessions": [{"id": "s1", "state": "paused"}],
        "count": 0,
        "none": None,
        "source": "a\nb",
    }
    assert render.generic_text(answer) == (
        "success: yes\nsessions:\n  - id: s1, state: paused\ncount: 0\nsource:\n  a\n  b"
    )
    assert len(render.generic_text({"x": ["y" * 100] * 200})) <= 4000


TEXT = (
    st.text(max_size=60) | st.integers(1, 3000).map(lambda n: "é" * n) | st.integers(1, 3000).map(lambda n: '"\n' * n)
)
ROW = st.fixed_dictionaries({"name": TEXT, "value": TEXT}, optional={"type": TEXT, "variablesReference": st.integers()})
ANY = st.recursive(
    TEXT | st.integers() | st.booleans(), lambda c: st.lists(c, max_size=30) | st.dictionaries(TEXT, c), max_leaves=20
)
ANSWER = st.fixed_dictionaries(
    {"sessionId": st.just("s-1"), "state": st.sampled_from(["paused", "stopped", "running"])},
    optional={
        "location": st.fixed_dictionaries({"file": TEXT, "line": st.integers(1), "function": TEXT}),
        "lastStop": st.fixed_dictionaries({"reason": TEXT, "text": TEXT, "threadId": st.integers()}),
        "locals": st.lists(ROW, max_size=90),
        "stack": st.lists(
            st.fixed_dictionaries({"id": st.integers(), "name": TEXT, "file": TEXT, "line": st.integers()})
        ),
        "output": TEXT,
        "note": TEXT,
        "warning": st.lists(TEXT, max_size=40),
        "message": TEXT,
        "failure": st.fixed_dictionaries(
            {"message": TEXT, "userFrames": st.lists(st.fixed_dictionaries({"locals": st.lists(ROW)}))}
        ),
        "unhitBreakpoints": st.lists(st.dictionaries(TEXT, TEXT), max_size=30),
        "other": ANY,
    },
)


@settings(max_examples=60, deadline=None)
@given(ANSWER, st.integers(500, 6000))
def test_no_answer_exceeds_its_budget_or_loses_its_place(answer, limit):
    fitted = render.fit(answer, limit)
    assert render.size(fitted) <= limit
    json.loads(json.dumps(fitted))
    assert fitted["sessionId"] == "s-1" and fitted["state"] == answer["state"]
    for key in ("location", "lastStop"):
        assert (key in fitted) == (key in answer)
    if render.size(answer) > limit:
        assert fitted["truncation"]["notice"]
    else:
        assert fitted == answer


@settings(max_examples=40, deadline=None)
@given(ANSWER)
def test_no_text_exceeds_its_budget(answer):
    assert len(render.stop_text(answer)) <= 4000
    assert len(render.generic_text(answer)) <= 4000
    assert "s-1" in render.stop_text(answer)


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(1, 120), st.booleans())
def test_no_clip_exceeds_its_limit(text, limit, at_end):
    short = render.clip(Safe(text), limit, at_end=at_end)
    assert len(short) <= limit
    assert short == text or "…" in short


def test_a_window_of_source_is_the_same_when_it_is_shown_again_and_follows_the_text():
    lines = ["def f(x):", "    y = x + 1", "    return y"]
    first = render.source_window(lines, 2)
    assert render.source_window(list(lines), 2) == first
    assert render.source_window(lines, 3) != first
    assert "y = x + 2" in render.source_window([lines[0], "    y = x + 2", lines[2]], 2)


def test_a_secret_in_a_window_of_source_is_masked_each_time():
    lines = ["a = 1", 'password = "Gh7kPq29xLmZ4t"', "b = 2"]
    for _ in range(2):
        assert "Gh7kPq29xLmZ4t" not in render.source_window(lines, 2)
