"""A real `dapwright serve --http` process, and plain requests to it; every wait is bounded."""

import http.client
import itertools
import json
import os
import signal
import socket
import subprocess
import sys

from waits import until_blocking

NUMBERS = itertools.count(2)
PROGRAM = "colour = {name!r}\nfor i in range(3):\n    print(colour, i)\n"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Site:
    """One server for one folder; `runtime` is the registry's folder, shared by those behind one port."""

    def __init__(self, folder, runtime, port, *more, env=None):
        self.folder, self.port = folder, port
        self.token_file = folder / "token"
        self.log = folder / "http.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "dapwright", "serve", "--http", "--port", str(port)]
                + ["--token-file", str(self.token_file), *more],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "DAPWRIGHT_RUNTIME": str(runtime), **(env or {})},
            )
        until_blocking(self.token, 20)
        until_blocking(self.listening, 20)

    def token(self):
        return self.token_file.read_text().strip() if self.token_file.exists() else ""

    def listening(self):
        try:
            socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
            return True
        except OSError:
            return False

    def request(self, method="POST", body=b"", path="/mcp", **headers):
        """Send one request; its status, its text, its headers. A header that is None is left out."""
        raw = body if isinstance(body, bytes) else json.dumps(body).encode()
        sent = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {self.token()}",
        }
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, raw, {name: value for name, value in sent.items() if value is not None})
            reply = connection.getresponse()
            return reply.status, reply.read().decode(), {name.lower(): value for name, value in reply.getheaders()}
        finally:
            connection.close()

    def hello(self, **headers):
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        return self.request(body={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}, **headers)

    def ask(self, method, params=None, **headers):
        """The JSON-RPC answer to a request."""
        body = {"jsonrpc": "2.0", "id": next(NUMBERS), "method": method, "params": params or {}}
        status, text, _ = self.request(body=body, MCP_Protocol_Version="2025-06-18", **headers)
        for line in text.splitlines():
            line = line.removeprefix("data:").strip()
            if line.startswith("{") and '"id"' in line:
                return json.loads(line)
        raise AssertionError(f"no answer: {status} {text[:300]}")

    def client(self):
        """Shake hands; the headers of that client."""
        headers = {"Mcp_Session_Id": self.hello()[2]["mcp-session-id"]}
        self.request(body={"jsonrpc": "2.0", "method": "notifications/initialized"}, **headers)
        return headers

    def tool(self, name, arguments=None, client=None):
        """The structured answer of a tool, to a client of its own where none is given."""
        headers = client if client is not None else self.client()
        return self.ask("tools/call", {"name": name, "arguments": arguments or {}}, **headers)["result"][
            "structuredContent"
        ]

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(15)


def program(folder, name):
    """A folder with a small program."""
    folder.mkdir()
    (folder / "job.py").write_text(PROGRAM.format(name=name))
    return str(folder / "job.py")


def stop_at(script):
    """Arguments of start_debugging that stop inside the loop."""
    return {"scriptPath": script, "breakpoints": [{"file": script, "statement": "print(colour, i)"}]}
