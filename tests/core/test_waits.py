"""Who waits for whom."""

from dapwright.core.waits import cycles, holder, waiting_for


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
