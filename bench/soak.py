"""Does a server that lives long grow? 1,000 sessions one after another and 50 at once, on one server.

`python bench/soak.py [SESSIONS] [AT_ONCE] [LANGUAGE]` prints memory, descriptors, threads and
processes at a tenth of the way and at the end; the exit code tells whether they stayed flat.
"""

import asyncio
import gc
import os
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from dapwright.policy.settings import Settings
from dapwright.sessions import Sessions
from dapwright.tools.answers import answer
from dapwright.tools.caller import Caller

PROGRAMS = {
    "mock": ("total = 0\nrepeat 3\n    total = total + 1\n    print total is {total}\nend\n", "total = total + 1"),
    "python": ("total = 0\nfor n in range(3):\n    total = total + n\n    print(total)\n", "total = total + n"),
}
ENDINGS = {"mock": ".mock", "python": ".py"}
GROWTH_MB, GROWTH_OTHERS = 8.0, 4
"""What may be gained between a tenth of the way and the end."""


def measured() -> dict[str, float]:
    """Memory in MB, descriptors, threads, tasks and processes of ours."""
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    children = sum(1 for _ in _children(os.getpid()))
    return {
        "mb": round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "threads": threading.active_count(),
        "tasks": len(asyncio.all_tasks()),
        "processes": children,
    }


def _children(pid: int) -> Any:
    for task in os.listdir(f"/proc/{pid}/task"):
        yield from Path(f"/proc/{pid}/task/{task}/children").read_text().split()


class Soak:
    """One server's tools, and a program to debug."""

    def __init__(self, language: str, folder: Path) -> None:
        self.settings = Settings()
        self.sessions = Sessions(self.settings)
        self.language = language
        text, self.statement = PROGRAMS[language]
        self.script = str(folder / f"soak{ENDINGS[language]}")
        Path(self.script).write_text(text)

    async def ok(self, tool: str, client: str, **arguments: Any) -> Any:
        """Call a tool that must succeed."""
        told = await answer(Caller(sessions=self.sessions, settings=self.settings, client=client), tool, arguments)
        if told.is_error:
            raise SystemExit(f"{tool}: {told.text}")
        return told.structured

    async def life(self, client: str) -> None:
        """One session from its start to its close, looked at and stepped."""
        place = {"file": self.script, "statement": self.statement}
        asked = {"language": self.language, "scriptPath": self.script, "breakpoints": [place], "wait": 45}
        told = await self.ok("start_debugging", client, **asked)
        assert told["state"] == "paused", told
        await self.ok("get_local_variables", client)
        await self.ok("step_over", client)
        await self.ok("clear_breakpoints", client)
        told = await self.ok("continue_execution", client, wait=True)
        assert told["state"] == "stopped" and told["exitCode"] == 0, told
        await self.ok("close_debug_session", client, sessionId=told["sessionId"])


async def soak(language: str, sessions: int, at_once: int, folder: Path) -> bool:
    """Print the rows; true where nothing grew."""
    bench, began = Soak(language, folder), time.monotonic()
    first: dict[str, float] = {}
    for number in range(1, sessions + 1):
        await bench.life("local")
        if number == max(sessions // 10, 1):
            first = report(f"{number} {language} sessions, one after another", began)
    last = report(f"{sessions} {language} sessions, one after another", began)
    flat = grew_not(first, last)
    began = time.monotonic()
    await asyncio.gather(*(bench.life(f"client {n}") for n in range(at_once)))
    after = report(f"{at_once} {language} sessions at once, closed", began)
    await bench.sessions.close()
    report("the server is closed", began)
    return flat and grew_not(last, after, mb=GROWTH_MB * 2)


def grew_not(first: dict[str, float], last: dict[str, float], *, mb: float = GROWTH_MB) -> bool:
    """Tell whether the later figures are no more than the earlier ones, but for a little."""
    return last["mb"] - first["mb"] <= mb and all(
        last[key] - first[key] <= GROWTH_OTHERS for key in ("descriptors", "threads", "tasks", "processes")
    )


def report(what: str, began: float) -> dict[str, float]:
    """Print one row."""
    figures = measured()
    shown = ", ".join(f"{value:g} {key}" for key, value in figures.items())
    print(f"{what}: {time.monotonic() - began:.1f} s; {shown}", flush=True)
    return figures


def main(arguments: list[str]) -> int:
    """Run it; 0 where nothing grew."""
    defaults = ["1000", "50", "mock"]
    sessions, at_once, language = [*arguments, *defaults[len(arguments) :]]
    with tempfile.TemporaryDirectory(prefix="dapwright-soak-") as folder:
        flat = asyncio.run(soak(language, int(sessions), int(at_once), Path(folder)))
    print("flat" if flat else "IT GREW")
    return 0 if flat else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
