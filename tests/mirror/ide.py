"""A bare DAP client over TCP, as an IDE would be; every wait is bounded."""

import json
import socket


class Ide:
    """One connection; `events` holds what came so far."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.file = self.socket.makefile("rb")
        self.seq = 0
        self.events = []

    def read(self):
        length = 0
        while (line := self.file.readline()) != b"\r\n":
            if not line:
                raise EOFError
            if line.lower().startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        return json.loads(self.file.read(length))

    def ask(self, command, **arguments):
        """The response to a request."""
        self.seq += 1
        body = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.socket.sendall(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        while True:
            message = self.read()
            if message["type"] == "response" and message["request_seq"] == self.seq:
                return message
            self.events.append(message)

    def event(self, name):
        """The body of the next event of that name, one that was heard already first."""
        while True:
            for at, message in enumerate(self.events):
                if message.get("event") == name:
                    return self.events.pop(at)["body"]
            self.events.append(self.read())

    def attach(self, token):
        self.ask("initialize", adapterID="x")
        return self.ask("attach", mirrorToken=token)

    def close(self):
        self.file.close()
        self.socket.close()
