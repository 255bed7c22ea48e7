"""The machine as plans see it: the one place that looks."""

import glob
import os
import shutil
import sys
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from dapwright.core.model import Host

READ_BYTES = 4 * 1024 * 1024


@cache
def machine() -> Host:
    """Return this machine."""
    inject = str(Path(__file__).parent / "inject")
    spec = find_spec("debugpy")
    debugpy = str(Path(spec.origin).parent.parent) if spec and spec.origin else ""
    return Host(
        platform=sys.platform,
        which=which,
        env=os.environ,
        is_file=os.path.isfile,
        is_dir=os.path.isdir,
        read=read,
        modified=modified,
        glob=lambda pattern: sorted(glob.glob(pattern, recursive=True)),
        python=sys.executable,
        packages={"inject": inject, "debugpy": debugpy},
        home=str(Path.home()),
        root=getattr(os, "geteuid", lambda: 1)() == 0,
        cache=cache_folder(),
    )


def which(name: str) -> str | None:
    """Find a command on PATH, else beside our own interpreter (where PyPI puts gdb and lldb)."""
    return shutil.which(name) or shutil.which(name, path=str(Path(sys.executable).parent))


def read(path: str) -> str:
    """A small file's text; "" where it cannot be read."""
    with suppress(OSError), open(path, encoding="utf-8", errors="replace") as source:
        return source.read(READ_BYTES)
    return ""


def modified(path: str) -> float:
    """When a file was last written, seconds; 0 where there is none."""
    with suppress(OSError):
        return os.stat(path).st_mtime
    return 0.0


def cache_folder() -> str:
    """The user's cache folder of ours."""
    if sys.platform == "win32":
        root = os.environ.get("LOCALAPPDATA") or str(Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        root = str(Path.home() / "Library" / "Caches")
    else:
        root = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return str(Path(root) / "dapwright")
