"""Lets a suite that only knows a URL in at the HTTP server's door: adds the token, and calls it by its own name."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Door(BaseHTTPRequestHandler):
    """Hands a request on as it is, but for the token, and our own address where the suite meant it."""

    site = None

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        here, there = f":{self.server.server_address[1]}", f":{self.site.port}"
        kept = {k: v.replace(here, there) for k, v in self.headers.items() if k.lower() not in ("connection",)}
        kept.setdefault("Authorization", f"Bearer {self.site.token()}")
        beyond = http.client.HTTPConnection("127.0.0.1", self.site.port, timeout=60)
        try:
            beyond.request(self.command, self.path, body, kept)
            reply = beyond.getresponse()
            self.send_response(reply.status)
            for name, value in reply.getheaders():
                if name.lower() not in ("transfer-encoding", "connection", "content-length", "date", "server"):
                    self.send_header(name, value)
            self.send_header("Connection", "close")
            self.end_headers()
            while data := reply.read1(65536):
                self.wfile.write(data)
                self.wfile.flush()
        except OSError:
            pass  # either side has gone
        finally:
            beyond.close()
            self.close_connection = True

    do_GET = do_DELETE = do_PUT = do_OPTIONS = do_POST

    def log_message(self, *_):
        """Nothing."""


def open_door(site):
    """A door on a free port, served by a thread until it is shut down."""
    door = ThreadingHTTPServer(("127.0.0.1", 0), type("DoorOfSite", (Door,), {"site": site}))
    door.daemon_threads = True
    threading.Thread(target=door.serve_forever, daemon=True).start()
    return door
