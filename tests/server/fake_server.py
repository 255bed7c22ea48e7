"""A server on our own engine whose tools show one behaviour each: `python fake_server.py [last seconds]`."""

import asyncio
import os
import sys
import time
from collections.abc import Mapping
from typing import Annotated, Any

from dapwright.core.errors import NoSuchSession, WrongState
from dapwright.policy.settings import Settings, read_settings
from dapwright.tools import About, Caller, Reply, tool

Shown = Mapping[str, Any]


class Desk:
    """Two sessions in memory."""

    def __init__(self) -> None:
        self.texts = {"s1": "hello\n"}
        self.watchers: list[Any] = []
        self.presence: list[tuple[str, str]] = []

    def titles(self) -> Mapping[str, str]:
        return {name: f"session {name}" for name in self.texts}

    def output_text(self, session_id: str) -> str:
        if session_id not in self.texts:
            raise NoSuchSession(f"no session is `{session_id}`")
        return self.texts[session_id]

    def audit_text(self, session_id: str) -> str:
        self.output_text(session_id)
        return '{"call":"start_debugging"}\n'

    def watch(self, watcher: Any) -> Any:
        self.watchers.append(watcher)
        return lambda: self.watchers.remove(watcher)

    def tell(self, change: Any, session_id: str) -> None:
        for watcher in self.watchers:
            watcher(change, session_id)

    def arrive(self, client: str) -> None:
        self.presence.append((client, "here"))

    def leave(self, client: str, *, goodbye: bool = False) -> None:
        self.presence.append((client, "over" if goodbye else "left"))

    async def close(self) -> None:
        print("sessions closed", file=sys.stderr, flush=True)


def register() -> None:
    """Register the fake tools."""

    @tool(title="Add", read_only=True, idempotent=True, output={"type": "object", "required": ["success"]})
    async def add(
        caller: Caller, *, left: Annotated[int, About("One.")], right: Annotated[int, About("Two.")] = 1
    ) -> Shown:
        """Add two numbers."""
        return {"sum": left + right}

    @tool(title="Fail")
    async def fail(caller: Caller) -> Shown:
        """Fail as a tool does."""
        raise WrongState("the program runs", "pause it first")

    @tool(title="Break")
    async def break_down(caller: Caller) -> Shown:
        """Fail as no tool should."""
        print("a stray print")
        os.write(1, b"a stray write\n")
        raise ZeroDivisionError("secret data")

    @tool(title="Wait")
    async def wait(caller: Caller, *, seconds: Annotated[float, About("How long.")]) -> Shown:
        """Wait, telling of it."""
        await caller.progress("waiting for the stop")
        try:
            await asyncio.sleep(seconds)
        except asyncio.CancelledError:
            print("wait cancelled", file=sys.stderr, flush=True)
            raise
        return {"state": "running"}

    @tool(title="Stick")
    async def stick(caller: Caller, *, seconds: Annotated[float, About("How long.")]) -> Shown:
        """Block the loop."""
        time.sleep(seconds)
        return {}

    @tool(title="Ask")
    async def ask(caller: Caller, *, twice: Annotated[bool, About("Ask again.")] = False) -> Shown:
        """Ask the person behind the client."""
        schema = {"type": "object", "properties": {"why": {"type": "string"}}}
        first: Reply = await caller.ask_person("may I run this?", schema)
        second = await caller.ask_person("really?") if twice else first
        return {"first": first.action, "why": first.content.get("why"), "second": second.action}

    @tool(title="Flood")
    async def flood(caller: Caller, *, kilobytes: Annotated[int, About("How much.")]) -> Shown:
        """Answer at length."""
        return {"entries": [{"output": "x" * 1024} for _ in range(kilobytes)]}

    @tool(title="Print")
    async def say(
        caller: Caller, *, text: Annotated[str, About("What.")], times: Annotated[int, About("Often.")] = 1
    ) -> Shown:
        """Print into the session s1."""
        desk: Any = caller.sessions
        for _ in range(times):
            desk.texts["s1"] += text
            desk.tell("output", "s1")
        return {"count": times}

    @tool(title="Open")
    async def open_session(caller: Caller, *, name: Annotated[str, About("Its id.")]) -> Shown:
        """Begin a session."""
        desk: Any = caller.sessions
        desk.texts[name] = ""
        desk.tell("sessions", name)
        return {"sessionId": name}


def settings() -> Settings:
    return read_settings(os.environ)


if __name__ == "__main__":
    register()
    from dapwright.server.stdio import serve

    raise SystemExit(serve(Desk, settings(), last_seconds=float(sys.argv[1]) if len(sys.argv) > 1 else 55))
