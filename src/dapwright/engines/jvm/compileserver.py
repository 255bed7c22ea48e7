"""The Java compiler as a process of ours, started when first needed."""

import asyncio
import hashlib
import os
import shutil
import struct
import sys
import tempfile
from pathlib import Path

from dapwright.core.errors import AdapterError, NotSupported, ProtocolError, UsageError

SOURCE = Path(__file__).with_name("CompileServer.java")
BUILD_SECONDS, COMPILE_SECONDS = 30.0, 20.0
MISSING = "install a JDK (`apt-get install openjdk-17-jdk`) or set JAVA_HOME to one"


def find_jdk(java: str = "") -> tuple[str, str] | None:
    """Return (java, javac) of the JDK to use: the program's own if it has a compiler, JAVA_HOME's, the PATH's."""
    suffix = ".exe" if sys.platform == "win32" else ""
    own = shutil.which(java or "java")
    homes = [Path(own).resolve().parent] if own else []
    if os.environ.get("JAVA_HOME"):
        homes.append(Path(os.environ["JAVA_HOME"], "bin"))
    on_path = shutil.which("javac")
    homes += [Path(on_path).resolve().parent] if on_path else []
    for home in homes:
        if (home / f"javac{suffix}").is_file():
            return str(home / f"java{suffix}"), str(home / f"javac{suffix}")
    return None


def cache_folder() -> Path:
    """The user's cache folder of ours."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base, "dapwright")


class CompileServer:
    """Compiles one source at a time, in memory."""

    def __init__(self, java: str = "") -> None:
        self.java = java
        """The program's own java: its JDK is preferred."""
        self._process: asyncio.subprocess.Process | None = None
        self._lock = asyncio.Lock()
        self._jdk_version = 0

    async def compile(self, name: str, path: str, release: int, source: str) -> dict[str, bytes]:
        """Compile a source; returns the classes by name.

        Raises:
            UsageError: it does not compile, in javac's words.
            NotSupported: there is no compiler here.
        """
        async with self._lock:
            process = await self._started()
            wanted = str(release) if release and release < self._jdk_version else ""
            blocks = [part.encode() for part in (name, path, wanted, source)]
            try:
                async with asyncio.timeout(COMPILE_SECONDS):
                    return await self._talk(process, blocks)
            except (TimeoutError, OSError, asyncio.IncompleteReadError) as bad:
                self.close()
                raise ProtocolError(f"the Java compiler broke off ({bad or 'too slow'})") from bad

    async def _talk(self, process: asyncio.subprocess.Process, blocks: list[bytes]) -> dict[str, bytes]:
        assert process.stdin is not None and process.stdout is not None
        process.stdin.write(b"".join(struct.pack(">i", len(block)) + block for block in blocks))
        await process.stdin.drain()
        count = await self._number(process.stdout)
        if count < 0:
            words = (await self._block(process.stdout)).decode("utf-8", "replace").strip()
            raise UsageError(words or "the compiler refused it without a word")
        return {(await self._block(process.stdout)).decode(): await self._block(process.stdout) for _ in range(count)}

    async def _number(self, pipe: asyncio.StreamReader) -> int:
        return int(struct.unpack(">i", await pipe.readexactly(4))[0])

    async def _block(self, pipe: asyncio.StreamReader) -> bytes:
        return await pipe.readexactly(await self._number(pipe))

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is None:
            return self._process
        jdk = find_jdk(self.java)
        if jdk is None:
            raise NotSupported("this expression needs a Java compiler, and there is none here", MISSING)
        java, javac = jdk
        folder = await self._built(javac)
        pipe = asyncio.subprocess.PIPE
        self._process = await asyncio.create_subprocess_exec(
            java, "-XX:TieredStopAtLevel=1", "-Xmx256m", "-cp", str(folder), "CompileServer",
            stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, limit=1 << 24,
        )  # fmt: skip
        return self._process

    async def _built(self, javac: str) -> Path:
        """The compile server's own classes, made once for each JDK."""
        said = await _run(javac, "-version")
        number = said.split()[-1].split(".") if said.split() else ["0"]
        self._jdk_version = int(number[1] if number[0] == "1" and len(number) > 1 else number[0].split("-")[0])
        folder = _folder_for(javac + said)
        if not _has_class(folder):
            made = tempfile.mkdtemp(prefix="compile-server-")
            try:
                await _run(javac, "-nowarn", "-d", made, str(SOURCE))
                _install(made, folder)
            finally:
                shutil.rmtree(made, ignore_errors=True)
        return folder

    def close(self) -> None:
        """End the compiler's process."""
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            if self._process.stdin is not None:
                self._process.stdin.close()

    async def gone(self) -> None:
        """Wait for the end of a process that was closed."""
        if self._process is not None:
            await self._process.wait()


def _folder_for(key: str) -> Path:
    content = hashlib.sha256(SOURCE.read_bytes() + key.encode()).hexdigest()[:16]
    return cache_folder() / "jvm" / content


def _has_class(folder: Path) -> bool:
    return (folder / "CompileServer.class").is_file()


def _install(made: str, folder: Path) -> None:
    """Move finished classes in place: another process may be doing the same."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        Path(made).rename(folder)
    except OSError:
        shutil.copytree(made, folder, dirs_exist_ok=True)


async def _run(*argv: str) -> str:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*argv, stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe)
    try:
        async with asyncio.timeout(BUILD_SECONDS):
            out, err = await process.communicate()
    except TimeoutError:
        process.kill()
        raise AdapterError(f"`{argv[0]}` did not end within {BUILD_SECONDS:g} s") from None
    if process.returncode:
        raise AdapterError(f"`{argv[0]}` failed: {err.decode('utf-8', 'replace')[-1000:]}", MISSING)
    return (out + err).decode("utf-8", "replace")
