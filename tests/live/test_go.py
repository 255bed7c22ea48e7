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


def test_a_failing_test_in_one_call(served, tmp_path):
    (tmp_path / "go.mod").write_text("module example.test/m\n\ngo 1.19\n")
    (tmp_path / "m_test.go").write_text(
        'package m\n\nimport "testing"\n\nfunc TestCases(t *testing.T) {\n'
        '\tfor name, n := range map[string]int{"a case": 4} {\n\t\tt.Run(name, func(t *testing.T) {\n'
        '\t\t\tif n != 5 {\n\t\t\t\tt.Errorf("got %d", n)\n\t\t\t}\n\t\t})\n\t}\n}\n'
    )
    asked = {"test": "TestCases/a case", "language": "go", "cwd": str(tmp_path), "wait": 44}
    stop = served.settled(served.ok("debug_test", **asked))
    assert stop["failure"]["message"].endswith("got 4") and values(stop)["n"] == "4"
    assert stop["location"]["line"] == line_of(tmp_path / "m_test.go", "t.Errorf")
    served.ok("clear_breakpoints", sessionId=stop["sessionId"])
    end = served.go(stop)
    assert end["state"] == "stopped" and end["exitCode"] == 1
