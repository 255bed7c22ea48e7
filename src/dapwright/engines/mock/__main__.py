"""`dapwright adapter mock [--port N] [--fault STEP:DEED]`: the toy language's adapter as a process.

On its standard input and output, or for one client on a port. `--fault stackTrace:hangs`
makes it misbehave at that request (faults.py lists the deeds).
"""

import argparse
import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable

from dapwright.core.errors import ProtocolError
from dapwright.core.protocol import Message
from dapwright.engines.mock.faults import Faults, Line
from dapwright.engines.mock.server import Mock


def main(argv: list[str] | None = None) -> int:
    """Serve one client; return the exit code."""
    parser = argparse.ArgumentParser(prog="dapwright adapter mock", description=__doc__)
    parser.add_argument("--port", type=int, help="listen there instead of using standard input and output")
    parser.add_argument("--fault", default="", help="STEP:DEED, such as `launch:dies`")
    parser.add_argument("--early", action="store_true", help="send `initialized` before the launch")
    asked = parser.parse_args(argv)
    asyncio.run(_serve_port(asked) if asked.port is not None else _serve_pipes(asked))
    return 0


class Guarded(Mock):
    """A mock whose requests pass the faults first."""

    faults: Faults

    def hear(self, message: Message) -> None:
        """Answer a request, where the deed lets it through."""
        if self.faults.arrived(message.command):
            super().hear(message)


def build(asked: argparse.Namespace, write: Callable[[bytes], None], end: Callable[[], None]) -> Mock:
    """An engine on a line."""
    loop = asyncio.get_running_loop()
    line = Line(write=write, die=lambda: os._exit(9), freeze=_freeze, stall=lambda _: None, later=loop.call_later)
    step, _, deed = asked.fault.partition(":")
    faults = Faults(line, step, deed)
    mock = Guarded(say=faults.say, later=loop.call_later, end=end)
    mock.faults = faults
    mock.initialized_when = "initialize" if asked.early else "launch"
    return mock


def _freeze() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def _fed(mock: Mock, data: bytes, end: Callable[[], None]) -> None:
    try:
        mock.feed(data)
    except ProtocolError as broken:
        print(f"dapwright: {broken}", file=sys.stderr)
        end()


async def _serve_pipes(asked: argparse.Namespace) -> None:
    pipe = os.dup(1)
    os.dup2(2, 1)
    over = asyncio.Event()
    loop = asyncio.get_running_loop()

    def write(data: bytes) -> None:
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(pipe, view) :]
        except OSError:
            over.set()

    mock = build(asked, write, over.set)

    def read() -> None:
        data = b"-"
        while data:
            try:
                data = os.read(0, 1 << 16)
            except OSError:
                data = b""
            try:
                loop.call_soon_threadsafe(_fed, mock, data, over.set)
            except RuntimeError:
                return

    threading.Thread(target=read, daemon=True).start()
    await over.wait()


async def _serve_port(asked: argparse.Namespace) -> None:
    over = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        mock = build(asked, writer.write, over.set)
        data = b"-"
        while data and not over.is_set():
            data = await reader.read(1 << 16)
            _fed(mock, data, over.set)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", asked.port):
        await over.wait()


if __name__ == "__main__":
    sys.exit(main())
