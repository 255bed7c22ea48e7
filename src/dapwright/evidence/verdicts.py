"""Tests of runners that hold no plugin of ours: what their stops, prints and exit codes say."""

import re
from typing import Any

from dapwright.core import redact, render
from dapwright.core.errors import DapwrightError
from dapwright.core.ledger import Record
from dapwright.core.model import Safe, TestCommand, Wording
from dapwright.evidence import testing
from dapwright.session import Session, looking, showing
from dapwright.session.connection import Stop
from dapwright.session.values import ask_value

PLACE = re.compile(r"[\w./\\-]+:\d+(:\d+)?:|\.\w+\(\d+\): (fatal )?error: ")
"""How runners begin: `main_test.go:9: mean = 4`, `t.cpp:6: Failure`, `src/main.rs:21:25:`, `t.cpp(7): error: `."""
FRAMES = 60
TRIES = 3
"""Delve 1.27 now and then cannot read its module data at first."""
UNREAD = "its value could not be read"
LINES = 12
LONGEST = 1_000


def is_plain(command: TestCommand) -> bool:
    """Whether nothing in the run reports to us."""
    return not any(testing.ENDPOINT in word for word in command.launch.args)


def arm(session: Session, command: TestCommand) -> None:
    """Stop where the runner is told of a failure: hidden breakpoints on the functions that tell it."""
    for name in command.functions:
        session.ledger.add(Record("", "function", function=name, hidden="failure", hit_condition=command.calls))


async def failure(session: Session) -> dict[str, Any] | None:
    """The failure that a session stands at: what was raised or printed, and the program's own frames."""
    stop = session.stop
    if stop is None or stop.reason != "exception":
        return None
    info = await looking.exception_info(stop)
    raised = (info.description or "") if info is not None else ""
    printed = _last_failure(session.transcript.unread(0)[0])
    message = printed if not raised or "SIGTRAP" in (stop.text or "") else raised
    said = redact.text(message or raised or stop.text or "")
    wording = _wording(session)
    told = {**await _said(stop, wording), "message": render.clip(said, LONGEST)}
    if panic := told.pop("panic", None):
        told["message"] = f"panic: {wording.panic(panic)}"
    elif compared := _compared(wording, said):
        told["comparison"] = compared
    return {**told, "userFrames": await showing.user_frames(session, stop, most=testing.USER_FRAMES)}


def _compared(wording: Wording, message: Safe) -> dict[str, str] | None:
    """What a failed assertion compared, as the test's language reads its words."""
    sides = wording.compare(message)
    return {side: render.clip(redact.text(text), LONGEST) for side, text in sides.items()} if sides else None


def _wording(session: Session) -> Wording:
    return session.test_command.wording if session.test_command is not None else Wording()


async def _said(stop: Stop, wording: Wording) -> dict[str, Any]:
    """What the runner's own frames know of a failure."""
    told: dict[str, Any] = {}
    if not wording.looks:
        return told
    frames = await stop.connection.frames(stop, FRAMES)
    for function, expression, key in wording.looks:
        frame = next((frame for frame in frames if frame.name == function), None)
        if frame is None:
            continue
        for _ in range(TRIES):
            try:
                body = await ask_value(stop.connection, frame.id, expression, seconds=5.0)
            except DapwrightError:
                break
            if not body.result.startswith("(unreadable"):
                told[key] = redact.text(body.result).strip('"')
                break
            told[key] = UNREAD
    return told


def _last_failure(output: str) -> str:
    """The last thing that the runner printed about a place in a file."""
    lines = [line for line in output.splitlines() if line.strip()]
    starts = [number for number, line in enumerate(lines) if PLACE.search(line)]
    return "\n".join(line.strip() for line in lines[starts[-1] :][:LINES]) if starts else ""


def ended(session: Session) -> dict[str, Any]:
    """The verdict of a run that is over: its exit code is all that is known."""
    code = session.exit_code
    said = dict(_wording(session).ended(session.transcript.unread(0)[0], code))
    if code is None:
        how = f"by {session.signal}" if session.signal else "without an exit code"
        return {"testPassed": False if session.signal else None, "message": f"the runner ended {how}"} | said
    if code == 0 and not _ran(session):
        return {"testPassed": None, "message": "no test ran: the file holds none of that name, or none at all"}
    return {"testPassed": code == 0, "message": f"the runner ended with exit code {code}"} | said


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


def rerun(session: Session, command: list[str], found: dict[str, Any]) -> list[str]:
    """The plain command for the one test that failed, where the runner told which."""
    wanted, test = session.test_command, (found.get("failure") or {}).get("test")
    if wanted is None or not test or not (word := wanted.wording.rerun(test)):
        return command
    return [word if one == wanted.test_word else one for one in command]
