"""A plain JSON-RPC client on a server process's pipes; every wait is bounded."""

import json
import os
import queue
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).parent
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Pipe:
    """One server; `notes` holds the notifications, `asks` the requests that it sent."""

    def __init__(self, script, *arguments, env=None):
        self.process = subprocess.Popen(
            [sys.executable, str(HERE / script), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
        )
        self.notes, self.asks, self.stray = queue.Queue(), queue.Queue(), []
        self.errors = []
        self._answers = queue.Queue()
        self._kept = {}
        self._next = 0
        self._threads = [threading.Thread(target=read, daemon=True) for read in (self._read, self._read_errors)]
        for thread in self._threads:
            thread.start()

    def _read(self):
        for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                self.stray.append(line)
                continue
            if "method" in message:
                (self.asks if "id" in message else self.notes).put(message)
            else:
                self._answers.put(message)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def raw(self, line):
        self.process.stdin.write(line if line.endswith(b"\n") else line + b"\n")
        self.process.stdin.flush()

    def send(self, message):
        self.raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def start(self, method, params=None, *, stateless=False, meta=None):
        """Send a request; its id."""
        self._next += 1
        params = dict(params or {})
        if stateless:
            params["_meta"] = {**META, **(meta or {})}
        elif meta:
            params["_meta"] = meta
        self.send({"id": self._next, "method": method, "params": params})
        return self._next

    def answer(self, id, seconds=5):
        """The answer to a request; others that come first are kept."""
        key = json.dumps(id)
        while key not in self._kept:
            message = self._answers.get(timeout=seconds)
            self._kept.setdefault(json.dumps(message.get("id")), []).append(message)
        message = self._kept[key].pop(0)
        if not self._kept[key]:
            del self._kept[key]
        return message

    def ask(self, method, params=None, **more):
        return self.answer(self.start(method, params, **more))

    def call(self, tool, arguments=None, **more):
        return self.ask("tools/call", {"name": tool, "arguments": arguments or {}}, **more)["result"]

    def handshake(self, version="2025-06-18", capabilities=None):
        params = {
            "protocolVersion": version,
            "capabilities": capabilities or {},
            "clientInfo": {"name": "t", "version": "1"},
        }
        answer = self.ask("initialize", params)
        self.send({"method": "notifications/initialized"})
        return answer["result"]

    def unanswered(self):
        """All answers that nobody asked for so far."""
        while not self._answers.empty():
            message = self._answers.get()
            self._kept.setdefault(json.dumps(message.get("id")), []).append(message)
        return [message for kept in self._kept.values() for message in kept]

    def close(self, seconds=5):
        """End the input; the exit code."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        code = self.process.wait(seconds)
        for thread in self._threads:
            thread.join(5)
        self.process.stdout.close()
        self.process.stderr.close()
        return code

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
        try:
            self.close()
        except BrokenPipeError:
            pass
