"""A small MCP client over stdio, standard library only, so that it costs every server the same.

with Server([...], cwd=folder) as server:
    answer = server.call("step_over", sessionId="s1")
"""

import json
import os
import queue
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

BOUND = 120.0
"""Seconds that one request may take."""


class Refused(Exception):
    """A tool answered with an error, or the server with one of its own."""


class Server:
    """One server process, from its start to the end of its input."""

    def __init__(self, argv: Sequence[str], *, cwd: Path, env: Mapping[str, str] | None = None) -> None:
        self.seconds = 0.0
        """How long the last request took."""
        self.raw: dict[str, Any] = {}
        """The last result, as it came."""
        self._last = 0
        self._waiting: dict[int, queue.Queue[dict[str, Any]]] = {}
        self.process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
        self.request("initialize", hello)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def request(self, method: str, params: Mapping[str, Any], bound: float = BOUND) -> dict[str, Any]:
        """Send a request and return its result.

        Raises:
            Refused: the server answered with an error, or ended.
            queue.Empty: nothing came within `bound` seconds.
        """
        self._last += 1
        box = self._waiting[self._last] = queue.Queue()
        began = time.perf_counter()
        self._write({"jsonrpc": "2.0", "id": self._last, "method": method, "params": params})
        reply = box.get(timeout=bound)
        self.seconds = time.perf_counter() - began
        if "error" in reply:
            raise Refused(f"{method}: {reply['error'].get('message')}")
        self.raw = reply["result"]
        return self.raw

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and return its structured answer, or its text read as JSON.

        Raises:
            Refused: the tool said no; the message holds its words.
        """
        result = self.request("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(part.get("text", "") for part in result.get("content", ()))
        answer = result.get("structuredContent")
        if answer is None:
            answer = json.loads(text) if text.startswith("{") else {"text": text}
        if result.get("isError") or answer.get("success") is False:
            raise Refused(f"{tool}: {text}")
        return answer

    def close(self) -> None:
        """End the server's input and wait for it; kill it where it does not end within 15 s."""
        self.process.stdin.close()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(15)
        self._reader.join(15)
        self.process.stdout.close()

    def _write(self, message: Mapping[str, Any]) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def _read(self) -> None:
        for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                continue
            box = self._waiting.pop(message.get("id"), None) if "method" not in message else None
            if box is not None:
                box.put(message)
        for box in list(self._waiting.values()):
            box.put({"error": {"message": "the server closed its output"}})
