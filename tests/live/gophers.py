"""Go programs of tests/fixtures/go under a real Delve, in this process."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from live.driver import Driver, driver

WAIT = 40


@contextlib.asynccontextmanager
async def started(path: Path, *statements: str, **launch: Any) -> AsyncIterator[tuple[Driver, dict[str, Any]]]:
    """A driver with a program at its first stop, at one of `statements` of its `main.go`, or running."""
    main = path / "main.go"
    async with driver() as made:
        places = [{"file": str(main), "statement": one} for one in statements]
        asked = {"language": "go", "scriptPath": str(main), "wait": WAIT, "breakpoints": places, **launch}
        stop = await made.call("start_debugging", **asked)
        if stop.get("code") == "setup":
            pytest.skip(stop["error"])
        while stop["success"] and stop["state"] == "starting":  # the first build of all that comes with Go
            stop = await made.call("wait_for_stop", timeout=44_000)
        assert stop["success"], stop
        yield made, stop
