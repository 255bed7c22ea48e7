"""Go with a real Delve, through the real server."""

import pytest
from dap import line_of

from live.served import values

pytestmark = [pytest.mark.live, pytest.mark.needs("go")]


@pytest.fixture(autouse=True)
def _fitting_delve(served):
    told = served.call("create_debug_session", language="go")
    if told["success"] is False:
        pytest.skip(told["error"])
    served.ok("close_debug_session", sessionId=told["sessionId"])


def test_what_does_not_compile_answers_with_the_compilers_words(served, case):
    session = served.ok("create_debug_session", language="go")["sessionId"]
    broken = str(case("C74") / "broken" / "main.go")
    told = served.call("start_debugging", sessionId=session, scriptPath=broken, wait=40)
    assert told["code"] == "build" and "main.go:6:18" in told["error"] and "undefined: missing" in told["error"]


def test_a_test_stops_where_it_is_asked_to(served, case):
    calc = case("C74") / "calc"
    place = {"file": str(calc / "calc.go"), "statement": "sum += x // BP"}
    launch = {"scriptPath": str(calc), "adapterLaunchConfig": {"mode": "test"}, "args": ["-test.run", "TestMean"]}
    stop = served.run("go", place, **launch)
    assert values(stop)["x"] == "2"
    stop = served.go(stop)
    assert values(stop)["x"] == "4"
    assert served.go(stop)["exitCode"] == 0


def test_a_panic_stops_in_the_users_frame(served, case):
    calc = case("C74") / "calc"
    stop = served.run("go", scriptPath=str(calc), adapterLaunchConfig={"mode": "test"})
    assert stop["stopReason"] == "exception" and "integer divide by zero" in str(stop["lastStop"])
    assert stop["location"]["file"] == str(calc / "calc.go")
    assert stop["location"]["line"] == line_of(calc / "calc.go", "return sum / len(xs)")
    assert served.go(stop)["exitCode"] == 2
