"""JVM programs for tests: fixtures compiled, and the engine stopped in one."""

import asyncio
import contextlib
import hashlib
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import dap
import toolchains

FIXTURES = Path(__file__).parent / "fixtures" / "java"
ENGINE = (sys.executable, "-m", "dapwright.engines.jvm")


class Built:
    """A fixture: its source, its classes."""

    def __init__(self, source: Path, classes: Path) -> None:
        self.source = str(source)
        self.classes = str(classes)

    def line(self, text: str) -> int:
        return dap.line_of(self.source, text)

    def at(self, text: str, **more: Any) -> dict[str, list[dict[str, Any]]]:
        """Breakpoints of this source, at the line of `text`."""
        return {self.source: [{"line": self.line(text), **more}]}


def build(name: str, folder: Path, *flags: str) -> Built:
    """Compile a fixture into `folder`."""
    toolchains.needs("javac")
    source = folder / name
    shutil.copy(FIXTURES / name, source)
    subprocess.run(["javac", *(flags or ("-g",)), "-nowarn", "-d", str(folder / "classes"), str(source)], check=True)
    return Built(source, folder / "classes")


def compiled_kotlin(source: Path, *libraries: Path) -> Path:
    """Compile with the runtime in; kept by content, since the compiler takes its time."""
    jar = (
        toolchains.CACHE / "dapwright" / "tests" / f"kotlin-{hashlib.sha256(source.read_bytes()).hexdigest()[:16]}.jar"
    )
    if not jar.exists():
        jar.parent.mkdir(parents=True, exist_ok=True)
        made = source.with_suffix(".jar")
        given = ["-cp", ":".join(map(str, libraries))] if libraries else []
        argv = ["kotlinc", str(source), *given, "-include-runtime", "-d", str(made)]
        subprocess.run(argv, check=True, capture_output=True)
        shutil.move(made, jar)
    return jar


@contextlib.asynccontextmanager
async def paused(tour: Built, text: str, *args: str, **more: Any) -> AsyncIterator[tuple[dap.Dap, dict[str, Any]]]:
    """An engine, stopped at the line of `text`."""
    async with dap.engine(*ENGINE) as engine:
        await engine.begin(
            mainClass="tour.Tour", classpath=[tour.classes], args=list(args), breakpoints=tour.at(text), **more
        )
        yield engine, await engine.stopped()


@contextlib.asynccontextmanager
async def counted_jvm(tour: Built, *args: str) -> AsyncIterator[tuple[int, list[bytes]]]:
    """A JVM that waits for its debugger behind a relay: the relay's port, and the commands that it passes on."""
    commands: list[bytes] = []
    agent = "-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:0"
    argv = ("java", agent, "-cp", tour.classes, "tour.Tour", *args)
    process = await asyncio.create_subprocess_exec(*argv, stdout=asyncio.subprocess.PIPE)
    assert process.stdout
    async with asyncio.timeout(20):
        port = int((await process.stdout.readline()).decode().rpartition(":")[2])

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far = await asyncio.open_connection("127.0.0.1", port)
        far.write(await reader.readexactly(len("JDWP-Handshake")))
        back = asyncio.create_task(_pour(far_reader, writer))
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                head = await reader.readexactly(11)
                commands.append(head)
                far.write(head + await reader.readexactly(int.from_bytes(head[:4]) - 11))
        far.close()
        await back

    server = await asyncio.start_server(relay, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1], commands
    finally:
        server.close()
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def _pour(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while data := await reader.read(1 << 16):
        writer.write(data)
    writer.close()
