"""The open workspaces of this user: one small file each, in a folder that nobody else can read.

Files are written beside and renamed, so that a reader sees a whole one or none. A server
that died leaves its entry behind; whoever reads next sweeps it: a process that is gone, or
an address where nobody answers.
"""

import contextlib
import os
import secrets
import socket
import stat
import sys
import tempfile
from pathlib import Path

import msgspec

from dapwright.core.errors import SetupError

RUNTIME = "DAPWRIGHT_RUNTIME"
"""Names another registry folder: for tests, and for machines without a runtime directory."""
LONGEST_SOCKET_PATH = 100
ANSWER_SECONDS = 1.0


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One server: what it serves and how to reach it. `control` is `unix:PATH` or `tcp:PORT`, the latter with `key`."""

    pid: int
    port: int
    folder: str
    tag: str
    control: str
    key: str = ""
    named: bool = False
    routing: bool = False
    """It holds the public port."""


def runtime_folder() -> Path:
    """The registry's folder, made with access for this user only.

    Raises:
        SetupError: it belongs to somebody else, or others may enter it.
    """
    if named := os.environ.get(RUNTIME):
        folder = Path(named)
    elif base := os.environ.get("XDG_RUNTIME_DIR"):
        folder = Path(base) / "dapwright"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA", tempfile.gettempdir())) / "dapwright" / "run"
    else:
        folder = Path(tempfile.gettempdir()) / f"dapwright-{os.getuid()}"
    return private(folder)


def private(folder: Path) -> Path:
    """Make a folder that only this user can enter, or check that it is one.

    Raises:
        SetupError: it is a link, belongs to somebody else, or cannot be made.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.lstat()
        if os.name == "posix":
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid():
                raise SetupError(f"`{folder}` is not a folder of this user", f"remove it, or set `{RUNTIME}`")
            if found.st_mode & 0o077:
                folder.chmod(0o700)
    except OSError as cannot:
        raise SetupError(f"`{folder}` cannot be made: {cannot.strerror}", f"set `{RUNTIME}` to a folder") from cannot
    return folder


def write_private(path: Path, text: str) -> None:
    """Replace a file by a text that only this user can read, in one step."""
    descriptor, beside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(beside).replace(path)
    except OSError:
        Path(beside).unlink(missing_ok=True)
        raise


class Registry:
    """The entries of one public port."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.folder = runtime_folder()

    def token(self, wanted: Path | None = None) -> str:
        """The bearer token of this user and port, made once; `wanted` is a file to keep a copy in.

        A token that stands in `wanted` already is taken, unless servers on this port use another one.
        """
        kept = self.folder / f"{self.port}.token"
        given = read_token(wanted) if wanted is not None else ""
        if given and not self.entries():
            write_private(kept, given + "\n")
        token = read_token(kept) or self._make(kept)
        if wanted is not None:
            write_private(wanted, token + "\n")
        return token

    def _make(self, kept: Path) -> str:
        """Two servers may start at once: the first to link its file decides."""
        beside = self.folder / f".{secrets.token_hex(8)}"
        write_private(beside, secrets.token_urlsafe(32) + "\n")
        with contextlib.suppress(FileExistsError):
            os.link(beside, kept)
        beside.unlink()
        return read_token(kept)

    def write(self, entry: Entry) -> None:
        """Advertise a server, or change what is told of it."""
        write_private(self._path(entry.pid), msgspec.json.encode(entry).decode())

    def remove(self, pid: int) -> None:
        """Take a server out."""
        self._path(pid).unlink(missing_ok=True)

    def entries(self) -> list[Entry]:
        """The living servers of this port; what dead ones left is swept."""
        found = []
        for path in sorted(self.folder.glob(f"{self.port}-*.json")):
            try:
                entry = msgspec.json.decode(path.read_bytes(), type=Entry)
            except OSError:
                continue  # it went, or Windows holds it while it is replaced
            except msgspec.MsgspecError:
                path.unlink(missing_ok=True)
                continue
            if alive(entry):
                found.append(entry)
            else:
                sweep(entry, path)
        return found

    def _path(self, pid: int) -> Path:
        return self.folder / f"{self.port}-{pid}.json"


def read_token(path: Path) -> str:
    """The token in a file, "" where there is none; a file that others could read is closed to them."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    except OSError:
        return ""
    with os.fdopen(descriptor, encoding="ascii", errors="replace") as file:
        if os.name == "posix":
            os.fchmod(descriptor, 0o600)
        return file.read(4096).strip()


def alive(entry: Entry) -> bool:
    """Whether a server is there: its process, and somebody at its address (process ids are used again)."""
    if os.name == "posix":  # on Windows 0 is no question but Ctrl-C
        try:
            os.kill(entry.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:
            pass  # it is somebody else's: the address decides
    try:
        connect(entry.control).close()
    except OSError:
        return False
    return True


def connect(control: str) -> socket.socket:
    """Open a connection to a control address; raises OSError."""
    kind, _, place = control.partition(":")
    if kind == "tcp":
        return socket.create_connection(("127.0.0.1", int(place)), timeout=ANSWER_SECONDS)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.settimeout(ANSWER_SECONDS)
    try:
        connection.connect(place)
    except OSError:
        connection.close()
        raise
    return connection


def sweep(entry: Entry, path: Path) -> None:
    """Remove what a dead server left: its entry, and its socket."""
    path.unlink(missing_ok=True)
    kind, _, place = entry.control.partition(":")
    if kind == "unix":
        Path(place).unlink(missing_ok=True)
