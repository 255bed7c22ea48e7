"""A headless Delve: its process, its JSON-RPC 1.0, and the output of the program under it."""

import asyncio
import itertools
import json
import os
import re
import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dapwright.core.errors import AdapterError, ProtocolError, SetupError

LISTENING = re.compile(rb"API server listening at: 127\.0\.0\.1:(\d+)\r?\n")
SECONDS = 20.0
MOST = 64 * 1024 * 1024
"""Bytes of one answer."""
Json = dict[str, Any]


class Delve:
    """One Delve with its program; requests are answered one after another."""

    def __init__(self, output: Callable[[str, str], None]) -> None:
        self._output = output
        self._ids = itertools.count(1)
        self._process: asyncio.subprocess.Process | None = None
        self._writer: asyncio.StreamWriter | None = None
        self._reader: asyncio.StreamReader | None = None
        self._port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self._pipes: list[asyncio.Task[None]] = []
        self._lock = asyncio.Lock()
        self.program = 0
        """The program's process id, once it is known."""

    async def start(self, argv: Sequence[str], *, cwd: str, env: Mapping[str, str | None]) -> None:
        """Start it and connect.

        Raises:
            SetupError: it does not start, or does not get to listening.
        """
        merged = {key: value for key, value in {**os.environ, **env}.items() if value is not None}
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                *argv, cwd=cwd or None, env=merged, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
            )
        except OSError as bad:
            raise SetupError(f"cannot start `{argv[0]}`: {bad}", "install Delve") from bad
        assert process.stdout and process.stderr
        self._pipes = [
            asyncio.create_task(self._read("stdout", process.stdout)),
            asyncio.create_task(self._read("stderr", process.stderr)),
        ]
        ended = asyncio.create_task(process.wait())
        await asyncio.wait([self._port, ended], timeout=SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if not self._port.done():
            await self.kill()
            raise SetupError("Delve did not begin to listen", "run `dlv exec --headless` on the program by hand once")
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port.result(), limit=MOST)

    async def _read(self, category: str, stream: asyncio.StreamReader) -> None:
        held = b""
        while data := await stream.read(1 << 16):
            if category == "stdout" and not self._port.done():
                held += data
                if (found := LISTENING.search(held)) is None:
                    continue
                self._port.set_result(int(found[1]))
                data = held[: found.start()] + held[found.end() :]
            if data:
                self._output(category, data.decode("utf-8", "replace"))

    async def ask(self, method: str, seconds: float | None = SECONDS, **arguments: Any) -> Json:
        """Call a method of Delve's; the answer's fields.

        Raises:
            AdapterError: Delve refuses, in its own words.
            ProtocolError: it has gone, or does not answer.
        """
        async with self._lock:
            if self._writer is None or self._reader is None:
                raise ProtocolError("Delve has gone")
            said = {"method": f"RPCServer.{method}", "params": [arguments], "id": next(self._ids)}
            self._writer.write(json.dumps(said).encode())
            try:
                async with asyncio.timeout(seconds):
                    line = await self._reader.readline()
            except (TimeoutError, ValueError, OSError) as lost:
                raise ProtocolError(f"Delve did not answer `{method}`") from lost
        if not line:
            raise ProtocolError("Delve has gone")
        answer = json.loads(line)
        if answer.get("error"):
            raise AdapterError(str(answer["error"]))
        return answer.get("result") or {}

    async def drain(self) -> None:
        """Wait until what the program printed is told, once it has ended."""
        await self.kill()
        await asyncio.wait(self._pipes, timeout=2)

    async def kill(self) -> None:
        """End Delve and the program with it."""
        for pid in filter(None, (self.program, self._process.pid if self._process else 0)):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                continue
        if self._process is not None:
            await self._process.wait()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
