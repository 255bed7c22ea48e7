"""Breakpoints wanted, and what each connection made of them."""

from hypothesis import given
from hypothesis import strategies as st

from dapwright.core.bodies import Breakpoint
from dapwright.core.ledger import Keeps, Ledger, Record

KEEP = Keeps(hit_condition=lambda condition: condition)
lines = st.integers(1, 6)


def _record(line, log="", file="/a"):
    return Record("", "line", file=file, line=line, log_message=log)


@given(st.lists(st.tuples(st.sampled_from(["add", "log", "remove"]), lines), max_size=40))
def test_what_is_sent_is_what_is_wanted(steps):
    ledger, wanted = Ledger(), {}
    for act, line in steps:
        if act == "remove":
            ledger.remove([record for record in ledger if record.line == line])
            wanted = {key: value for key, value in wanted.items() if key[0] != line}
        else:
            kept = ledger.add(_record(line, "x" if act == "log" else ""))
            assert wanted.setdefault((line, act == "log"), kept.id) == kept.id, "the same place is the same record"
    assert {record.id for record in ledger} == set(wanted.values())
    sent = [entry["line"] for entry in ledger.wire(1, "/a", KEEP)]
    assert set(sent) == {line for line, _ in wanted}


@given(st.lists(lines, min_size=1, max_size=6, unique=True), st.lists(st.booleans(), min_size=6, max_size=6))
def test_answers_come_back_to_their_records(chosen, verdicts):
    ledger = Ledger()
    records = [ledger.add(_record(line)) for line in chosen]
    sent = ledger.wire(1, "/a", KEEP)
    ledger.settle(
        1, "/a", [Breakpoint(id=100 + n, verified=verdicts[n], line=one["line"]) for n, one in enumerate(sent)]
    )
    by_line = {one["line"]: verdicts[n] for n, one in enumerate(sent)}
    assert [record.verified for record in records] == [by_line[record.line] for record in records]
    for n, one in enumerate(sent):
        (hit,) = ledger.hit(1, [100 + n])
        assert hit.line == one["line"]
    assert ledger.hit(2, [100]) == [], "ids of another connection mean others"


@given(st.integers(0, 3), st.integers(0, 5))
def test_an_answer_of_another_length_breaks_nothing(told, wanted):
    ledger = Ledger()
    for line in range(1, wanted + 1):
        ledger.add(_record(line))
    ledger.wire(1, "/a", KEEP)
    ledger.settle(1, "/a", [Breakpoint(id=n, verified=True) for n in range(told)])
    assert sum(record.verified for record in ledger) <= wanted


def test_a_hit_outlives_a_verdict_that_is_taken_back():
    ledger = Ledger()
    record = ledger.add(_record(3))
    ledger.wire(1, "/a", KEEP)
    ledger.settle(1, "/a", [Breakpoint(id=5, verified=True, line=3)])
    ledger.merge(1, "changed", Breakpoint(id=5, verified=False))
    assert not record.verified
    record.hits = 1
    assert record.verified


def test_a_connection_that_went_takes_its_verdicts_along():
    ledger = Ledger()
    record = ledger.add(_record(3))
    for connection in (1, 2):
        ledger.wire(connection, "/a", KEEP)
        ledger.settle(connection, "/a", [Breakpoint(id=5, verified=True, line=3)])
    ledger.forget_connection(1)
    assert record.verified and list(record.said) == [2]


def test_breakpoints_of_one_line_are_sent_once_and_plain_where_the_engine_would_mix_them_up():
    ledger = Ledger()
    stop, log = _record(3), _record(3, "x")
    stop.condition, log.hit_condition = "n > 1", "2"
    stop, log = ledger.add(stop), ledger.add(log)
    assert ledger.wire(1, "/a", KEEP) == [{"line": 3}]
    assert not ledger.kept(stop, KEEP).conditions and ledger.kept(log, KEEP).hit_condition is None
    ledger.settle(1, "/a", [Breakpoint(id=5, verified=True)])
    assert ledger.hit(1, [5]) == [stop, log]
    ledger.merge(1, "changed", Breakpoint(id=5, verified=False))
    assert not stop.verified and not log.verified


def test_an_engine_of_one_meaning_is_sent_each_breakpoint_as_it_is():
    ledger = Ledger()
    stop = _record(3)
    stop.condition = "n > 1"
    ledger.add(stop)
    ledger.add(_record(3, "x"))
    keep = Keeps(one_meaning=True)
    assert ledger.wire(1, "/a", keep) == [{"line": 3, "condition": "n > 1"}, {"line": 3, "logMessage": "x"}]


def test_a_count_that_an_engine_kept_is_told_to_begin_anew_once_its_line_is_shared_and_is_ours_from_then_on():
    ledger = Ledger()
    counted = _record(3)
    counted.hit_condition = "5"
    counted = ledger.add(counted)
    assert ledger.wire(1, "/a", KEEP) == [{"line": 3, "hitCondition": "5"}]
    log = ledger.add(_record(3, "x"))
    assert ledger.wire(1, "/a", KEEP) == [{"line": 3}]
    assert list(ledger.recounted) == [counted.id] and "counted anew" in ledger.recounted[counted.id]
    ledger.remove([log])
    assert ledger.wire(1, "/a", KEEP) == [{"line": 3}], "the engine would count from nothing again"
    ledger.begin_launch()
    assert ledger.wire(1, "/a", KEEP) == [{"line": 3, "hitCondition": "5"}] and not ledger.recounted


def test_a_count_over_several_places_is_never_the_engines():
    ledger = Ledger()
    function = Record("", "function", function="f", places=(("/a", 3), ("/a", 9)), hit_condition="2")
    ledger.add(function)
    assert ledger.wire(1, "/a", Keeps(one_meaning=True, hit_condition=str)) == [{"line": 3}, {"line": 9}]


def test_a_function_in_several_places_is_known_by_each_of_its_ids_and_lines():
    ledger = Ledger()
    record = ledger.add(Record("", "function", function="area", places=(("/a", 7), ("/a", 18))))
    ledger.wire(1, "/a", KEEP)
    answers = [Breakpoint(id=3, verified=True, line=7), Breakpoint(id=4, verified=True, line=19)]
    assert ledger.settle(1, "/a", answers) == [(record, 18, 19)]
    assert ledger.hit(1, [3]) == ledger.hit(1, [4]) == [record]
    assert ledger.at("/a", 7) == ledger.at("/a", 19) == [record]
    ledger.moves.clear()
    ledger.merge(1, "changed", Breakpoint(id=4, verified=True, line=19))
    assert not ledger.moves


def test_a_name_that_is_nowhere_is_not_verified_whatever_the_engine_says():
    ledger = Ledger()
    record = ledger.add(Record("", "function", function="aera", lost=True))
    ledger.settle_records(1, [record], [Breakpoint(id=1, verified=True)])
    assert not record.verified
    record.hits = 1
    assert record.verified
