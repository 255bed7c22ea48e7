"""What the program printed."""

from collections.abc import Collection, Mapping
from typing import Annotated, Any

from dapwright.core.errors import UsageError
from dapwright.tools import About, Caller, tool
from dapwright.tools.words import SessionId

KNOWN = ("stdout", "stderr", "log", "console", "important")


def _refuse_unknown(asked: Collection[str], known: Collection[str]) -> None:
    """A category that is none would be a page that is always empty."""
    for one in asked:
        if one not in known:
            raise UsageError(f"`{one[:80]}` is no category of output", "pass some of: " + ", ".join(sorted(known)))


@tool(title="Get output", read_only=True, idempotent=True, toolsets=("core", "focused"))
async def get_output(
    caller: Caller,
    *,
    session_id: SessionId = None,
    since: Annotated[int, About("`nextSince` of the last page; 0 is the beginning.", rare=True, least=0)] = 0,
    limit: Annotated[int, About("Entries, at most 1000.", least=1)] = 100,
    tail: Annotated[int | None, About("Instead: the last N entries.", least=1)] = None,
    categories: Annotated[list[str] | None, About("Only these: stdout, stderr, log, console.", rare=True)] = None,
) -> Mapping[str, Any]:
    """Answers what the program printed, in pages, in any state; the last 1,000 entries of the run are kept
    and `dropped` counts the rest. Changes nothing."""
    session = caller.sessions.get(session_id, client=caller.client, ended=True)
    session.drain()
    _refuse_unknown(categories or (), {*KNOWN, *session.transcript.categories})
    return {"sessionId": session.id, **session.transcript.page(since, limit=limit, categories=categories, tail=tail)}
