"""The request or command that should lead to a stop, made while somebody waits for it."""

import asyncio
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.model import Run
from dapwright.policy.permit import Request
from dapwright.session import launching
from dapwright.session.session import Session

SECONDS = 600.0
BODY_CHARACTERS = 8192
UP_SECONDS = 20.0
"""How long a request waits for its server to listen."""
PAUSE = 0.2


def start(session: Session, trigger: Mapping[str, Any]) -> None:
    """Begin a trigger beside whoever waits; its result is kept on the session until it is told.

    Raises:
        UsageError: it is neither `{command: [argv]}` nor `{http: url}`.
    """
    command, url = trigger.get("command"), trigger.get("http")
    if isinstance(command, list) and command and url is None:
        cwd = str(trigger.get("cwd") or (session.launch.cwd if session.launch else ""))
        work = run(session, tuple(str(word) for word in command), cwd)
    elif isinstance(url, str) and command is None and url.startswith(("http://", "https://")):
        work = fetch(session, url, trigger)
    else:
        raise UsageError("a `trigger` is `{command: [argv]}` or `{http: url}`", "pass one of them")
    session.trigger_result = None
    session.tasks.start(_keep(session, work), "trigger")


async def _keep(session: Session, work: Any) -> None:
    try:
        session.trigger_result = await work
    except DapwrightError as failure:
        session.trigger_result = {"error": str(failure)}
    session.pulse()


async def run(session: Session, argv: tuple[str, ...], cwd: str) -> dict[str, Any]:
    """Run a command to its end: `{exitCode, output}`."""
    ran = await launching.run(session, Run(argv, cwd, purpose="trigger", timeout_seconds=SECONDS))
    return {"exitCode": ran.code, "output": (ran.stdout + ran.stderr)[-BODY_CHARACTERS:]}


async def fetch(session: Session, url: str, trigger: Mapping[str, Any]) -> dict[str, Any]:
    """Make a request: `{status, headers, body}`. It is judged like any process that we start."""
    method = str(trigger.get("method") or ("POST" if trigger.get("body") is not None else "GET")).upper()
    await session.ask(Request((method, url), "", {}, "trigger"))
    body = trigger.get("body")
    data = body.encode() if isinstance(body, str) else None
    headers = {str(name): str(value) for name, value in (trigger.get("headers") or {}).items()}
    request = urllib.request.Request(url, data=data, method=method, headers=headers)
    end = asyncio.get_running_loop().time() + UP_SECONDS
    while True:
        told = await asyncio.to_thread(_fetch, request)
        refused = "Connection refused" in str(told.get("error", ""))
        # a server that was just started, or reloads itself, does not listen yet
        if not refused or asyncio.get_running_loop().time() > end or await session.until(lambda: session.over, PAUSE):
            return told


def _fetch(request: urllib.request.Request) -> dict[str, Any]:
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            text = reply.read(BODY_CHARACTERS * 4).decode(errors="replace")
            return {"status": reply.status, "headers": dict(reply.headers), "body": text[:BODY_CHARACTERS]}
    except urllib.error.HTTPError as refused:
        text = refused.read(BODY_CHARACTERS * 4).decode(errors="replace")
        return {"status": refused.code, "headers": dict(refused.headers), "body": text[:BODY_CHARACTERS]}
    except (OSError, ValueError) as failed:
        return {"error": str(failed)}
