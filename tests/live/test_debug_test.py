"""debug_test as a client drives it: from any form of a test's name to its failing frame, or the reason why not."""

import sys
from pathlib import Path

import places
import pytest

from live.served import Served, values

pytestmark = [pytest.mark.live, pytest.mark.timeout(120)]

SHOP = """\
import asyncio
import unittest

import pytest


class Cart:
    def __init__(self):
        self.items = []

    def add(self, name, price):
        self.items.append((name, price))

    def total(self):
        return sum(price for _, price in self.items)


@pytest.fixture
def broken():
    shelf = {}
    return shelf["missing"]


@pytest.fixture
def late():
    yield 3
    raise RuntimeError("teardown went wrong")


def test_total():
    cart = Cart()
    cart.add("tea", 3)
    assert cart.total() == 4


def test_good():
    with pytest.raises(ValueError):
        int("x")


@pytest.mark.parametrize("count", [1, 3])
def test_count(count):
    assert count < 3, "too many"


def test_setup(broken):
    assert broken


def test_teardown(late):
    assert late == 3


def test_async():
    async def inner():
        left = [1, 2]
        assert left == [1, 3]

    asyncio.run(inner())


@pytest.mark.skip(reason="not today")
def test_skipped():
    pass


@pytest.mark.xfail(reason="known")
def test_expected():
    assert 0


def wrap():
    try:
        int("x")
    except ValueError as error:
        raise KeyError("wrapped") from error


def test_chain():
    wrap()


class Case(unittest.TestCase):
    def test_equal(self):
        total = 3
        self.assertEqual(total, 4)
"""
UNIT = """\
import unittest


class Case(unittest.TestCase):
    def setUp(self):
        self.wanted = 4

    def test_equal(self):
        total = 3
        self.assertEqual(total, self.wanted)

    def test_fine(self):
        pass
"""


@pytest.fixture
def shop(tmp_path):
    path = tmp_path / "test_shop.py"
    path.write_text(SHOP)
    return path


def line_of(path, text):
    return next(n for n, line in enumerate(Path(path).read_text().splitlines(), 1) if text in line)


def debug(served, test, **more):
    return served.ok("debug_test", test=str(test), executablePath=sys.executable, **more)


def test_an_assertion_that_pytest_caught_is_stood_at_with_both_operands(served, shop):
    stop = debug(served, f"{shop}::test_total")
    assert stop["state"] == "paused" and stop["location"]["line"] == line_of(shop, "assert cart.total() == 4")
    assert stop["failure"]["comparison"] == {"op": "==", "left": "3", "right": "4"}
    assert stop["failure"]["userFrames"][0]["function"] == "test_total"
    assert stop["rerun"][1:] == ["-m", "pytest", "test_shop.py::test_total"]
    assert served.ok("evaluate_expression", sessionId=stop["sessionId"], expression="cart.items")["result"] == (
        "[('tea', 3)]"
    )
    end = served.go(stop)
    assert end["state"] == "stopped" and end["exitCode"] == 1


def test_a_failing_test_can_be_restarted_to_the_same_stop(served, shop):
    first = debug(served, f"{shop}::test_total")
    again = served.settled(served.ok("restart_debugging", sessionId=first["sessionId"], wait=40))
    assert again["state"] == "paused" and again["location"] == first["location"]
    assert again["failure"]["comparison"] == first["failure"]["comparison"]


def test_a_value_whose_repr_is_the_programs_own_does_not_cost_the_stop(served, tmp_path):
    (tmp_path / "test_box.py").write_text(
        "class Box:\n    def __repr__(self):\n        return '<Box %d>' % sum([1, 2])\n\n\n"
        "def test_box():\n    box = Box()\n    assert box == 2\n"
    )
    stop = served.call("debug_test", test=str(tmp_path / "test_box.py"), cwd=str(tmp_path))
    assert stop["state"] == "paused"
    assert values(stop)["box"] == "<Box 3>"
    assert served.call("evaluate_expression", sessionId=stop["sessionId"], expression="repr(box)")["result"] == (
        "'<Box 3>'"
    )


def test_a_passing_test_answers_the_verdict_and_the_exit_code(served, shop):
    end = debug(served, f"{shop}::test_good")
    assert end["state"] == "stopped" and end["exitCode"] == 0 and end["testPassed"] is True
    assert end["tests"] == {"passed": 1}


@pytest.mark.parametrize(
    "name",
    [
        "FAILED {0}::test_count[3] - AssertionError: too many",
        "{0}::test_count[3]",
        "python -m pytest -q {0} -k 'count'",
        "{0}:{1}",
    ],
)
def test_a_test_is_understood_in_any_form_that_a_runner_prints(served, shop, name):
    stop = debug(served, name.format(shop, line_of(shop, "assert count < 3")))
    assert stop["state"] == "paused" and values(stop)["count"] == "3"
    assert stop["failure"]["test"] == "test_shop.py::test_count[3]"


def test_the_first_failing_test_of_a_file_is_stood_at(served, shop):
    assert debug(served, shop)["failure"]["test"] == "test_shop.py::test_total"


def test_a_fixture_that_fails_is_told_as_setup_or_teardown(served, shop):
    setup = debug(served, f"{shop}::test_setup")
    assert setup["failure"]["phase"] == "setup" and values(setup) == {"shelf": "{}"}
    teardown = debug(served, f"{shop}::test_teardown")
    assert teardown["failure"]["phase"] == "teardown" and teardown["location"]["function"] == "late"


def test_an_asynchronous_failure_is_stood_at_in_its_coroutine(served, shop):
    stop = debug(served, f"{shop}::test_async")
    assert stop["location"]["function"].endswith("inner") and values(stop)["left"] == "[1, 2]"


def test_skips_and_expected_failures_are_told_as_such(served, shop):
    skipped = debug(served, f"{shop}::test_skipped")
    assert skipped["tests"] == {"skipped": 1} and "not today" in skipped["message"]
    expected = debug(served, f"{shop}::test_expected")
    assert expected["state"] == "stopped" and expected["tests"] == {"xfailed": 1}


def test_the_chain_of_an_exception_is_told_with_its_first_cause(served, shop):
    failure = debug(served, f"{shop}::test_chain")["failure"]
    assert failure["type"] == "KeyError"
    assert failure["exceptionChain"][0]["type"] == "ValueError"
    assert [frame["function"] for frame in failure["userFrames"]] == ["wrap", "test_chain"]


def test_a_file_that_cannot_be_imported_answers_with_the_reason(served, tmp_path):
    path = tmp_path / "test_import.py"
    path.write_text("import nosuchmodule\n\n\ndef test_a():\n    pass\n")
    end = debug(served, path)
    assert end["state"] == "stopped" and end["testPassed"] is False
    assert "No module named 'nosuchmodule'" in end["message"]


def test_unittest_is_debugged_by_its_own_words(served, tmp_path):
    (tmp_path / "test_unit.py").write_text(UNIT)
    stop = debug(served, "FAIL: test_equal (test_unit.Case)", cwd=str(tmp_path))
    assert stop["location"]["function"].endswith("test_equal") and values(stop)["total"] == "3"
    assert stop["failure"]["comparison"]["left"] == "3" and stop["failure"]["comparison"]["right"] == "4"
    assert stop["rerun"][1:] == ["-m", "unittest", "test_unit.Case.test_equal"]
    fine = debug(served, "test_unit.Case.test_fine", runner="unittest", cwd=str(tmp_path))
    assert fine["state"] == "stopped" and fine["exitCode"] == 0 and fine["testPassed"] is True


def test_a_unittest_case_under_pytest_tells_its_operands(served, shop):
    stop = debug(served, f"{shop}::Case::test_equal")
    assert stop["failure"]["comparison"]["left"] == "3" and values(stop)["total"] == "3"


def test_xdist_is_switched_off_and_that_is_told(served, shop):
    stop = debug(served, f"{shop}::test_total", args=["-n", "2"])
    assert stop["state"] == "paused" and "xdist was switched off" in stop["note"]


def test_case_c21_stops_at_the_assertion(served, tmp_path):
    folder = places.copy(places.CASES / "C21", tmp_path / "C21")
    stop = debug(served, folder / "test_sum.py")
    assert stop["location"]["line"] == line_of(folder / "test_sum.py", "assert add(left, right)")
    shown = values(stop)
    assert (shown["left"], shown["right"]) == ("2", "3")


def test_a_breakpoint_in_the_test_is_stood_at_first(served, shop):
    stop = debug(served, f"{shop}::test_total", breakpoints=[{"file": str(shop), "statement": 'cart.add("tea", 3)'}])
    assert stop["lastStop"]["reason"] == "breakpoint" and values(stop)["cart"]
    failed = served.go(stop)
    assert failed["lastStop"]["reason"] == "exception"
    assert failed["failure"]["comparison"] == {"op": "==", "left": "3", "right": "4"}
    assert served.text.startswith("failed: test_shop.py::test_total\n")
    end = served.go(failed)
    assert end["testPassed"] is False and end["tests"] == {"failed": 1} and "failure" not in end


def test_a_test_that_is_not_there_is_said_to_be_missing(served, shop):
    end = debug(served, f"{shop}::nosuch")
    assert end["state"] == "stopped" and end["exitCode"] == 4 and "no test ran" in end["message"]


def test_an_empty_name_is_refused(tmp_path):
    server = Served(tmp_path)
    try:
        refused = server.call("debug_test", test=" ")
        assert refused["success"] is False and "names nothing" in refused["error"]
    finally:
        server.close()
