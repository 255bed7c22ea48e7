"""Routers killed outright under load: `bench/takeover.py [--rounds 20]`.

Three servers share a port. In each round the one that routes is ended by SIGKILL while clients call it and
one call waits; then it is timed until another answers, every session of the servers that live is asked for
its own value, and a new server joins. The exit code is 1 where a session was lost or a takeover took more
than five seconds.
"""

import argparse
import asyncio
import itertools
import os
import secrets
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
from http_load import Client

LIMIT_SECONDS = 5.0


class Workspace:
    """A server of one folder behind the port."""

    def __init__(self, base: Path, number: int, port: int) -> None:
        self.name, self.folder = f"w{number}", base / f"w{number}"
        self.folder.mkdir()
        self.script = self.folder / "job.mock"
        self.script.write_text(f"{self.name} = {number}\nprint on\nprint off\n")
        command = [sys.executable, "-m", "dapwright", "serve", "--http", "--port", str(port)]
        command += ["--workspace", str(self.folder), "--token-file", str(self.folder / "token")]
        log = (self.folder / "log").open("wb")
        env = {**os.environ, "DAPWRIGHT_RUNTIME": str(base / "run")}
        self.process = subprocess.Popen(command, cwd=self.folder, env=env, stdin=subprocess.DEVNULL, stderr=log)
        self.session = ""

    @property
    def routes(self) -> bool:
        """It says so when it takes the port."""
        return b"serving" in (self.folder / "log").read_bytes()

    async def begin(self, client: Client) -> None:
        """Stop a program at a line, to be asked for its value later."""
        place = {"file": str(self.script), "line": 2}
        told = await client.call(
            "start_debugging", language="mock", scriptPath=str(self.script), breakpoints=[place], wait=True
        )
        assert told.get("state") == "paused", told
        self.session = told["sessionId"]

    async def holds(self, client: Client) -> bool:
        """Whether its session says what only it can say."""
        told = await client.call("evaluate_expression", sessionId=self.session, expression=self.name)
        await client.call("close_debug_session", sessionId=self.session)
        return told.get("result") == self.name.removeprefix("w")


async def opened(web: httpx2.AsyncClient, url: str, token: str, seconds: float) -> Client:
    """A client, as soon as anybody answers."""
    end = time.monotonic() + seconds
    while True:
        try:
            return await Client(web, url, token).open()
        except (httpx2.HTTPError, KeyError):
            if time.monotonic() > end:
                raise
            await asyncio.sleep(0.02)


async def calling(client: Client, counts: list[int]) -> None:
    """Call until it fails."""
    try:
        while True:
            await client.call("list_debug_sessions")
            counts[0] += 1
    except (httpx2.HTTPError, AssertionError):
        counts[1] += 1


async def one_round(web: httpx2.AsyncClient, url: str, token: str, live: list[Workspace]) -> tuple[float, int]:
    """Kill the router; the seconds until another answers, and how many sessions were lost."""
    router = next(one for one in live if one.routes)
    live.remove(router)
    client = await opened(web, url, token, 30)
    for one in live:
        await one.begin(client)
    counts = [0, 0]
    load = [asyncio.create_task(calling(await opened(web, url, token, 30), counts)) for _ in range(8)]
    waiting = asyncio.create_task(client.call("wait_for_stop", sessionId=live[0].session, timeout=40_000))
    await asyncio.sleep(0.5 + secrets.randbelow(500) / 1000)
    router.process.send_signal(signal.SIGKILL)
    began = time.monotonic()
    again = await opened(web, url, token, 30)
    took = time.monotonic() - began
    ended: list[Any] = await asyncio.gather(*load, waiting, return_exceptions=True)
    lost = sum([not await one.holds(again) for one in live])
    await asyncio.to_thread(router.process.wait)
    print(f"{took:.2f} s, {counts[0]} calls before, {len(ended)} open calls ended, {lost} sessions lost", flush=True)
    return took, lost


async def ready(live: list[Workspace]) -> None:
    """Wait until one of them routes, and all are there."""
    end = time.monotonic() + 60
    while True:
        if any(one.routes for one in live) and all((one.folder / "token").exists() for one in live):
            return
        assert time.monotonic() < end, "the servers do not come up"
        await asyncio.sleep(0.05)


async def rounds(count: int, port: int, base: Path) -> tuple[list[float], int]:
    """All rounds; the seconds of each takeover, and how many sessions were lost."""
    numbers = itertools.count(1)
    live = [Workspace(base, next(numbers), port) for _ in range(3)]
    url, found, lost = f"http://127.0.0.1:{port}/mcp", list[float](), 0
    try:
        async with httpx2.AsyncClient(timeout=60) as web:
            for _ in range(count):
                await ready(live)
                took, missing = await one_round(web, url, (live[-1].folder / "token").read_text().strip(), live)
                found.append(took)
                lost += missing
                live.append(Workspace(base, next(numbers), port))
    finally:
        for one in live:
            one.process.kill()
            one.process.wait()
    return found, lost


def main() -> int:
    """Run the rounds and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found, lost = asyncio.run(rounds(options.rounds, 20_000 + secrets.randbelow(20_000), Path(name)))
    print(f"{len(found)} takeovers: {statistics.median(found):.2f} s at the median, {max(found):.2f} s at most")
    print("no session was lost" if not lost else f"{lost} sessions were lost")
    return 1 if lost or max(found) > LIMIT_SECONDS else 0


if __name__ == "__main__":
    raise SystemExit(main())
