"""A Chromium that we launch for a page: its process, its DevTools port, its end."""

import asyncio
import contextlib
import re
import shutil
import tempfile
from typing import Any

from dapwright.core.errors import SetupError, WrongState
from dapwright.engines.node.guard import Guard

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
FLAGS = (
    "--headless=new",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--remote-debugging-port=0",
)
START_SECONDS = 20.0


class Browser:
    """A browser with one empty page. It has the shape of a `Program`, and no standard input."""

    def __init__(self, executable: str, arguments: list[str]) -> None:
        self.pid = 0
        self.port = 0
        self.last_words = ""
        self._executable = executable
        self._arguments = arguments
        self._profile = ""
        self._guard = Guard()
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it, and wait for its DevTools port.

        Raises:
            SetupError: there is no Chromium, or it does not come up.
        """
        executable = self._executable or next(filter(None, map(shutil.which, NAMES)), "")
        if not executable:
            raise SetupError(
                "there is no Chromium on PATH", "`apt-get install chromium`, or name a `runtimeExecutable`"
            )
        self._profile = tempfile.mkdtemp(prefix="dapwright-page-")
        argv = [executable, *FLAGS, f"--user-data-dir={self._profile}", *self._arguments, "about:blank"]
        null = asyncio.subprocess.DEVNULL
        self._process = await asyncio.create_subprocess_exec(
            *argv, stdin=null, stdout=null, stderr=asyncio.subprocess.PIPE, start_new_session=True
        )
        self.pid = self._process.pid
        await self._guard.start()
        self._guard.add(self.pid)
        try:
            async with asyncio.timeout(START_SECONDS):
                await self._find_port()
        except TimeoutError:
            await self.kill()
            raise SetupError(f"`{executable}` told no DevTools port within {START_SECONDS:g} s") from None

    async def _find_port(self) -> None:
        assert self._process and self._process.stderr
        words = b""
        while line := await self._process.stderr.readline():
            words += line
            found = re.search(rb"DevTools listening on ws://[^:]+:(\d+)/", line)
            if found:
                self.port = int(found[1])
                return
        await self.kill()
        raise SetupError(
            f"the browser ended at once: {words[-500:].decode('utf-8', 'replace').strip()}",
            'as root, and in most containers, it needs `runtimeArgs: ["--no-sandbox"]`',
        )

    async def wait(self) -> dict[str, Any]:
        """Return the body of `exited` once the browser has ended."""
        assert self._process and self._process.stderr
        while await self._process.stderr.read(1 << 16):
            pass
        code = await self._process.wait()
        await self._guard.leave()
        shutil.rmtree(self._profile, ignore_errors=True)
        return {"exitCode": code} if code >= 0 else {"signal": f"signal {-code}"}

    async def feed(self, text: str, *, close: bool) -> None:
        """A page has no standard input.

        Raises:
            WrongState: always.
        """
        raise WrongState("a page has no standard input", "type into it by evaluating code")

    def signal(self, number: int) -> None:
        """Send a signal to the browser."""
        if self._process and self._process.returncode is None:
            self._process.send_signal(number)

    async def kill(self) -> None:
        """End the browser and all its processes."""
        if self._process is None:
            return
        import os
        import signal

        with contextlib.suppress(ProcessLookupError, AttributeError):
            os.killpg(self.pid, signal.SIGKILL)
        await self._process.wait()
        await self._guard.leave()
        shutil.rmtree(self._profile, ignore_errors=True)

    async def abandon(self) -> None:
        """Leave the browser running."""
        self._process = None
        await self._guard.leave()
