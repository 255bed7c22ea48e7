"""The program that we launch: its process, its pipes, its end, and the children that announce themselves."""

import asyncio
import codecs
import json
import os
import re
import signal
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dapwright.core.errors import SetupError, WrongState
from dapwright.engines.node.guard import Guard
from dapwright.engines.node.scripts import PRELOAD

DRAIN_SECONDS = 1.0
"""How long the pipes may stay open after the end: a child that lives on may hold them for ever."""
NOISE = (
    "Debugger listening on ws://",
    "For help, see: https://nodejs.org/",
    "Debugger attached.",
    "Debugger ending on ws://",
    "Waiting for the debugger to disconnect...",
    "Visit chrome://inspect to connect to the debugger.",
    "Deno is waiting for debugger to connect.",
    "Debugger session started",
    "Debugger session ended",
)
"""What Node and Deno themselves print on standard error because of us."""
_INSPECTOR = re.compile(r"^Debugger listening on (ws://\S+)\n", re.M)


class Program:
    """A launched process. `announced` is called for each Node process of its tree that waits for a debugger."""

    def __init__(self, *, output: Callable[[str, str], None], announced: Callable[[dict[str, Any]], None]) -> None:
        self.pid = 0
        self.pids: set[int] = set()
        """Every process of the tree that announced itself."""
        self.last_words = ""
        """The end of what it printed on standard error."""
        self.tells_inspector = False
        """No preload of ours announces it: its first words on standard error do (Deno)."""
        self._output = output
        self._announced = announced
        self._folder = ""
        self._pipe = -1
        self._partial = b""
        self._words = ""
        self._guard = Guard()
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, argv: list[str], *, cwd: str, env: Mapping[str, str | None], children: bool) -> None:
        """Start it.

        Raises:
            SetupError: it cannot be started.
        """
        merged = {k: v for k, v in {**os.environ, **env}.items() if v is not None}
        self._listen()
        if not self.tells_inspector:  # Deno would load the preload too, without the right to read its environment
            merged |= {"DAPWRIGHT_NODE": str(Path(self._folder) / "hello"), "NODE_OPTIONS": _options(merged)}
        if not children:
            merged["DAPWRIGHT_NODE_CHILDREN"] = "0"
        pipe = asyncio.subprocess.PIPE
        try:
            self._process = await asyncio.create_subprocess_exec(
                *argv, cwd=cwd or None, env=merged, stdin=pipe, stdout=pipe, stderr=pipe
            )
        except (OSError, ValueError) as bad:
            self._unlisten()
            raise SetupError(f"cannot start `{argv[0]}` in `{cwd}`: {bad}", _start_hint(argv[0], cwd)) from bad
        self.pid = self._process.pid
        await self._guard.start()
        self._guard.add(self.pid)

    async def wait(self) -> dict[str, Any]:
        """Pass on all output; return the body of `exited` once the process has ended and its pipes are drained."""
        assert self._process and self._process.stdout and self._process.stderr
        readers = [
            asyncio.create_task(self._read("stdout", self._process.stdout)),
            asyncio.create_task(self._read("stderr", self._process.stderr)),
        ]
        try:
            code = await self._process.wait()
            await asyncio.wait(readers, timeout=DRAIN_SECONDS)
        finally:
            for reader in readers:
                reader.cancel()
            await asyncio.gather(*readers, return_exceptions=True)
            self._unlisten()
            await self._guard.leave()
        return {"exitCode": code} if code >= 0 else {"signal": _signal_name(-code)}

    async def feed(self, text: str, *, close: bool) -> None:
        """Write to the program's standard input.

        Raises:
            WrongState: the program has ended, or its input was closed.
        """
        stdin = self._process.stdin if self._process else None
        if stdin is None or stdin.is_closing():
            raise WrongState("the program's standard input is closed", "restart it to give it input again")
        try:
            stdin.write(text.encode("utf-8", "surrogatepass"))
            await stdin.drain()
            if close:
                stdin.close()
        except OSError as bad:
            raise WrongState(f"the program does not read its standard input any more: {bad}") from bad

    def signal(self, number: int) -> None:
        """Send a signal to the program alone."""
        if self._process and self._process.returncode is None:
            self._process.send_signal(number)

    async def kill(self) -> None:
        """End the program and every process below it."""
        if self._process is None:
            return
        family = descendants(self.pid) | {p for p in self.pids if p != self.pid}
        if self._process.returncode is None:
            self._process.kill()
        for pid in family:
            try:
                os.kill(pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
            except OSError:
                continue
        await self._process.wait()
        self._unlisten()

    async def abandon(self) -> None:
        """Leave the program running: its pipes are closed when we go, its children run undebugged."""
        self._process = None
        self._unlisten()
        await self._guard.leave()

    def _listen(self) -> None:
        """A FIFO: a process can announce itself with one synchronous write, and none blocks when we are gone."""
        if not hasattr(os, "mkfifo"):
            raise SetupError(
                "programs are launched on Linux and macOS only", "start node with --inspect-brk and attach"
            )
        self._folder = tempfile.mkdtemp(prefix="dapwright-node-")
        name = str(Path(self._folder) / "hello")
        os.mkfifo(name, 0o600)
        self._pipe = os.open(name, os.O_RDWR | os.O_NONBLOCK)
        asyncio.get_running_loop().add_reader(self._pipe, self._hear)

    def _unlisten(self) -> None:
        if self._pipe < 0:
            return
        asyncio.get_running_loop().remove_reader(self._pipe)
        os.close(self._pipe)
        self._pipe = -1
        (Path(self._folder) / "hello").unlink(missing_ok=True)
        Path(self._folder).rmdir()

    def _hear(self) -> None:
        try:
            data = self._partial + os.read(self._pipe, 1 << 16)
        except BlockingIOError:
            return
        *lines, self._partial = data.split(b"\n")
        for line in lines:
            told = json.loads(line)
            self.pids.add(told["pid"])
            self._guard.add(told["pid"])
            self._announced(told)

    async def _read(self, category: str, stream: asyncio.StreamReader) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        noise = Noise() if category == "stderr" else None
        while data := await stream.read(1 << 16):
            text = decoder.decode(data)
            if noise and self.tells_inspector:
                self._find_inspector(text)
            self._tell(category, noise.feed(text) if noise else text)
        rest = decoder.decode(b"", final=True)
        self._tell(category, noise.feed(rest) + noise.rest() if noise else rest)

    def _find_inspector(self, text: str) -> None:
        self._words += text
        if found := _INSPECTOR.search(self._words):
            self.tells_inspector = False
            self._announced({"pid": self.pid, "url": found[1], "argv": []})

    def _tell(self, category: str, text: str) -> None:
        if category == "stderr":
            self.last_words = (self.last_words + text)[-2000:]
        if text:
            self._output(category, text)


class Noise:
    """Takes Node's own words about the debugger out of standard error, however it is cut in chunks."""

    def __init__(self) -> None:
        self._held = ""

    def feed(self, text: str) -> str:
        """Return what of the stream so far is the program's; a line that may yet be Node's is kept back."""
        lines = (self._held + text).splitlines(keepends=True)
        self._held = ""
        if lines and not lines[-1].endswith("\n") and _may_be_noise(lines[-1]):
            self._held = lines.pop()
        return "".join(line for line in lines if not line.startswith(NOISE))

    def rest(self) -> str:
        """Return what was kept back, at the stream's end."""
        held, self._held = self._held, ""
        return "" if held.startswith(NOISE) else held


def _may_be_noise(line: str) -> bool:
    return any(line.startswith(n) or n.startswith(line) for n in NOISE)


def _options(env: Mapping[str, str]) -> str:
    quoted = PRELOAD.replace("\\", "\\\\").replace('"', '\\"')
    return f'{env.get("NODE_OPTIONS", "")} --require "{quoted}"'.strip()


def _start_hint(program: str, cwd: str) -> str:
    if cwd and not Path(cwd).is_dir():
        return f"the working directory `{cwd}` does not exist"
    return f"install it, or name another `runtimeExecutable`; `{program}` was looked for on PATH"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def descendants(pid: int) -> set[int]:
    """Return the processes below one, where /proc tells."""
    parents: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents.setdefault(int(stat.read_text().rpartition(")")[2].split()[1]), []).append(int(stat.parent.name))
        except (OSError, ValueError, IndexError):
            continue
    found, waiting = set(), [pid]
    while waiting:
        for child in parents.get(waiting.pop(), []):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found
