"""The versions of the engines and toolchains that are here, asked of themselves."""

import re
import subprocess
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version

from dapwright.adapters import _gdb
from dapwright.core.adapter import Adapter
from dapwright.core.model import Host

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


def versions(adapter: Adapter, host: Host) -> str:
    """Return the versions that could be learnt: `gdb 18.1, gcc 12.2.0`; "" where none could."""
    if adapter.language == "python":
        return _package("debugpy")
    commands = ASKED.get(adapter.language, (_GDB,) if "gdb" in adapter.engine else ())
    told = [f"{NAMES.get(argv, argv[0])} {number}" for argv in commands if (number := ask(argv, host))]
    return ", ".join(told)


def ask(argv: tuple[str, ...], host: Host) -> str:
    """Return the first version number that a command prints; "" where it is not here or prints none."""
    path = next(iter(_gdb.candidates(host)), None) if argv[0] == "gdb" else host.which(argv[0])
    if path is None:
        return ""
    try:
        ran = subprocess.run(
            [path, *argv[1:]],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            text=True,
            errors="replace",
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    found = NUMBER.search(ran.stdout + ran.stderr) if ran.returncode == 0 else None
    return found[0] if found else ""


def _package(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return ""
