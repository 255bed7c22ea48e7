"""Run a tool and make its answer; every failure becomes an answer here, and only here."""

import asyncio
import sys
import traceback
from collections.abc import Mapping
from typing import Any, cast

import msgspec

from dapwright import bounds
from dapwright.approvals import ASKER
from dapwright.core.errors import BuildPending, DapwrightError
from dapwright.core.render import CEILING_BYTES
from dapwright.session import Session, trail
from dapwright.tools import audit
from dapwright.tools.caller import Caller, InputRequired
from dapwright.tools.plain import clean, fit, fit_text, plain, pruned, weigh
from dapwright.tools.redaction import redact_structure, redact_text
from dapwright.tools.registry import Tool, find
from dapwright.tools.text import render_failure, render_text

CEILING_SECONDS = 50.0
"""No call takes longer; what it waited for goes on in its session."""


class Answer(msgspec.Struct, frozen=True):
    """Both forms of one answer."""

    structured: dict[str, Any]
    text: str
    is_error: bool = False


async def answer(caller: Caller, name: str, arguments: Any, *, ceiling: float = CEILING_SECONDS) -> Answer:
    """Call the tool `name`; `arguments` are as the client sent them. `ceiling` is in seconds.

    Raises:
        UnknownTool: there is no such tool.
        InputRequired: a person must be asked first (the stateless era).
    """
    tool = find(name)
    began, outcome = audit.begun(), "cancelled"
    with trail.watching() as touched:
        try:
            answered = await _answer(caller, tool, arguments, ceiling)
            outcome = str(answered.structured.get("code", "error")) if answered.is_error else "ok"
            return answered
        except InputRequired:
            outcome = "input-required"
            raise
        finally:
            for session in touched:
                session.audited(audit.row(caller.settings, tool.name, arguments, began=began, outcome=outcome))
                caller.sessions.answered(cast(Session, session))


async def _answer(caller: Caller, tool: Tool, arguments: Any, ceiling: float) -> Answer:
    caller.deadline = min(caller.deadline, asyncio.get_running_loop().time() + ceiling)
    ASKER.set(caller.ask_person)
    bounds.serve(caller.deadline, caller.say)
    try:
        async with asyncio.timeout_at(caller.deadline) as limit:
            told = await tool.verb(caller, **tool.arguments(arguments, caller.settings.addressing))
    except BaseException as raised:
        if isinstance(raised, TimeoutError) and limit.expired():
            return failure(caller, _too_long(tool, caller, ceiling))
        if isinstance(leaf := _leaf(raised), BuildPending):
            return _success(caller, tool, _pending(tool, leaf))
        return failure(caller, _told(caller, tool, leaf))
    return _success(caller, tool, told)


def _success(caller: Caller, tool: Tool, told: Mapping[str, Any]) -> Answer:
    structured = fit(_swept(caller, {"success": True, **told}), CEILING_BYTES * 5 // 8)
    try:
        said = {key: one for key, one in structured.items() if key not in tool.unredacted}
        text = tool.text(said) if tool.text is not None else render_text(said)
    except Exception as broken:  # a renderer's defect must not cost the answer
        _log(caller, tool, broken)
        text = render_text(structured)
    failed = structured.get("success") is False
    shown = {key: told[key] for key in tool.unredacted if key in told}
    text = _text(caller, text, CEILING_BYTES - weigh(structured))
    lines = (f"{key}: {value}" for key, value in shown.items())
    return Answer({**structured, **shown}, "\n".join([text, *lines]), failed)


def failure(caller: Caller, told: Mapping[str, Any]) -> Answer:
    """A failure in both forms: `{success: false, code, error, hint?}`."""
    structured = fit(_swept(caller, {"success": False, **told}), CEILING_BYTES // 2)
    return Answer(structured, _text(caller, render_failure(structured), CEILING_BYTES // 2), is_error=True)


def _pending(tool: Tool, left: BuildPending) -> dict[str, Any]:
    """A call whose build goes on, in the shape of its answers: a time limit that passes is no failure."""
    blank: dict[Any, Any] = {str: "", bool: False}
    fields = msgspec.structs.fields(tool.output) if tool.output is not None else ()
    required = {one.encode_name: blank.get(one.type, []) for one in fields if one.required}
    return {**required, **left.facts, "state": "building", "pending": True, "message": str(left)}


def _too_long(tool: Tool, caller: Caller, ceiling: float) -> dict[str, Any]:
    doing = f"; it was still at: {caller.doing}" if caller.doing else ""
    return {
        "code": "time-limit",
        "error": f"`{tool.name}` did not answer within {ceiling:g} s{doing}",
        "hint": "nothing was cancelled in the session: look with `list_debug_sessions`, go on with `wait_for_stop`",
    }


def _leaf(raised: BaseException) -> BaseException:
    """What happened, out of the groups around it: a failure that is ours to tell before any other."""
    if not isinstance(raised, BaseExceptionGroup):
        return raised
    leaves = [_leaf(one) for one in raised.exceptions]
    for kind in (InputRequired, DapwrightError, KeyboardInterrupt, SystemExit, Exception):
        for one in leaves:
            if isinstance(one, kind):
                return one
    return leaves[0]


def _told(caller: Caller, tool: Tool, raised: BaseException) -> dict[str, Any]:
    """A failure in words; what is no failure of the call goes on up."""
    if isinstance(raised, DapwrightError):
        hint = raised.hint if caller.settings.addressing == "content" else raised.by_line
        return {**raised.facts, "code": raised.code, "error": str(raised), "hint": hint}
    if not isinstance(raised, Exception):
        raise raised
    _log(caller, tool, raised)
    return {
        "code": "internal",
        "error": f"a defect of dapwright in `{tool.name}`: {type(raised).__name__}",
        "hint": "the server's standard error has the details; try another way, and look at the session's state first",
    }


def _log(caller: Caller, tool: Tool, raised: BaseException) -> None:
    """The stack goes to standard error, for people; never to the agent."""
    stack = clean("".join(traceback.format_exception(raised)))
    print(f"dapwright: `{tool.name}` failed\n{redact_text(caller.settings, stack)}", file=sys.stderr, flush=True)


def _swept(caller: Caller, told: Mapping[str, Any]) -> dict[str, Any]:
    return pruned(redact_structure(caller.settings, plain(told)))


def _text(caller: Caller, text: str, limit: int) -> str:
    return fit_text(redact_text(caller.settings, clean(text)), limit)
