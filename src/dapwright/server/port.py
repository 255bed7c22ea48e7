"""One workspace's server behind the public port: it advertises itself, and routes as long as the port is its own.

The first to bind the port routes for all. The others wait at its control address; when that
falls silent they try for the port, and one of them has it.
"""

import asyncio
import contextlib
import os
import secrets
import signal
import socket
import sys
from collections.abc import AsyncIterator
from importlib import import_module
from pathlib import Path

import msgspec

from dapwright.core.errors import DapwrightError, SetupError
from dapwright.policy.settings import Settings
from dapwright.server import registry as registry_
from dapwright.server.control import Control
from dapwright.server.guard import LOOPBACK, names
from dapwright.server.registry import Entry, Registry
from dapwright.sessions import Sessions

STRANGER_SECONDS = 6.0
"""After this long a port that none of our servers holds is somebody else's."""
RETRY_SECONDS = 0.2
DRAIN_SECONDS = 2


class Where(msgspec.Struct, frozen=True, kw_only=True):
    """How the port is served. Beyond this machine it takes certificates, or a proxy that has them."""

    port: int = 3001
    host: str = "127.0.0.1"
    folder: str = ""
    named: bool = False
    token_file: str = ""
    stateless: bool = False
    certificate: str = ""
    key: str = ""
    public_names: tuple[str, ...] = ()

    @property
    def hosts(self) -> tuple[str, ...]:
        """The names that a request may call us by."""
        own = () if self.host in ("0.0.0.0", "::") else (self.host,)
        return tuple(dict.fromkeys((*LOOPBACK, *own, *self.public_names)))


class Server:
    """One server process behind the port."""

    def __init__(self, where: Where, settings: Settings) -> None:
        self._where = where
        self._settings = settings
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Serve until a signal says so, then close the sessions.

        Raises:
            SetupError: the port is another program's.
        """
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(NotImplementedError):  # Windows ends us without a word
                loop.add_signal_handler(number, self._over.set)
        self._registry = Registry(self._where.port)
        wanted = Path(self._where.token_file) if self._where.token_file else None
        self._token = self._registry.token(wanted)
        sessions = Sessions(self._settings, tag=f"{secrets.token_hex(3)}-", workspace=self._where.folder)
        control = Control(sessions, self._settings, self._registry.folder)
        control.open()
        self._entry = Entry(
            pid=os.getpid(),
            port=self._where.port,
            folder=os.path.realpath(self._where.folder),
            tag=sessions.tag,
            control=control.address,
            key=control.key,
            named=self._where.named,
        )
        self._registry.write(self._entry)
        try:
            await self._hold()
        finally:
            self._registry.remove(self._entry.pid)
            await control.close()
            await sessions.close()

    async def _hold(self) -> None:
        """Route while the port is ours, else wait for whoever routes to end."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        while not self._over.is_set():
            try:
                listener = bind(self._where.host, self._where.port)
            except OSError as taken:
                router = await asyncio.to_thread(self._router)
                if router is not None:
                    # what routing takes a second to import is there when the port falls free
                    await asyncio.to_thread(import_module, "dapwright.server.http")
                    await self._wait_for_end_of(router)
                    since = loop.time()
                elif loop.time() - since > STRANGER_SECONDS:
                    raise SetupError(
                        f"port {self._where.port} is taken by another program: {taken.strerror}",
                        "pass another `--port`",
                    ) from taken
                await self._pause()
                continue
            await self._route(listener)

    def _router(self) -> Entry | None:
        others = (entry for entry in self._registry.entries() if entry.pid != self._entry.pid)
        return next((entry for entry in others if entry.routing), None)

    async def _pause(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._over.wait(), RETRY_SECONDS)

    async def _wait_for_end_of(self, router: Entry) -> None:
        """Stay connected to a router until it hangs up, or we are told to end."""
        try:
            connection = await asyncio.to_thread(registry_.connect, router.control)
        except OSError:
            return
        connection.setblocking(False)
        with connection:
            loop = asyncio.get_running_loop()
            if router.key:
                await loop.sock_sendall(connection, router.key.encode() + b"\n")
            silence = asyncio.ensure_future(self._silence(connection))
            over = asyncio.ensure_future(self._over.wait())
            await asyncio.wait([silence, over], return_when=asyncio.FIRST_COMPLETED)
            for task in (silence, over):
                task.cancel()
            await asyncio.wait([silence, over])

    async def _silence(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while await asyncio.get_running_loop().sock_recv(connection, 4096):
                pass

    async def _route(self, listener: socket.socket) -> None:
        """Serve HTTP on the port until we are told to end."""
        self._entry = msgspec.structs.replace(self._entry, routing=True)
        self._registry.write(self._entry)
        print(f"dapwright: serving http on port {self._where.port}; {self._told()}", file=sys.stderr, flush=True)
        async with self._site(listener):
            await self._over.wait()

    def _told(self) -> str:
        kept = self._where.token_file or self._registry.folder / f"{self._where.port}.token"
        return f"the token is in `{kept}`"

    @contextlib.asynccontextmanager
    async def _site(self, listener: socket.socket) -> AsyncIterator[None]:
        import uvicorn

        from dapwright.server.http import application
        from dapwright.server.router import Router

        where = self._where
        router = Router(self._registry, self._entry.control)
        tls = bool(where.certificate)
        hosts, origins = names(where.hosts, where.port, tls=tls)
        hosts += [name.lower() for name in where.public_names]
        origins += [f"https://{name.lower()}" for name in where.public_names]
        guard, manager = application(
            router, self._settings, token=self._token, hosts=hosts, origins=origins, stateless=where.stateless
        )
        config = uvicorn.Config(
            guard,
            log_level="warning",
            access_log=False,
            lifespan="off",
            http="h11",
            ws="none",
            server_header=False,
            timeout_graceful_shutdown=DRAIN_SECONDS,
            ssl_certfile=where.certificate or None,
            ssl_keyfile=where.key or None,
        )
        server = uvicorn.Server(config)
        server.capture_signals = contextlib.nullcontext  # type: ignore[method-assign, assignment]
        async with manager.run():
            serving = asyncio.ensure_future(server.serve(sockets=[listener]))
            try:
                yield
            finally:
                router.ending.set()
                listener.close()  # who calls from here on finds the next router
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(guard.idle.wait(), DRAIN_SECONDS)
                server.should_exit = True
                await asyncio.wait([serving], timeout=DRAIN_SECONDS * 2)
                await router.close()


def bind(host: str, port: int) -> socket.socket:
    """Listen at an address; raises OSError where somebody else does."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        elif sys.platform == "win32":  # there another program could take an address that is in use
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        listener.bind((host, port))
        listener.listen(1024)
    except OSError:
        listener.close()
        raise
    return listener


def serve(where: Where, settings: Settings) -> int:
    """Serve the registered tools over HTTP; returns the exit code."""
    try:
        asyncio.run(Server(where, settings).run())
    except DapwrightError as failure:
        print(f"dapwright: {failure}\n{failure.hint}", file=sys.stderr)
        return 1
    return 0
