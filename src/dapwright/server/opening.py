"""The sessions of a server, opened when they are first needed: no start waits for what only a call needs."""

import asyncio
from collections.abc import Callable

from dapwright.server.host import SessionsHost, Watcher


class Opening:
    """Reads the modules in a thread (`prepare`), then makes the sessions on the loop (`make`), once."""

    def __init__(self, make: Callable[[], SessionsHost], prepare: Callable[[], None] | None = None) -> None:
        self._make = make
        self._prepare = prepare
        self._prepared: asyncio.Future[None] | None = None
        self.host: SessionsHost | None = None
        """The sessions, once they are open."""
        self._watcher: Watcher | None = None
        self._unwatch: Callable[[], None] | None = None

    def watch(self, watcher: Watcher) -> None:
        """Have changes told to `watcher` from the opening on; what needs no preparing is opened now."""
        self._watcher = watcher
        if self._prepare is None:
            self._open()

    def close(self) -> None:
        """Tell no more changes."""
        if self._unwatch is not None:
            self._unwatch()

    def begin(self) -> None:
        """Read the modules beside, unless that has begun."""
        if self._prepare is not None and self._prepared is None:
            self._prepared = asyncio.get_running_loop().run_in_executor(None, self._prepare)

    async def opened(self) -> SessionsHost:
        """The sessions. Nothing else imports meanwhile, so no module is met half read."""
        self.begin()
        if self._prepared is not None:
            await asyncio.shield(self._prepared)
        return self._open()

    def _open(self) -> SessionsHost:
        if self.host is None:
            self.host = self._make()
            self._unwatch = self.host.watch(self._watcher) if self._watcher else None
        return self.host
