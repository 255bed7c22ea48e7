"""The real server as a process, called as an agent would; every wait is bounded."""

import json
import subprocess
import sys
import threading

SECONDS = 60.0


class Served:
    """One server; `call` answers a tool's structured content, `ok` insists on success."""

    def __init__(self, cwd, *arguments):
        self.process = subprocess.Popen(
            [sys.executable, "-m", "dapwright", "serve", *arguments],
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._timer = threading.Timer(SECONDS * 3, self.process.kill)
        self._timer.start()
        self._next = 0
        self.text = ""
        """The text form of the last answer."""
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        self._ask("initialize", hello)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def _ask(self, method, params):
        self._next += 1
        self._send({"jsonrpc": "2.0", "id": self._next, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self._next and "method" not in message:
                return message
        raise AssertionError(f"the server ended during {method}")

    def call(self, tool, **arguments):
        answer = self._ask("tools/call", {"name": tool, "arguments": arguments})
        assert "result" in answer, answer
        self.text = "\n".join(part.get("text", "") for part in answer["result"]["content"])
        return answer["result"]["structuredContent"]

    def ok(self, tool, **arguments):
        told = self.call(tool, **arguments)
        assert told.get("success") is not False, f"{tool}: {told}"
        return told

    def settled(self, told):
        """The next stop or the end, waited for where it is still to come."""
        while told["state"] in ("starting", "running"):
            told = self.ok("wait_for_stop", sessionId=told["sessionId"], timeout=40_000)
        return told

    def run(self, language, *breakpoints, **launch):
        """Make a session, set breakpoints, start; the first stop or the end."""
        session = self.ok("create_debug_session", language=language)["sessionId"]
        for one in breakpoints:
            self.ok("set_breakpoint", sessionId=session, **one)
        return self.settled(self.ok("start_debugging", sessionId=session, wait=40, **launch))

    def go(self, stop):
        return self.settled(self.ok("continue_execution", sessionId=stop["sessionId"], wait=40))

    def close(self):
        self.process.stdin.close()
        self.process.wait(20)
        self.process.stdout.close()
        self._timer.cancel()


def values(stop):
    """The locals of a stop, by name."""
    return {each["name"]: each["value"] for each in stop["locals"]}
