"""A small watcher that ends the program when we die, however that happens.

A parent-death signal would do the same on Linux, and could not be taken back when a program is to
be left running. The watcher reads process ids from a pipe that only we hold: its end is our death.
"""

import asyncio
import shutil

SCRIPT = 'while read -r p; do [ "$p" = leave ] && exit; all="$all $p"; done; kill -9 $all'


class Guard:
    """Watches over a program's processes; without a shell it is nothing."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start watching; no process is told yet."""
        shell = shutil.which("sh")
        if shell is None:
            return
        null = asyncio.subprocess.DEVNULL
        self._process = await asyncio.create_subprocess_exec(
            shell, "-c", SCRIPT, stdin=asyncio.subprocess.PIPE, stdout=null, stderr=null
        )

    def add(self, pid: int) -> None:
        """One more process dies with us."""
        self._tell(str(pid))

    async def leave(self) -> None:
        """The processes have ended, or are to live on."""
        if self._process is None:
            return
        self._tell("leave")
        process, self._process = self._process, None
        await process.wait()

    def _tell(self, line: str) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(f"{line}\n".encode())
