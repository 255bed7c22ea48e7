"""The toolchains that live tests drive: the one list of them, and whether each is here.

`scripts/toolchains.sh` installs them on Debian, into the folder that `TOOLS` names where Debian lacks them.
A test asks by marker, `@pytest.mark.needs("gdb", "g++")`, or in its body, `needs("gdb")`.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
TOOLS = Path(os.environ.get("DAPWRIGHT_TOOLS") or CACHE / "dapwright" / "toolchains")
COROUTINES = TOOLS / "coroutines" / "lib" / "kotlinx-coroutines-core-jvm-1.10.2.jar"
NODE_MODULES = TOOLS / "node" / "node_modules"
"""Compilers, bundlers and test runners of tests/fixtures/node/package.json."""
STRICT = (
    os.environ.get("CI", "").lower() in ("1", "true")
    and os.environ.get("DAPWRIGHT_TOOLCHAINS", "all") == "all"
    and sys.platform == "linux"
)
"""In CI on Linux all of them should be there: a missing one fails its tests instead of skipping them.
A job that installs none on purpose says `DAPWRIGHT_TOOLCHAINS=some`."""


@dataclass(frozen=True, kw_only=True)
class Toolchain:
    """A tool that a live test needs, and how to know that it works.

    `language` is the name that `scripts/toolchains.sh` takes; `argv` must exit with 0, and the first
    number in what it prints must be at least `least`.
    """

    language: str
    argv: tuple[str, ...]
    least: int = 0


TOOLCHAINS = {
    "gdb": Toolchain(language="native", argv=("gdb", "--version"), least=14),
    "lldb-dap": Toolchain(language="native", argv=("lldb-dap", "--version"), least=18),
    "codelldb": Toolchain(language="codelldb", argv=("codelldb", "--help")),
    "zig": Toolchain(language="zig", argv=("zig", "version")),
    "gcc": Toolchain(language="native", argv=("gcc", "--version")),
    "g++": Toolchain(language="native", argv=("g++", "--version")),
    "cmake": Toolchain(language="native", argv=("cmake", "--version"), least=3),
    "meson": Toolchain(language="native", argv=("meson", "--version")),
    "strace": Toolchain(language="native", argv=("strace", "--version")),
    "libc6-dbg": Toolchain(language="native", argv=("dpkg-query", "--status", "libc6-dbg")),
    "cargo": Toolchain(language="rust", argv=("cargo", "--version")),
    "go": Toolchain(language="go", argv=("go", "version")),
    "dlv": Toolchain(language="go", argv=("dlv", "version")),
    "node": Toolchain(language="node", argv=("node", "--version"), least=18),
    "npm": Toolchain(language="node", argv=("npm", "--version")),
    "tsc": Toolchain(language="node", argv=("tsc", "--version"), least=5),
    "deno": Toolchain(language="node", argv=("deno", "--version")),
    "tsx": Toolchain(language="node", argv=("tsx", "--version")),
    **{
        name: Toolchain(language="node", argv=(str(NODE_MODULES / ".bin" / name), "--version"))
        for name in ("jest", "vitest", "mocha", "esbuild", "rollup", "vite", "webpack", "ts-node")
    },
    **{
        name: Toolchain(language="node", argv=(str(NODE_MODULES / ".bin" / name), "--help"))
        for name in ("conformance", "mcp-inspector")
    },
    "chromium": Toolchain(language="browser", argv=("chromium", "--version")),
    "java": Toolchain(language="jvm", argv=("java", "-version"), least=8),
    "javac": Toolchain(language="jvm", argv=("javac", "-version"), least=8),
    "mvn": Toolchain(language="jvm", argv=("mvn", "-v")),
    "junit5": Toolchain(language="jvm", argv=("test", "-e", "/usr/share/java/junit-platform-console.jar")),
    "testng": Toolchain(language="jvm", argv=("test", "-e", "/usr/share/java/testng.jar")),
    "coroutines": Toolchain(language="kotlin", argv=("test", "-e", str(COROUTINES))),
    "scalac": Toolchain(language="scala", argv=("scalac", "-version"), least=3),
    "scalac2": Toolchain(language="scala", argv=(str(TOOLS / "bin" / "scalac2"), "-version"), least=2),
    "groovyc": Toolchain(language="groovy", argv=("groovyc", "--version"), least=3),
    "clojure": Toolchain(language="clojure", argv=("clojure", "-e", "(clojure-version)")),
    "gradle": Toolchain(language="jvm", argv=("gradle", "--version")),
    "kotlinc": Toolchain(language="kotlin", argv=("kotlinc", "-version")),
    "ruby": Toolchain(language="ruby", argv=("ruby", "--version"), least=3),
    "rdbg": Toolchain(language="ruby", argv=("ruby", "-e", "puts Gem::Specification.find_by_name('debug').version")),
    "rspec": Toolchain(language="ruby", argv=("rspec", "--version")),
    "php": Toolchain(language="php", argv=("php", "--version"), least=7),
    "xdebug": Toolchain(language="php", argv=("php", "-r", "print(phpversion('xdebug') ?: exit(1));"), least=3),
    "phpunit": Toolchain(language="php", argv=("phpunit", "--version")),
    "perl": Toolchain(language="perl", argv=("perl", "-MPerl::LanguageServer", "-e", "1")),
    "lua": Toolchain(language="lua", argv=("lua5.4", "-e", "require 'socket'")),
    "bash-dap": Toolchain(language="bash", argv=("test", "-x", str(TOOLS / "bin" / "bash-dap"))),
    "cobc": Toolchain(language="cobol", argv=("cobc", "--version"), least=3),
    "gfortran": Toolchain(language="fortran", argv=("gfortran", "--version")),
    "gnat": Toolchain(language="ada", argv=("gnatmake", "--version")),
    "gdc": Toolchain(language="d", argv=("gdc", "--version")),
    "fpc": Toolchain(language="pascal", argv=("fpc", "-iV")),
    "nasm": Toolchain(language="assembly", argv=("nasm", "-v")),
    "gobjc": Toolchain(language="objc", argv=("gcc", "-xobjective-c", "-fsyntax-only", os.devnull)),
    "mono": Toolchain(language="mono", argv=("mono", "--version")),
    "mcs": Toolchain(language="mono", argv=("mcs", "--version")),
}


def prepend_tools() -> None:
    """Put the folder of our own tools first on the PATH, for the tests and all that they start."""
    folder = str(TOOLS / "bin")
    parts = os.environ.get("PATH", "").split(os.pathsep)
    if parts[0] != folder:
        os.environ["PATH"] = os.pathsep.join([folder, *parts])


@functools.cache
def missing(name: str) -> str | None:
    """Return why the toolchain `name` cannot be used here, or None where it can.

    Raises:
        KeyError: no toolchain of that name is listed in `TOOLCHAINS`.
    """
    tool = TOOLCHAINS[name]
    hint = f"`scripts/toolchains.sh {tool.language}` installs it on Debian"
    if not shutil.which(tool.argv[0]):
        return f"`{name}` is not here; {hint}"
    said = subprocess.run(tool.argv, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    if said.returncode:
        return f"`{name}` does not work here (exit code {said.returncode}); {hint}"
    number = re.search(r"(\d+)\.\d", said.stdout + said.stderr)
    if tool.least and (number is None or int(number[1]) < tool.least):
        return f"`{name}` is older than {tool.least} here; {hint}"
    return None


def needs(*names: str) -> None:
    """Skip the running test where a toolchain is missing; fail it where CI should have had it."""
    reasons = [reason for reason in map(missing, names) if reason]
    if not reasons:
        return
    if STRICT:
        pytest.fail("in CI every toolchain must be there: " + "; ".join(reasons), pytrace=False)
    pytest.skip("; ".join(reasons))
