"""Recorded programs: from the launch on, backwards, and who wrote a value last."""

import pytest
from dap import line_of

from dapwright.adapters import _gdb
from dapwright.host import machine
from live.served import values

pytestmark = [
    pytest.mark.live,
    pytest.mark.needs("gcc"),
    pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="there is no gdb beside our interpreter"),
]
LOOK = 'printf("%d %d\\n", mine.balance, untouched); // look here'


@pytest.fixture
def ledger(program):
    return str(program("native") / "ledger.c")


def test_a_program_recorded_from_its_launch_tells_who_wrote_a_value_last(served, ledger):
    stop = served.run("c", {"file": ledger, "statement": LOOK}, scriptPath=ledger, record=True)
    told = served.ok("explain_value", expression="mine.balance")
    assert told["value"] == "84" and told["lastWrite"] == {
        "target": "mine.balance",
        "became": "84",
        "was": "105",
        "file": ledger,
        "line": line_of(ledger, "who->balance -= all;"),
        "function": "charge",
        "statement": "who->balance -= all; // the last write",
        "from": {"who->balance": "105", "all": "21"},
    }
    assert served.ok("explain_value", expression="untouched")["lastWrite"]["statement"] == "int untouched = 3;"
    assert served.ok("evaluate_expression", expression="mine.balance")["result"] == "84"  # it stands where it stood
    back = served.settled(served.ok("step_back"))
    assert back["location"]["line"] == line_of(ledger, "int untouched")
    back = served.settled(served.ok("step_back"))
    assert values(back)["mine"] == "{balance = 105}"
    assert served.ok("explain_value", expression="mine.balance")["lastWrite"]["statement"] == "mine.balance += 5;"
    assert served.go(back)["location"]["line"] == stop["location"]["line"]
    end = served.go(stop)
    assert end["exitCode"] == 0 and end["output"].endswith("84 3\n") and "the recording ended" in end["note"]


def test_a_write_before_the_recording_is_told_as_unknown(served, ledger):
    served.run("c", {"file": ledger, "statement": "int untouched = 3;"}, scriptPath=ledger)
    told = served.call("explain_value", expression="mine.balance")
    assert told["code"] == "not-supported" and "not recorded" in told["error"] and "record: true" in told["hint"]
    served.ok("record")
    served.settled(served.ok("step_over"))
    assert "older than the recording" in served.ok("explain_value", expression="mine.balance")["message"]
    assert "no place in memory" in served.call("explain_value", expression="mine.balance + 1")["error"]


@pytest.mark.needs("cargo")
def test_a_rust_value_is_explained_by_its_recording(served, tmp_path):
    source = tmp_path / "sums.rs"
    source.write_text(
        "fn main() {\n    let mut total = 1;\n    let step = 20;\n    total += step * 2;\n"
        "    let done = total > 3; // look here\n    std::process::exit(done as i32);\n}\n"
    )
    place = {"file": str(source), "statement": "let done = total > 3;"}
    served.run("rust", place, scriptPath=str(source), record=True)
    told = served.ok("explain_value", expression="total")
    assert told["lastWrite"]["statement"] == "total += step * 2;" and told["lastWrite"]["was"] == "1"
    assert told["lastWrite"]["from"]["step"] == "20"


def test_what_cannot_be_recorded_is_refused_by_name(served, ledger):
    session = served.ok("create_debug_session", language="c")["sessionId"]
    told = served.call("start_debugging", sessionId=session, scriptPath=ledger, record=True, debugger="lldb")
    assert told["success"] is False and "lldb records nothing" in told["error"] or "no lldb" in told["error"]
    told = served.call("start_debugging", scriptPath=__file__, record=True)
    assert "Python programs cannot be recorded" in told["error"]
