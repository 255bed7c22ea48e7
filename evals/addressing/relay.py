"""Stands between an agent and the server, and writes down every message: `relay.py LOG FOLDER COMMAND...`.

Each line of LOG is `{time, relay, way, bytes, message}`; `relay` is this process, since an agent may
start its servers more than once. `way` is `ask` (from the agent), `answer`, or of our own:

- `begin`, `end`: this process and the server's; with `end` nothing of the two is left;
- `file`: the text of a program of FOLDER, before the first answer and again whenever it was edited,
  so that a line of an answer can be read as the text that stood there at the time;
- `bound`: the breakpoints after a `debug_test` that carried some, whose answer does not list them;
- `audit`: the audit trail of a session, before it is closed and when the agent hangs up.
"""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import FrameType
from typing import Any

OURS = "addressing-relay-"
CLOSING = ("close_debug_session", "stop_debugging")
ANSWERED, DRAINED, ENDED = 5, 10, 15
"""Seconds for one question of our own; for the server's last words; for its end."""


class Log:
    """One line a message."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "a", encoding="utf-8")  # noqa: SIM115
        self._lock = threading.Lock()

    def write(self, way: str, line: bytes) -> None:
        """Keep one message; what is no JSON is kept as text."""
        try:
            message = json.loads(line)
        except ValueError:
            message = line.decode(errors="replace")
        self.tell(way, message, len(line))

    def tell(self, way: str, message: object, size: int = 0) -> None:
        """Keep one row, whole or not at all."""
        row = {"time": time.time(), "relay": os.getpid(), "way": way, "bytes": size, "message": message}
        with self._lock:
            self._file.write(json.dumps(row) + "\n")
            self._file.flush()


class Relay:
    """Both directions, and the few questions of our own."""

    def __init__(self, log: Log, folder: Path, command: list[str]) -> None:
        self.log, self.folder = log, folder
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.finishing = False
        self._came = threading.Condition()
        self._sending = threading.Lock()
        self._answers: dict[str, dict[str, Any] | None] = {}
        self._held: dict[str, tuple[Any, bytes]] = {}
        self._testing: set[Any] = set()
        self._seen: dict[Path, tuple[int, int]] = {}
        self._number = 0
        self._gone = False

    def send(self, line: bytes) -> None:
        """Pass a line on to the server; one that has ended is told by the reader."""
        assert self.server.stdin is not None
        with self._sending:
            try:
                self.server.stdin.write(line)
                self.server.stdin.flush()
            except OSError:
                pass

    def question(self, method: str, params: dict[str, Any]) -> str:
        """Send a request of our own; its id."""
        with self._came:
            self._number += 1
            identity = f"{OURS}{self._number}"
            self._answers[identity] = None
        self.send(json.dumps({"jsonrpc": "2.0", "id": identity, "method": method, "params": params}).encode() + b"\n")
        return identity

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to a request of our own; empty where none comes."""
        identity = self.question(method, params)
        with self._came:
            self._came.wait_for(lambda: self._answers[identity] is not None or self._gone, ANSWERED)
            return self._answers.pop(identity) or {}

    def audits(self) -> None:
        """Keep the audit trail of every session that is left."""
        listed = self.ask("resources/list", {}).get("result") or {}
        for one in listed.get("resources", []):
            if str(one["uri"]).endswith("/audit"):
                self.log.tell("audit", {"uri": one["uri"], **self.ask("resources/read", {"uri": one["uri"]})})

    def from_agent(self, line: bytes) -> None:
        """Pass a request on; a session's audit trail is read before the session is closed."""
        self.log.write("ask", line)
        params = _params(line)
        if params.get("name") in CLOSING:
            self.audits()
        arguments = params.get("arguments")
        if params.get("name") == "debug_test" and isinstance(arguments, dict) and arguments.get("breakpoints"):
            self._testing.add(json.loads(line).get("id"))
        self.send(line)

    def from_server(self) -> None:
        """Pass every answer on, until the server has ended."""
        assert self.server.stdout is not None
        for line in self.server.stdout:
            message = _object(line)
            identity = message.get("id")
            if isinstance(identity, str) and identity.startswith(OURS):
                self._own(identity, message)
                continue
            if "result" in message or "error" in message:
                self._snapshot()
            session = ((message.get("result") or {}).get("structuredContent") or {}).get("sessionId")
            if identity is not None and identity in self._testing and session:
                self._testing.discard(identity)
                call = {"name": "list_breakpoints", "arguments": {"sessionId": session}}
                self._held[self.question("tools/call", call)] = (identity, line)
                continue
            self._forward(line)
        with self._came:
            self._gone = True
            self._came.notify_all()
        if not self.finishing:  # the agent must not wait for a server that has ended
            self.log.tell("end", {"code": self.server.wait(ENDED), "alone": True})
            os._exit(1)

    def _own(self, identity: str, message: dict[str, Any]) -> None:
        if identity in self._held:
            asked, line = self._held.pop(identity)
            told = (message.get("result") or {}).get("structuredContent") or {}
            self.log.tell("bound", {"id": asked, "answer": told})
            self._forward(line)
            return
        with self._came:
            if identity in self._answers:
                self._answers[identity] = message
            self._came.notify_all()

    def _forward(self, line: bytes) -> None:
        self.log.write("answer", line)
        try:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        except OSError:  # the agent is gone; what the server still says is kept all the same
            pass

    def _snapshot(self) -> None:
        for path in sorted(self.folder.glob("*.py")):
            try:
                told = path.stat()
                if self._seen.get(path) == (told.st_mtime_ns, told.st_size):
                    continue
                text = path.read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            self._seen[path] = (told.st_mtime_ns, told.st_size)
            self.log.tell("file", {"name": path.name, "text": text})

    def finish(self) -> int:
        """Read the audit trails, let the server end, and see that it does."""
        self.audits()
        self.finishing = True
        assert self.server.stdin is not None
        try:
            self.server.stdin.close()
        except OSError:
            pass
        try:
            code = self.server.wait(ENDED)
        except subprocess.TimeoutExpired:
            self.server.kill()
            code = self.server.wait(ENDED)
        return code


def _object(line: bytes) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        return {}
    return message if isinstance(message, dict) else {}


def _params(line: bytes) -> dict[str, Any]:
    message = _object(line)
    params = message.get("params")
    return params if message.get("method") == "tools/call" and isinstance(params, dict) else {}


class HungUp(BaseException):
    """The runner asks us to end as if the agent had hung up."""


def _hang_up(number: int, frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise HungUp


def main() -> int:
    """Pass everything on in both directions until the agent hangs up."""
    log = Log(sys.argv[1])
    relay = Relay(log, Path(sys.argv[2]), sys.argv[3:])
    log.tell("begin", {"relay": os.getpid(), "server": relay.server.pid})
    reader = threading.Thread(target=relay.from_server, daemon=True)
    reader.start()
    signal.signal(signal.SIGTERM, _hang_up)
    try:
        for line in sys.stdin.buffer:
            relay.from_agent(line)
    except HungUp:
        pass
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    code = relay.finish()
    reader.join(DRAINED)
    log.tell("end", {"code": code})
    return code


if __name__ == "__main__":
    raise SystemExit(main())
