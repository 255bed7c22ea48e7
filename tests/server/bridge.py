"""Streamable HTTP in front of a server on stdio, for suites that only know a URL: `python bridge.py PORT`."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pipe import Pipe


class Bridge(BaseHTTPRequestHandler):
    """One JSON-RPC message a POST; an answer is one JSON object, and there is no stream."""

    pipe: Pipe

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            message = json.loads(body)
        except ValueError:
            message = None
        self.pipe.raw(body.replace(b"\n", b" "))
        if isinstance(message, dict) and "id" in message and "method" in message:
            self._reply(200, json.dumps(self.pipe.answer(message["id"], 60)).encode())
        else:
            self._reply(202, b"")

    def do_GET(self) -> None:
        self._reply(405, b"")

    do_DELETE = do_GET

    def _reply(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nothing."""


def serve() -> tuple[ThreadingHTTPServer, Pipe]:
    """A bridge on a free port, and the server behind it; the caller runs and closes both."""
    Bridge.pipe = Pipe("serve.py")
    return ThreadingHTTPServer(("127.0.0.1", 0), Bridge), Bridge.pipe


if __name__ == "__main__":
    http, _ = serve()
    print(http.server_address[1], flush=True)
    sys.exit(http.serve_forever())
