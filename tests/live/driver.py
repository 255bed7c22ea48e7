"""The product's tools, called in this process as a client calls them."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from dapwright.policy.settings import Settings
from dapwright.sessions import Sessions
from dapwright.tools.answers import answer
from dapwright.tools.caller import Caller


class Driver:
    """One client and its sessions."""

    def __init__(self, settings: Settings) -> None:
        self.sessions = Sessions(settings)
        self.settings = settings

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its structured answer, whether it succeeded or not."""
        caller = Caller(sessions=self.sessions, settings=self.settings)
        return (await answer(caller, tool, arguments)).structured

    async def ok(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed."""
        told = await self.call(tool, **arguments)
        assert told["success"], f"{tool}: {told}"
        return told

    async def refused(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail; what it says."""
        told = await self.call(tool, **arguments)
        assert not told["success"], f"{tool} succeeded: {told}"
        return f"{told['error']} {told.get('hint', '')}"

    async def printed(self, *categories: str) -> str:
        """All that the program printed."""
        told = await self.ok("get_output", limit=1000, **({"categories": list(categories)} if categories else {}))
        return "".join(entry["output"] for entry in told.get("entries", []))

    async def locals(self) -> dict[str, str]:
        """The variables of the frame where the program stands."""
        told = await self.ok("get_local_variables")
        return {one["name"]: one["value"] for one in told["variables"]}

    async def value(self, expression: str) -> str:
        """What an expression is, where the program stands."""
        return (await self.ok("evaluate_expression", expression=expression))["result"]


@contextlib.asynccontextmanager
async def driver(**settings: Any) -> AsyncIterator[Driver]:
    """A driver whose sessions are ended at the end, whatever happened."""
    made = Driver(Settings(**settings))
    try:
        yield made
    finally:
        await made.sessions.close()


def line_of(file: Path | str, text: str) -> int:
    """The number of the one line that holds `text`."""
    lines = [n for n, line in enumerate(Path(file).read_text().splitlines(), 1) if text in line]
    assert len(lines) == 1, f"{text!r} is on lines {lines} of {file}"
    return lines[0]
