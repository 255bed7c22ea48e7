"""Who waits for whom."""

from dapwright.core.waits import Seen, cycles, grouped, holder, verdict, waiting_for


def thread(ident, name, wait=None, held=()):
    row = {
        "ident": ident,
        "name": name,
        "file": "a.py",
        "line": ident,
        "held": {str(one): {"lock": f"l{one}"} for one in held},
    }
    return {**row, "wait": wait} if wait else row


def lock(number):
    return {"kind": "lock", "for": f"l{number}", "id": number, "file": "a.py", "line": 9}


def test_two_threads_that_hold_what_the_other_wants_are_one_cycle():
    rows = [thread(1, "one", lock(20), held=[10]), thread(2, "two", lock(10), held=[20])]
    (told,) = cycles(rows)
    assert "one waits at a.py:9 for lock `l20`, held by two as `l20`" in told


def test_a_thread_that_waits_for_a_cycle_is_not_in_it():
    rows = [
        thread(3, "main", {"kind": "thread", "for": "<one>", "id": 5, "thread": 1}),
        thread(1, "one", lock(20), held=[10]),
        thread(2, "two", lock(10), held=[20]),
    ]
    (told,) = cycles(rows)
    assert "main" not in told and waiting_for(rows[0], rows) == "thread <one>, which is one"


def test_a_lock_that_its_holder_wants_again_is_a_cycle_of_one():
    assert "which it holds itself" in cycles([thread(1, "one", lock(10), held=[10])])[0]


def test_an_owner_that_the_lock_names_is_believed():
    rows = [thread(1, "one", {**lock(10), "owner": 2}), thread(2, "two")]
    assert holder(rows[0], rows) is rows[1] and cycles(rows) == []


def test_who_waits_for_nobody_known_makes_no_cycle():
    row = thread(1, "one", {"kind": "sleep", "for": "time.sleep(9)", "id": None})
    assert cycles([row]) == [] and waiting_for(row, [row]) == "sleep time.sleep(9)"


def test_the_verdict_names_a_cycle_before_what_is_busy_and_what_is_busy_before_what_runs():
    circle = [thread(1, "one", lock(20), held=[10]), thread(2, "two", lock(10), held=[20])]
    busy = {**thread(3, "three"), "busy": 0.5}
    ran = {**thread(4, "four"), "state": "running", "ran": 3}
    runs = {**thread(5, "five"), "state": "running"}
    assert verdict(Seen([busy, *circle])).startswith("deadlock: ")
    told = verdict(Seen([runs, busy, ran]))
    assert told == (
        "busy, not waiting: three at ? a.py:3 (it used 50% of a processor), "
        "four at ? a.py:4 (it ran code at each of 3 looks)"
    )
    assert verdict(Seen([runs], paused=True)).endswith("these ran when it was: five at ? a.py:5")
    assert verdict(Seen([runs])) == "no cycle was found, and nothing is busy: it waits for what is listed"


def test_a_verdict_names_a_few_and_counts_the_rest():
    rows = [{**thread(number, f"t{number}"), "busy": 1.0} for number in range(9)]
    assert verdict(Seen(rows)).endswith("t4 at ? a.py:4 (it used 100% of a processor) and 4 more")


def test_where_all_wait_for_another_none_is_left_to_wake_one():
    waits = [thread(1, "one", {"kind": "channel", "for": "c", "id": None})]
    sleeps = thread(2, "two", {"kind": "sleep", "for": "s", "id": None})
    moves = frozenset({"sleep"})
    assert verdict(Seen(waits, moves=moves)).startswith("deadlock: the program's only thread waits")
    for unknown in (Seen(waits), Seen([*waits, sleeps], moves=moves), Seen(waits, moves=moves, unseen=3)):
        assert verdict(unknown) == "no cycle was found, and nothing is busy: it waits for what is listed"


def test_those_that_stand_alike_are_one_row():
    alike = [{**thread(0, f"goroutine {number}"), "ident": number} for number in range(7)]
    first, second = grouped([*alike, {**thread(9, "goroutine 9"), "busy": True}], "goroutine")
    assert first["name"] == "goroutine 9" and second["name"] == "7 goroutines: 0, 1, 2, 3, 4, ..."
