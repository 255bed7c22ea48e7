"""What is told of a test wherever it stands: what failed, or the verdict."""

from typing import Any

from dapwright.core import render
from dapwright.core.model import TestCommand
from dapwright.evidence import testing, verdicts
from dapwright.session import Session

FIRST_LINE = 160
"""Characters of a message that the failure tells whole."""


async def add(session: Session, command: TestCommand, answer: dict[str, Any]) -> dict[str, Any]:
    """A stop answer with `failure` where the test stands at one, and `testPassed` at its end."""
    made = _of_plain if verdicts.is_plain(command) else _of_reports
    return await made(session, command, answer)


async def _of_plain(session: Session, command: TestCommand, answer: dict[str, Any]) -> dict[str, Any]:
    """Of a runner without a plugin of ours."""
    said = await verdicts.answer(session)
    after = testing.next_call(session, said["failure"]) if "failure" in said else None
    return {**answer, **said, "next": after, "rerun": verdicts.rerun(session, list(command.rerun), said)}


async def _of_reports(session: Session, command: TestCommand, answer: dict[str, Any]) -> dict[str, Any]:
    """Of a runner that our plugin reports from."""
    said, rerun = testing.verdict(session), list(command.rerun)
    failed = session.state == "paused" and session.stop is not None and session.stop.reason == "exception"
    if failed and (failure := await testing.failure(session)) is not None:
        answer["failure"] = failure
        _once(answer)
        answer["next"] = testing.next_call(session, failure)
        if failure.get("test"):
            rerun = testing.rerun_of(rerun, str(failure["test"]))
    if session.state == "stopped":
        answer |= {"testPassed": said["passed"], "message": testing.words_of(said)}
        answer |= {"uncollected": said["uncollected"], "outcomes": said["told"]}
        answer.pop("unhitBreakpoints", None) if not session.ledger.shown() else None
    if testing.printed(session) is not None:
        answer["output"] = None
    return {**answer, "tests": said["tests"], "rerun": rerun}


def _once(answer: dict[str, Any]) -> None:
    """Leave out of the stop what the failure tells: the whole message, its type, the locals of each frame."""
    info = dict(answer.get("lastStop", {}).get("exceptionInfo") or {})
    details = dict(info.get("details") or {})
    details["userFrames"] = [{**row, "locals": None} for row in details.get("userFrames") or ()]
    info["details"] = details
    if info.get("description"):
        info["description"] = render.clip(str(info["description"]).partition("\n")[0], FIRST_LINE)
    answer["lastStop"] = {**answer.get("lastStop", {}), "exceptionInfo": info, "description": None, "text": None}
