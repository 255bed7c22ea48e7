"""The demo's side of the conversation: calls are made, printed, timed and checked."""

import json
import sys
import textwrap
import time
from collections.abc import Mapping
from typing import Any

from mcp import Client, types

WIDTH = 100
COLOURS = {"call": "36", "answer": "2", "good": "32", "bad": "31", "title": "1"}


class Unexpected(Exception):
    """The server answered otherwise than this story says."""


def paint(text: str, colour: str) -> str:
    """Return `text` in a colour of `COLOURS` where a terminal shows it, else as it is."""
    return f"\x1b[{COLOURS[colour]}m{text}\x1b[0m" if sys.stdout.isatty() else text


def say(text: str) -> None:
    """Print a paragraph for the person who watches."""
    print()
    print(paint(textwrap.fill(text, WIDTH), "title"))


def expect(what: str, found: object, wanted: object) -> None:
    """Check one fact of an answer, compared as text, and print it.

    Raises:
        Unexpected: `found` is not `wanted`.
    """
    if str(found) != str(wanted):
        raise Unexpected(f"{what} is {found!r}, not {wanted!r}")
    print(paint(f"  ✓ {what}: {found}", "good"))


class Stage:
    """A connected client: makes the calls and keeps their times."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.times: list[tuple[str, float]] = []
        """Each call's tool and the milliseconds that it took."""

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool, show the call and the text that an agent reads, and return the structured answer.

        Raises:
            Unexpected: the tool answered with an error, or without a structured answer.
        """
        print(paint(f"\n→ {tool} {json.dumps(arguments, ensure_ascii=False)}", "call"))
        began = time.perf_counter()
        result = await self._client.call_tool(tool, arguments)
        took = (time.perf_counter() - began) * 1000
        self.times.append((tool, took))
        text = "\n".join(part.text for part in result.content if isinstance(part, types.TextContent))
        print(paint(textwrap.indent(text, "  │ "), "answer"))
        print(f"  {took:.0f} ms")
        answer = result.structured_content
        if result.is_error or not isinstance(answer, dict):
            raise Unexpected(f"`{tool}` answered with an error: {text}")
        expect("success", answer.get("success"), True)
        return answer


def local(answer: Mapping[str, Any], name: str) -> object:
    """Return the value of the local variable `name` in a stop answer.

    Raises:
        Unexpected: the answer shows no such variable.
    """
    for variable in answer.get("locals", ()):
        if variable["name"] == name:
            return variable["value"]
    raise Unexpected(f"the answer has no local variable `{name}`")
