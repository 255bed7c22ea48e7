"""The versions of the engines and toolchains that are here, asked of themselves."""

import re
import subprocess
from collections.abc import Generator, Mapping
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import TypeVar

from dapwright.adapters import _gdb, _go_delve
from dapwright.core.adapter import Adapter
from dapwright.core.errors import SetupError
from dapwright.core.model import Host, Ran, Run

SECONDS = 10.0
"""A tool that has not told its version by then tells none."""
_RUBY_DEBUG = "puts Gem::Specification.find_by_name('debug').version"
_GDB, _JAVA = ("gdb", "--version"), ("java", "-version")

ASKED: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "bash": (("bash", "--version"),),
    "c": (_GDB, ("lldb-dap", "--version"), ("gcc", "--version")),
    "cobol": (("cobc", "--version"), _GDB),
    "cpp": (_GDB, ("lldb-dap", "--version"), ("g++", "--version")),
    "dart": (("dart", "--version"),),
    "dotnet": (("netcoredbg", "--version"),),
    "go": (("dlv", "version"), ("go", "version")),
    "groovy": (_JAVA,),
    "java": (_JAVA, ("javac", "-version")),
    "javascript": (("node", "--version"),),
    "kotlin": (_JAVA, ("kotlinc", "-version")),
    "lua": (("lua5.4", "-v"), ("lua", "-v")),
    "perl": (("perl", "-e", "print $^V"),),
    "php": (("php", "--version"), ("php", "-r", "print(phpversion('xdebug') ?: 'none');")),
    "ruby": (("ruby", "--version"), ("ruby", "-e", _RUBY_DEBUG)),
    "rust": (("rustc", "--version"), _GDB, ("lldb-dap", "--version")),
    "scala": (_JAVA,),
    "swift": (("swift", "--version"),),
    "typescript": (("node", "--version"),),
}
"""What to run for a language; those that are not listed have gdb's."""
NAMES: Mapping[tuple[str, ...], str] = {ASKED["ruby"][1]: "rdbg", ASKED["php"][1]: "xdebug"}
NUMBER = re.compile(r"\d+(?:\.\d+)+")


Found = TypeVar("Found")


def drive(finding: Generator[Run, Ran, Found]) -> Found:
    """Run what an adapter's question wants run, and return its answer."""
    try:
        wanted = next(finding)
        while True:
            wanted = finding.send(_ran(wanted.argv))
    except StopIteration as found:
        answer: Found = found.value
        return answer


def _ran(argv: tuple[str, ...]) -> Ran:
    try:
        done = subprocess.run(
            argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS, text=True, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as failed:
        return Ran(1, "", str(failed))
    return Ran(done.returncode, done.stdout, done.stderr)


def versions(adapter: Adapter, host: Host) -> str:
    """Return the versions that could be learnt: `gdb 18.1, gcc 12.2.0`; "" where none could."""
    if adapter.language == "python":
        return _package("debugpy")
    commands = ASKED.get(adapter.language, (_GDB,) if "gdb" in adapter.engine else ())
    told = [f"{NAMES.get(argv, argv[0])} {number}" for argv in commands if (number := ask(argv, host))]
    return ", ".join(told)


def ask(argv: tuple[str, ...], host: Host) -> str:
    """Return the first version number that a command prints; "" where it is not here or prints none."""
    path = place(argv[0], host)
    if path is None:
        return ""
    ran = _ran((path, *argv[1:]))
    found = NUMBER.search(ran.stdout + ran.stderr) if ran.code == 0 else None
    return found[0] if found else ""


def place(name: str, host: Host) -> str | None:
    """Where the tool is that a launch would take."""
    if name == "gdb":
        return next(iter(_gdb.candidates(host)), None)
    if name == "dlv":
        with suppress(SetupError):
            return drive(_go_delve.find(host, {}))[0]
    return host.which(name)


def _package(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return ""
