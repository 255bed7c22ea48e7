"""What can be read: each session's output and audit trail, and the pages of documentation."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from dapwright.core.errors import NoSuchSession
from dapwright.core.render import CEILING_BYTES
from dapwright.policy.settings import Settings
from dapwright.server.host import SessionsHost
from dapwright.server.prompts import NAME as WORKFLOW
from dapwright.server.prompts import workflow
from dapwright.tools.plain import clean
from dapwright.tools.redaction import redact_text

Part = Literal["output", "audit"]
SESSION = re.compile(r"debug://sessions/([^/]+)/(output|audit)\Z")
PAGE = re.compile(r"debug://docs/([\w.-]+)\Z")
TYPES: Mapping[str, str] = {"output": "text/plain", "audit": "application/jsonl", "docs": "text/markdown"}
SKILL = Path(__file__).parents[1] / "agents" / "skill"
"""The pages that agents get as a skill are served as documentation too."""

TEMPLATES: list[dict[str, Any]] = [
    {
        "uriTemplate": "debug://sessions/{id}/output",
        "name": "session-output",
        "title": "What a session's program printed",
        "description": "Subscribe to hear of more.",
        "mimeType": TYPES["output"],
    },
    {
        "uriTemplate": "debug://sessions/{id}/audit",
        "name": "session-audit",
        "title": "What was done in a session",
        "description": "Every call that named the session and every stop, one JSON object a line.",
        "mimeType": TYPES["audit"],
    },
    {
        "uriTemplate": "debug://docs/{topic}",
        "name": "docs",
        "title": "How to debug with these tools",
        "mimeType": TYPES["docs"],
    },
]


class NoSuchResource(Exception):
    """Nothing is to be read at that address."""


def uri_of(session_id: str, part: str) -> str:
    """The address of a session's output or audit trail."""
    return f"debug://sessions/{session_id}/{part}"


def pages() -> dict[str, Path]:
    """The skill's pages by topic."""
    found = SKILL.rglob("*.md") if SKILL.is_dir() else ()
    return {path.stem.lower(): path for path in sorted(found)}


def list_resources(host: SessionsHost) -> list[dict[str, Any]]:
    """The documentation, then each session's output and audit trail."""
    listed: list[dict[str, Any]] = [
        {"uri": f"debug://docs/{topic}", "name": topic, "mimeType": TYPES["docs"]} for topic in [WORKFLOW, *pages()]
    ]
    for session_id, title in host.titles().items():
        for part in ("output", "audit"):
            uri, name = uri_of(session_id, part), f"{session_id}-{part}"
            listed.append({"uri": uri, "name": name, "title": clean(f"{title}: {part}"), "mimeType": TYPES[part]})
    return listed


def read_resource(host: SessionsHost, settings: Settings, uri: str) -> dict[str, Any]:
    """The contents at an address, without secrets and within 256 KB: of a session, the last of them.

    Raises:
        NoSuchResource: there is nothing at that address.
    """
    text, kind = _text(host, settings, uri)
    return {"contents": [{"uri": uri, "mimeType": kind, "text": text}]}


def exists(host: SessionsHost, uri: str) -> bool:
    """Whether an address can be read and subscribed to."""
    if session := SESSION.match(uri):
        return session[1] in host.titles()
    page = PAGE.match(uri)
    return page is not None and (page[1] == WORKFLOW or page[1] in pages())


def _text(host: SessionsHost, settings: Settings, uri: str) -> tuple[str, str]:
    if session := SESSION.match(uri):
        read = host.output_text if session[2] == "output" else host.audit_text
        try:
            text = read(session[1])
        except NoSuchSession as unknown:
            raise NoSuchResource(f"{unknown}; `resources/list` tells what there is") from None
        return _last(redact_text(settings, clean(text))), TYPES[session[2]]
    if page := PAGE.match(uri):
        if page[1] == WORKFLOW:
            return workflow(settings), TYPES["docs"]
        if path := pages().get(page[1]):
            return path.read_text(encoding="utf-8"), TYPES["docs"]
    raise NoSuchResource(f"there is no resource `{uri}`; `resources/list` tells what there is")


def _last(text: str) -> str:
    """The end of a text that is too long, from the start of a line, with a word about the rest."""
    raw = text.encode()
    if len(raw) <= CEILING_BYTES:
        return text
    kept = raw[-CEILING_BYTES + 100 :]
    kept = kept[kept.find(b"\n") + 1 :]
    return f"[{len(raw) - len(kept)} earlier bytes are left out; `get_output` pages]\n" + kept.decode("utf-8", "ignore")
