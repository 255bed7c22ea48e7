"""Where a session stands, and what its test has come to: told by every call that moves it."""

from typing import Any

from dapwright.session import Session, telling


async def describe(session: Session, *, detail: str = "brief", message: str = "") -> dict[str, Any]:
    """The stop answer; of a test with `failure` where it stands at one, and `testPassed` at its end."""
    answer = await telling.describe(session, detail=detail, message=message)
    if session.test_command is None or detail == "none":
        return answer
    from dapwright.evidence import outcomes  # late: a program that is no test needs none of it

    return await outcomes.add(session, session.test_command, answer)
