"""How a debug adapter misbehaves: one deed at one request, for whoever tests a client.

A deed strikes when a request arrives (`ARRIVING`), or changes what is written as its
answer (`ANSWERING`). `LETHAL`, `MUTE` and so on say what a client may expect of each.
"""

from collections.abc import Callable, Mapping
from typing import Any

from dapwright.core.protocol import encode
from dapwright.core.wire import frame

Message = Mapping[str, Any]
FLOOD = 100_000
HUGE = 64 * 1024 * 1024


class Line:
    """The adapter's end of the connection, as a deed may use it."""

    def __init__(
        self,
        *,
        write: Callable[[bytes], None],
        die: Callable[[], None],
        freeze: Callable[[], None],
        stall: Callable[[float], None],
        later: Callable[[float, Callable[[], None]], Any],
    ) -> None:
        self.write = write
        self.die = die
        """Exit at once, without a word."""
        self.freeze = freeze
        """Hear and say nothing more, and stay alive (SIGSTOP)."""
        self.stall = stall
        """Stop the client's own loop for seconds (in memory alone)."""
        self.later = later

    def event(self, name: str, body: Any = None) -> None:
        """Send an event."""
        self.write(encode({"seq": 0, "type": "event", "event": name, "body": body}))


Arriving = Callable[[Line], bool]
"""Acts when the request comes; false swallows it."""
Answering = Callable[[Line, Message, bytes], None]
"""Writes the answer in its own way; `bytes` is the frame as it should be."""


def _die(line: Line) -> bool:
    line.die()
    return False


def _freeze(line: Line) -> bool:
    line.freeze()
    return False


def _stall(seconds: float) -> Arriving:
    def act(line: Line) -> bool:
        line.stall(seconds)
        return True

    return act


ARRIVING: dict[str, Arriving] = {
    "dies": _die,
    "hangs": lambda line: False,
    "is-stopped": _freeze,
    "our-loop-stalls": _stall(4),
    "our-loop-stalls-long": _stall(65),
}


def _writes(*parts: bytes | None) -> Answering:
    """Write these bytes around the answer, which is None."""

    def act(line: Line, message: Message, whole: bytes) -> None:
        for part in parts:
            line.write(whole if part is None else part)

    return act


def _event(name: str, body: Any = None, *, after: bool = False) -> Answering:
    def act(line: Line, message: Message, whole: bytes) -> None:
        if after:
            line.write(whole)
        line.event(name, body)
        if not after:
            line.write(whole)

    return act


def _cut(keep: Callable[[bytes], bytes]) -> Answering:
    return lambda line, message, whole: line.write(keep(whole))


def _changed(**changes: Any) -> Answering:
    return lambda line, message, whole: line.write(encode({**message, **changes}))


def _then_die(keep: Callable[[bytes], bytes]) -> Answering:
    def act(line: Line, message: Message, whole: bytes) -> None:
        line.write(keep(whole))
        line.die()

    return act


def _late(seconds: float) -> Answering:
    return lambda line, message, whole: line.later(seconds, lambda: line.write(whole))


def _bytewise(line: Line, message: Message, whole: bytes) -> None:
    for at in range(len(whole)):
        line.write(whole[at : at + 1])


def _odd_header(line: Line, message: Message, whole: bytes) -> None:
    body = whole.split(b"\r\n\r\n", 1)[1]
    line.write(b"content-length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n" % len(body))
    line.write(body)


def _odd_text(line: Line, message: Message, whole: bytes) -> None:
    body = whole.split(b"\r\n\r\n", 1)[1]
    noise = (
        b'{"seq":0,"type":"event","event":"output","body":{"category":"stdout","output":"\xff\xfe \\ud800 \\u0000"}}'
    )
    line.write(frame(noise) + frame(body))


def _flood(line: Line, message: Message, whole: bytes) -> None:
    one = encode({"seq": 0, "type": "event", "event": "output", "body": {"category": "console", "output": "flood\n"}})
    for _ in range(FLOOD // 1000):
        line.write(one * 1000)
    line.write(whole)


def _huge(line: Line, message: Message, whole: bytes) -> None:
    body = {"category": "stdout", "output": "x" * HUGE}
    line.write(encode({"seq": 0, "type": "event", "event": "output", "body": body}) + whole)


def _freeze_after(line: Line, message: Message, whole: bytes) -> None:
    line.write(whole)
    line.freeze()


def _reverse(command: str, arguments: Any) -> Answering:
    asked = {"seq": 9000, "type": "request", "command": command, "arguments": arguments}
    return _writes(encode(asked), None)


ANSWERING: dict[str, Answering] = {
    # the answer, otherwise
    "answers-twice": _writes(None, None),
    "answers-late": _late(3),
    "answers-too-late": _late(90),
    "refuses": _changed(success=False, message="the engine says no", body=None),
    "refuses-without-words": _changed(success=False, message=None, body=None),
    "answers-another-request": _changed(request_seq=99_999),
    "answers-null": _changed(body=None),
    "answers-a-list": _changed(body=[1, 2, 3]),
    "answers-a-text": _changed(body="text"),
    "answers-in-texts": _changed(seq="12"),
    # the stream
    "splits-bytewise": _bytewise,
    "odd-header": _odd_header,
    "prints-before": _writes(b"Welcome to the adapter v1\nlistening\n", None),
    "prints-after": _writes(None, b"DEBUGGER: Session start\n"),
    "invalid-text": _odd_text,
    "drops-first-byte": _cut(lambda whole: whole[1:]),
    "drops-middle-byte": _cut(lambda whole: whole[: len(whole) // 2] + whole[len(whole) // 2 + 1 :]),
    "drops-last-byte": _cut(lambda whole: whole[:-1]),
    "garbage-body": _writes(b"Content-Length: 9\r\n\r\n{not json", None),
    "deep-body": _writes(frame(b"[" * 200_000), None),
    "huge-header": _writes(b"Content-Length: 999999999999\r\n\r\n"),
    "negative-header": _writes(b"Content-Length: -5\r\n\r\n"),
    "endless-header": _writes(b"Content-Length: 5" + b" " * 3_000_000),
    "not-json-rpc": _writes(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"),
    "dies-half-way": _then_die(lambda whole: whole[: len(whole) // 2]),
    "dies-in-the-header": _then_die(lambda whole: whole[:7]),
    "dies-after": _then_die(lambda whole: whole),
    "is-stopped-after": _freeze_after,
    # events and requests that nobody expects
    "floods": _flood,
    "sends-64-mb": _huge,
    "initialized-again": _event("initialized", {}),
    "unknown-event": _event("somebodysOwnEvent", {"a": [1, {"b": None}]}),
    "event-without-body": _event("output"),
    "stopped-without-body": _event("stopped"),
    "stopped-malformed": _event("stopped", {"reason": 5, "threadId": "abc", "hitBreakpointIds": "x"}),
    "output-malformed": _event("output", {"output": {"a": 1}, "category": 7}),
    "breakpoint-unknown": _event("breakpoint", {"reason": "changed", "breakpoint": {"id": 777, "verified": True}}),
    "breakpoint-malformed": _event("breakpoint", {"reason": "changed", "breakpoint": "b"}),
    "thread-unknown": _event("thread", {"reason": "exited", "threadId": 4711}),
    "continued-unasked": _event("continued", {"threadId": 1, "allThreadsContinued": True}),
    "stopped-unasked": _event("stopped", {"reason": "pause", "threadId": 1, "allThreadsStopped": True}, after=True),
    "terminated-unasked": _event("terminated", {}),
    "terminated-after": _event("terminated", {}, after=True),
    "exited-unasked": _event("exited", {"exitCode": 3}),
    "asks-the-unknown": _reverse("makeCoffee", {"sugar": True}),
    "asks-without-sense": _reverse("startDebugging", None),
    "starts-a-dead-child": _reverse("startDebugging", {"configuration": {"connect": {"host": "127.0.0.1", "port": 1}}}),
    "runs-nothing": _reverse("runInTerminal", {"args": []}),
}


class Faults:
    """Stands between an engine and its line; the deed is done once, at the first such request."""

    def __init__(self, line: Line, step: str = "", deed: str = "") -> None:
        if deed and deed not in ARRIVING and deed not in ANSWERING:
            raise ValueError(f"`{deed}` is none of: " + ", ".join((*ARRIVING, *ANSWERING)))
        self._line = line
        self._step, self._deed = step, deed
        self.struck = False

    def arrived(self, command: str) -> bool:
        """Tell whether a request may reach the engine."""
        if command != self._step or self._deed not in ARRIVING or self.struck:
            return True
        self.struck = True
        return ARRIVING[self._deed](self._line)

    def say(self, message: Message) -> None:
        """Write a message of the engine."""
        whole = encode(message)
        mine = message.get("type") == "response" and message.get("command") == self._step
        if mine and self._deed in ANSWERING and not self.struck:
            self.struck = True
            ANSWERING[self._deed](self._line, message, whole)
        else:
            self._line.write(whole)
