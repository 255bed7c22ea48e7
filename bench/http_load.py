"""Many clients at one HTTP server: `bench/http_load.py [--clients 50] [--sessions 200]`.

Each client opens its share of debug sessions of the toy language, one call of each kind a session
(start to a breakpoint, evaluate, variables, output, go on to the end, close), while all others do the
same. Every answer is checked against what that very session must say, so that an answer that is lost,
late or another's is counted; the exit code is 1 where there is one.
"""

import argparse
import asyncio
import json
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
from memory import megabytes

PROGRAM = "x = 1\nx = x + 1\nprint it is {x}\n"
LIMIT_SECONDS = 120.0


class Client:
    """One MCP client: a handshake, then calls."""

    def __init__(self, web: httpx2.AsyncClient, url: str, token: str) -> None:
        self._web = web
        self._url = url
        self._headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
        self._next = 0
        self.seconds: list[float] = []

    async def open(self) -> "Client":
        """Shake hands."""
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "load", "version": "1"}}
        reply = await self._post({"id": 0, "method": "initialize", "params": about})
        self._headers["Mcp-Session-Id"] = reply.headers["mcp-session-id"]
        await self._post({"method": "notifications/initialized"})
        return self

    async def _post(self, message: dict[str, Any]) -> httpx2.Response:
        return await self._web.post(self._url, json={"jsonrpc": "2.0", **message}, headers=self._headers)

    async def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The structured answer of a tool."""
        self._next += 1
        began = time.perf_counter()
        params = {"name": name, "arguments": arguments}
        reply = await self._post({"id": self._next, "method": "tools/call", "params": params})
        self.seconds.append(time.perf_counter() - began)
        answers = [json.loads(line[5:]) for line in reply.text.splitlines() if line.startswith("data:")]
        mine = [one for one in answers if one.get("id") == self._next]
        if len(mine) != 1 or "result" not in mine[0]:
            raise AssertionError(f"{name}: {reply.status_code} {reply.text[:200]}")
        told: dict[str, Any] = mine[0]["result"]["structuredContent"]
        return told


async def session(client: Client, folder: Path, number: int) -> None:
    """The calls of one debug session, each answer checked."""
    script = folder / f"job{number}.mock"
    script.write_text(PROGRAM.replace("x", f"x{number}"))
    place = {"file": str(script), "line": 2}
    stop = await client.call("start_debugging", language="mock", scriptPath=str(script), breakpoints=[place], wait=True)
    assert stop.get("state") == "paused" and stop["location"]["file"] == str(script), stop
    named = {"sessionId": stop["sessionId"]}
    value = await client.call("evaluate_expression", **named, expression=f"x{number} + {number}")
    assert value.get("result") == str(number + 1), value
    found = await client.call("get_local_variables", **named)
    assert f"x{number}" in [one["name"] for one in found.get("variables", ())], found
    end = await client.call("continue_execution", **named, wait=True)
    assert end.get("state") == "stopped", end
    output = await client.call("get_output", **named)
    assert "".join(one["output"] for one in output.get("entries", ())) == "it is 2\n", output
    closed = await client.call("close_debug_session", **named)
    assert closed.get("success"), closed


async def one_client(url: str, token: str, folder: Path, numbers: range, lost: list[str]) -> list[float]:
    """All sessions of a client, one after the other."""
    async with httpx2.AsyncClient(timeout=LIMIT_SECONDS) as web:
        client = await Client(web, url, token).open()
        for number in numbers:
            try:
                await session(client, folder, number)
            except Exception as wrong:
                lost.append(f"session {number}: {type(wrong).__name__}: {str(wrong)[:300]}")
        return client.seconds


async def load(url: str, token: str, folder: Path, clients: int, sessions: int) -> tuple[list[float], list[str]]:
    """Everything at once; the seconds of each call, and what was lost."""
    lost: list[str] = []
    shares = [range(first, sessions, clients) for first in range(clients)]
    times = await asyncio.gather(*(one_client(url, token, folder, share, lost) for share in shares))
    return [second for one in times for second in one], lost


def serve(folder: Path, port: int) -> "subprocess.Popen[bytes]":
    """A server of its own for the load."""
    command = [sys.executable, "-m", "dapwright", "serve", "--http", "--port", str(port)]
    env = {**os.environ, "DAPWRIGHT_RUNTIME": str(folder / "run")}
    log = (folder / "log").open("wb")
    process = subprocess.Popen([*command, "--token-file", str(folder / "token")], cwd=folder, env=env, stderr=log)
    end = time.monotonic() + 30
    while not (folder / "token").exists() or b"serving" not in (folder / "log").read_bytes():
        if time.monotonic() > end or process.poll() is not None:
            raise SystemExit((folder / "log").read_text())
        time.sleep(0.05)
    return process


def main() -> int:
    """Run the load and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--sessions", type=int, default=200)
    parser.add_argument("--port", type=int, default=20_000 + secrets.randbelow(20_000))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        server = serve(folder, options.port)
        try:
            url, token = f"http://127.0.0.1:{options.port}/mcp", (folder / "token").read_text().strip()
            began = time.perf_counter()
            seconds, lost = asyncio.run(load(url, token, folder, options.clients, options.sessions))
            took, held = time.perf_counter() - began, megabytes(server.pid)
        finally:
            server.terminate()
            server.wait(30)
    ranked = sorted(seconds)
    print(f"{options.sessions} sessions of {options.clients} clients: {len(seconds)} calls in {took:.1f} s")
    print(
        f"a call: {statistics.median(ranked):.3f} s at the median, {ranked[int(len(ranked) * 0.99) - 1]:.3f} s at p99"
    )
    print(f"the server holds {held:.0f} MB afterwards" if held else "memory is not known here")
    print("nothing was lost" if not lost else f"{len(lost)} sessions lost something:\n" + "\n".join(lost[:10]))
    return 1 if lost else 0


if __name__ == "__main__":
    raise SystemExit(main())
