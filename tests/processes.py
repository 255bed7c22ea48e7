"""The process table, and a real server to look at it with."""

import os
import subprocess
import sys
from pathlib import Path

from pipe import Pipe
from waits import until_blocking


def alive(pid: int) -> bool:
    """A process is there and no zombie."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def marked(word: str) -> list[int]:
    """The processes, zombies aside, whose command line has a word."""
    found = []
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                line = Path(f"/proc/{entry.name}/cmdline").read_bytes()
            except OSError:
                continue
            if word.encode() in line and alive(int(entry.name)):
                found.append(int(entry.name))
    return found


def below(pid: int) -> list[int]:
    """The processes that a process started, and those that they did."""
    parents: dict[int, list[int]] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                stat = Path(f"/proc/{entry.name}/stat").read_text()
            except OSError:
                continue
            parents.setdefault(int(stat.rpartition(")")[2].split()[1]), []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        children = parents.get(todo.pop(), [])
        found += children
        todo += children
    return [one for one in found if alive(one)]


def command_of(pid: int) -> str:
    """A process's command line; "" where it has gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().decode(errors="replace").replace("\0", " ")
    except OSError:
        return ""


def gone(pids: list[int], seconds: float = 8.0) -> None:
    """Wait until none of the processes is alive."""
    until_blocking(lambda: not [pid for pid in pids if alive(pid)], seconds)


def traced(pid: int) -> bool:
    """A debugger holds it by ptrace."""
    status = Path(f"/proc/{pid}/status").read_text()
    return "TracerPid:\t0\n" not in status


class Server(Pipe):
    """The real server: `dapwright serve` on pipes."""

    def __init__(self, env: dict[str, str] | None = None) -> None:
        super().__init__("serve.py", env=env)
        self.handshake()

    def ok(self, tool: str, seconds: float = 50, /, **arguments):
        """Call a tool that must succeed; its structured answer."""
        id = self.start("tools/call", {"name": tool, "arguments": arguments})
        result = self.answer(id, seconds)["result"]
        assert not result.get("isError"), result["content"][0]["text"]
        return result["structuredContent"]

    def refused(self, tool: str, seconds: float = 50, /, **arguments):
        """Call a tool that must fail; its structured answer."""
        id = self.start("tools/call", {"name": tool, "arguments": arguments})
        result = self.answer(id, seconds)["result"]
        assert result.get("isError"), result
        return result["structuredContent"]

    def printed(self, words: int = 1, **arguments) -> list[str]:
        """What the program printed, split, once it has so many words."""

        def text() -> list[str]:
            entries = self.ok("get_output", limit=1000, **arguments).get("entries", [])
            return "".join(entry["output"] for entry in entries if entry["category"] == "stdout").split()

        until_blocking(lambda: len(text()) >= words, 10)
        return text()


def python(code: str, *arguments: str) -> subprocess.Popen:
    """A program of nobody's."""
    return subprocess.Popen(
        [sys.executable, "-u", "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
