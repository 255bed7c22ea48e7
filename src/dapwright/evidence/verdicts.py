"""Tests of runners that hold no plugin of ours: what their stops, prints and exit codes say."""

import re
from typing import Any

from dapwright.core import redact, render
from dapwright.core.ledger import Record
from dapwright.core.model import Raw, TestCommand
from dapwright.evidence import testing
from dapwright.session import Session, looking, showing

PLACE = re.compile(r"[\w./\\-]+:\d+(:\d+)?:")
"""How runners begin a failure: `main_test.go:9: mean = 4`, `t.cpp:6: Failure`, `src/main.rs:21:25:`."""
RUST = re.compile(r"\bleft: (.*)\n\s*right: (.*)")
GTEST = re.compile(
    r"Expected equality of these values:\n\s*(.+)\n(?:\s*Which is: (.+)\n)?\s*(.+)(?:\n\s*Which is: (.+))?"
)
GTEST_ACTUAL = re.compile(r"Expected: .*, actual: (.+) vs (.+)")
CATCH = re.compile(r"with expansion:\n\s*(.+?) (?:==|!=|<=|>=|<|>) (.+)")
"""How each runner says what it compared."""
LINES = 12
LONGEST = 1_000


def is_plain(command: TestCommand) -> bool:
    """Whether nothing in the run reports to us."""
    return not any(testing.ENDPOINT in word for word in command.launch.args)


def arm(session: Session, command: TestCommand) -> None:
    """Stop where the runner is told of a failure: hidden breakpoints on the functions that tell it."""
    for name in command.functions:
        session.ledger.add(Record("", "function", function=name, hidden="failure"))


async def failure(session: Session) -> dict[str, Any] | None:
    """The failure that a session stands at: what was raised or printed, and the program's own frames."""
    stop = session.stop
    if stop is None or stop.reason != "exception":
        return None
    info = await looking.exception_info(stop)
    raised = (info.description or "") if info is not None else ""
    printed = _last_failure(session.transcript.unread(0)[0])
    message = printed if not raised or "SIGTRAP" in (stop.text or "") else raised
    shown = render.clip(redact.value("", Raw(message or raised or stop.text or "")), LONGEST)
    told: dict[str, Any] = {"message": shown}
    if compared := session.adapter.operands(raised):
        sides = [render.clip(redact.value("", Raw(side)), LONGEST) for side in compared]
        told["comparison"] = {"op": "expected, was", "left": sides[0], "right": sides[1]}
    elif (operands := comparison(message)) is not None:
        told["comparison"] = {side: str(redact.value("", Raw(text))) for side, text in operands.items()}
    return {**told, "userFrames": await showing.user_frames(session, stop, most=testing.USER_FRAMES)}


def comparison(message: str) -> dict[str, str] | None:
    """The two values that a failed assertion compared, where its runner says both; None else."""
    if found := RUST.search(message):
        return {"left": found[1].strip(), "right": found[2].strip()}
    if found := GTEST.search(message):
        return {"left": (found[2] or found[1]).strip(), "right": (found[4] or found[3]).strip()}
    found = GTEST_ACTUAL.search(message) or CATCH.search(message)
    return {"left": found[1].strip(), "right": found[2].strip()} if found else None


def _last_failure(output: str) -> str:
    """The last thing that the runner printed about a place in a file."""
    lines = [line for line in output.splitlines() if line.strip()]
    starts = [number for number, line in enumerate(lines) if PLACE.search(line)]
    return "\n".join(line.strip() for line in lines[starts[-1] :][:LINES]) if starts else ""


def ended(session: Session) -> dict[str, Any]:
    """The verdict of a run that is over: its exit code is all that is known."""
    code = session.exit_code
    if code is None:
        said = f"by {session.signal}" if session.signal else "without an exit code"
        return {"testPassed": False if session.signal else None, "message": f"the runner ended {said}"}
    if code == 0 and not _ran(session):
        return {"testPassed": None, "message": "no test ran: the file holds none of that name, or none at all"}
    return {"testPassed": code == 0, "message": f"the runner ended with exit code {code}"}


def _ran(session: Session) -> bool:
    """Whether the runner says that a test ran; taken for granted where it never tells."""
    pattern = session.test_command.count if session.test_command else ""
    if not pattern:
        return True
    printed = "".join(session.transcript.unread(0)[0])
    return any(int(number) for number in re.findall(pattern, printed, re.M))


async def answer(session: Session) -> dict[str, Any]:
    """What is known of such a run now: its failure, or its verdict."""
    if session.state == "paused" and (found := await failure(session)) is not None:
        return {"failure": found}
    return ended(session) if session.state == "stopped" else {}
