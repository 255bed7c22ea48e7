"""Start the real server over stdio, and play the story against it with the official MCP client."""

import asyncio
import importlib.util
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

SHOP = Path(__file__).parent / "shop"
BOUND = 180.0
"""Seconds that the whole story may take."""
BARE = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
"""The plugins of this environment have no part in the story, and would fill its output."""
NEEDED = {"mcp": "pip install 'dapwright[full]'", "pytest": "pip install pytest"}


def main() -> int:
    """Play the story; return 0 where all was as expected, else 1."""
    for module, hint in NEEDED.items():
        if importlib.util.find_spec(module) is None:
            print(f"the demo needs `{module}`, which {sys.executable} lacks: {hint}", file=sys.stderr)
            return 1
    from dapwright.demo.stage import paint

    with tempfile.TemporaryDirectory(prefix="dapwright-demo-") as folder:
        shop = Path(folder).resolve() / "shop"
        shutil.copytree(SHOP, shop, ignore=shutil.ignore_patterns("__pycache__"))
        try:
            asyncio.run(asyncio.wait_for(play(shop), BOUND))
        except Exception as problem:  # whatever it is, a person is told and the exit code says it
            print(paint(f"\n✗ {explain(first(problem))}", "bad"))
            return 1
    return 0


def first(problem: BaseException) -> BaseException:
    """Return the first single exception of a group, however deep it lies; any other as it is."""
    return first(problem.exceptions[0]) if isinstance(problem, BaseExceptionGroup) else problem


def explain(problem: BaseException) -> str:
    """Return what a person should read of the end of the story."""
    from dapwright.demo.stage import Unexpected

    match problem:
        case Unexpected():
            return str(problem)
        case TimeoutError():
            return f"the story took longer than {BOUND:.0f} s"
        case LookupError() | TypeError():
            return f"an answer lacks what the contract promises: {problem!r}"
        case _:
            return f"the server could not be talked to: {problem!r}"


async def play(shop: Path) -> None:
    """Start the server in `shop`, play the story, and print the summary.

    Raises:
        Unexpected: an answer was not what the story says.
    """
    from mcp import Client, StdioServerParameters

    from dapwright.demo.stage import Stage, paint, say
    from dapwright.demo.story import STORY, leave_nothing

    say("An agent's session with dapwright. The shop below charges 36.60 where 37.00 are right.")
    print((shop / "shop.py").read_text().partition("def main")[0].rstrip())
    server = StdioServerParameters(command=sys.executable, args=["-m", "dapwright", "serve"], cwd=shop, env=BARE)
    began = time.perf_counter()
    async with Client(server) as client:
        tools = (await client.list_tools()).tools
        took = (time.perf_counter() - began) * 1000
        print(f"\nthe server's process was started and had told its {len(tools)} tools after {took:.0f} ms")
        print("the times below are those of this machine now; a program's or pytest's own start is part of them")
        stage = Stage(client)
        for scene in STORY:
            await scene(stage)
        await leave_nothing(stage)
    waited = sum(time for _, time in stage.times)
    print(paint(f"\n✓ all as expected: {len(stage.times)} calls in {waited / 1000:.1f} s of waiting.", "good"))
    print("  the bug: `discount` is taken from `total`, and belongs to `cost`.")
