"""The request or command that should lead to a stop, made while somebody waits for it."""

import asyncio
import difflib
import json
from collections.abc import Mapping
from typing import Any

from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.model import Run
from dapwright.policy.permit import Request
from dapwright.session import launching
from dapwright.session.session import Session

KEYS = ("command", "cwd", "http", "method", "headers", "body")
SECONDS = 600.0
BODY_CHARACTERS = 8192
UP_SECONDS = 20.0
"""How long a request waits for its server to listen."""
PAUSE = 0.2


async def start(session: Session, trigger: Mapping[str, Any]) -> None:
    """Begin a trigger beside whoever waits; its result is kept on the session until it is told.

    Raises:
        UsageError: it is neither `{command: [argv]}` nor `{http: url}`.
    """
    command, url = trigger.get("command"), trigger.get("http")
    refuse_unknown(trigger)
    if isinstance(command, list) and command and url is None:
        cwd = str(trigger.get("cwd") or (session.launch.cwd if session.launch else ""))
        argv = tuple(str(word) for word in command)
        await session.ask(Request(argv, cwd, {}, "trigger"))
        work = run(session, argv, cwd)
    elif isinstance(url, str) and command is None and url.startswith(("http://", "https://")):
        await session.ask(Request((method_of(trigger), url), "", {}, "trigger"))
        work = fetch(session, url, trigger)
    else:
        raise UsageError("a `trigger` is `{command: [argv]}` or `{http: url}`", "pass one of them")
    session.trigger_result = None
    session.tasks.start(_keep(session, work), "trigger")


def refuse_unknown(trigger: Mapping[str, Any]) -> None:
    """A key that says nothing to us would be left out silently.

    Raises:
        UsageError: with the nearest key that there is.
    """
    for key in trigger:
        if key not in KEYS:
            near = difflib.get_close_matches(str(key), KEYS, n=1)
            meant = f"; did you mean `{near[0]}`?" if near else ""
            raise UsageError(
                f"`trigger.{key}` is not known{meant}", f"it takes {', '.join(f'`{one}`' for one in KEYS)}"
            )


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


def method_of(trigger: Mapping[str, Any]) -> str:
    """The method of a request: as asked, else by whether it has a body."""
    return str(trigger.get("method") or ("POST" if trigger.get("body") is not None else "GET")).upper()


async def fetch(session: Session, url: str, trigger: Mapping[str, Any]) -> dict[str, Any]:
    """Make a request that was judged like a process: `{status, headers, body}`."""
    method = method_of(trigger)
    body = trigger.get("body")
    headers = {str(name): str(value) for name, value in (trigger.get("headers") or {}).items()}
    data = None if body is None else (body if isinstance(body, str) else json.dumps(body)).encode()
    if data is not None and not isinstance(body, str) and "content-type" not in map(str.lower, headers):
        headers["Content-Type"] = "application/json"
    end = asyncio.get_running_loop().time() + UP_SECONDS
    while True:
        told = await asyncio.to_thread(_fetch, url, data, method, headers)
        refused = "Connection refused" in str(told.get("error", ""))
        # a server that was just started, or reloads itself, does not listen yet
        if not refused or asyncio.get_running_loop().time() > end or await session.until(lambda: session.over, PAUSE):
            return told


def _fetch(url: str, data: bytes | None, method: str, headers: Mapping[str, str]) -> dict[str, Any]:
    import urllib.error  # here: a start would pay for the mail package that it brings
    import urllib.request

    request = urllib.request.Request(url, data=data, method=method, headers=dict(headers))
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as reply:
            text = reply.read(BODY_CHARACTERS * 4).decode(errors="replace")
            return {"status": reply.status, "headers": dict(reply.headers), "body": text[:BODY_CHARACTERS]}
    except urllib.error.HTTPError as refused:
        text = refused.read(BODY_CHARACTERS * 4).decode(errors="replace")
        return {"status": refused.code, "headers": dict(refused.headers), "body": text[:BODY_CHARACTERS]}
    except (OSError, ValueError) as failed:
        return {"error": str(failed)}
