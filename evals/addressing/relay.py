"""Stands between an agent and the server, and writes down every message: `relay.py LOG COMMAND...`.

When the agent hangs up, it asks the server for the audit trail of every session that is left,
and only then lets it end. Each line of LOG is `{time, way, bytes, message}`; `way` is `ask`
(from the agent), `answer`, or `audit`.
"""

import json
import subprocess
import sys
import threading
import time


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
        row = {"time": time.time(), "way": way, "bytes": len(line), "message": message}
        with self._lock:
            self._file.write(json.dumps(row) + "\n")
            self._file.flush()


def main() -> int:
    """Pass everything on in both directions until the agent hangs up."""
    log = Log(sys.argv[1])
    server = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert server.stdin is not None and server.stdout is not None
    ours: dict[str, list[bytes]] = {}
    came = threading.Condition()

    def answers() -> None:
        assert server.stdout is not None
        for line in server.stdout:
            identity = json.loads(line).get("id") if line.startswith(b"{") else None
            if isinstance(identity, str) and identity.startswith("relay-"):
                with came:
                    ours.setdefault(identity, []).append(line)
                    came.notify()
                continue
            log.write("answer", line)
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()
        with came:
            ours["end"] = []
            came.notify()

    def ask(identity: str, method: str, params: dict[str, str]) -> dict[str, object]:
        asked = {"jsonrpc": "2.0", "id": identity, "method": method, "params": params}
        assert server.stdin is not None
        server.stdin.write(json.dumps(asked).encode() + b"\n")
        server.stdin.flush()
        with came:
            came.wait_for(lambda: identity in ours or "end" in ours, 10)
        return json.loads(ours[identity][0]) if identity in ours else {}

    reader = threading.Thread(target=answers, daemon=True)
    reader.start()
    for line in sys.stdin.buffer:
        log.write("ask", line)
        server.stdin.write(line)
        server.stdin.flush()
    listed = ask("relay-list", "resources/list", {}).get("result", {})
    for number, one in enumerate(listed.get("resources", [])):  # type: ignore[attr-defined]
        if str(one["uri"]).endswith("/audit"):
            log.write("audit", json.dumps(ask(f"relay-{number}", "resources/read", {"uri": one["uri"]})).encode())
    server.stdin.close()
    reader.join(10)
    return server.wait(20)


if __name__ == "__main__":
    raise SystemExit(main())
