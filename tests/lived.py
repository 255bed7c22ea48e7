"""`@lived`: an async test of the session over fake adapters, in virtual time; nothing may be left after it."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import virtual_time
from fake_adapter import Bench

Story = Callable[[Bench, Path], Awaitable[None]]


def lived(story: Story) -> Callable[..., None]:
    """Make a test of a coroutine function that takes a bench and a folder."""

    def test(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        async def whole() -> None:
            bench = Bench(monkeypatch)
            await story(bench, tmp_path)
            await bench.close()

        virtual_time.run(whole())

    test.__name__, test.__doc__, test.__module__ = story.__name__, story.__doc__, story.__module__
    return test


async def paused(bench: Bench, folder: Path, *, statement: str = "total = total + amount", **more: Any) -> Any:
    """Start the shop and stop at a statement; the answer."""
    from fake_adapter import written

    script = written(folder)
    places = [{"file": script, "statement": statement, **more}]
    return await bench.ok("start_debugging", language="mock", scriptPath=script, breakpoints=places)


def stop(thread: int, reason: str = "breakpoint", **more: Any) -> dict[str, Any]:
    """The body of a `stopped` event of one thread."""
    return {"reason": reason, "threadId": thread, "allThreadsStopped": False, **more}
