"""Building what is to be debugged: a lone source file, or a project with a build system of its own."""

import hashlib
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dapwright.core.errors import BuildError, SetupError, UsageError
from dapwright.core.lazy import regex
from dapwright.core.model import Host, Ran, Run

Building = Generator[Run, Ran, tuple[str, tuple[str, ...]]]
"""Yields helper processes, returns the program and notes on how it came about."""

INCLUDES = regex(r'^\s*#\s*include\s*"', re.M)
PRIVATE = ("CMakeFiles", "meson-private", "meson-info", ".git", "_deps")
"""Folders in a build whose programs are nobody's to debug: probes of the compiler, hooks, fetched dependencies."""
DESCRIPTIONS = ("CMakeLists.txt", "meson.build", "GNUmakefile", "makefile", "Makefile")
LEVELS = 3
"""How far above a source file its project's description is looked for."""
WORDS = 6_000
"""Characters of a compiler's messages that are told."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a lone source file of a language becomes a program."""

    compilers: tuple[str, ...]
    command: Callable[[str, str, str, Sequence[str]], tuple[tuple[str, ...], ...]]
    """(compiler, source, program, more flags) -> the commands, run in the program's folder."""
    install: str


def tail(text: str) -> str:
    """A compiler's messages, the first of them where they are too many."""
    text = text.strip()
    return text if len(text) <= WORDS else text[:WORDS] + "\n..."


def run(wanted: Run, what: str) -> Generator[Run, Ran, Ran]:
    """Run one step of a build.

    Raises:
        BuildError: it failed; the message holds its own words.
    """
    ran = yield wanted
    if ran.code != 0:
        said = tail(ran.stderr) or tail(ran.stdout) or f"`{' '.join(wanted.argv)}` ended with {ran.code}"
        raise BuildError(f"{what} does not compile: {said}", "mend the source and start again")
    return ran


def _hint(failed: BuildError, source: str, host: Host) -> str:
    """What to do about a lone file that does not compile: it may be one of a project's."""
    folder = source.rpartition("/")[0]
    for _ in range(LEVELS):
        described = [name for name in DESCRIPTIONS if host.is_file(f"{folder}/{name}")]
        if described:
            return (
                f"mend the source, or, where it needs more than this file, pass `{folder}` as scriptPath: "
                f"it is built by its {described[0]}"
            )
        folder = folder.rpartition("/")[0]
    if "undefined reference" in str(failed):
        return "it needs more than this file: build the project, and pass its program or build folder"
    return failed.hint


def compiler(host: Host, recipe: Recipe, asked: str) -> str:
    """The compiler to use.

    Raises:
        SetupError: there is none.
    """
    found = asked or next(filter(None, map(host.which, recipe.compilers)), None)
    if found is None:
        raise SetupError(f"there is no {' or '.join(recipe.compilers)} to compile with", recipe.install)
    return found


def lone(source: str, host: Host, recipe: Recipe, config: Mapping[str, Any]) -> Building:
    """Compile a lone file into our cache folder, under a name made of its content and its command."""
    tool = compiler(host, recipe, str(config.get("compiler", "")))
    flags = [str(flag) for flag in config.get("compilerFlags", ())]
    text = host.read(source)
    key = hashlib.sha256("\0".join((source, text, tool, *flags)).encode(errors="replace")).hexdigest()[:16]
    name = source.replace("\\", "/").rpartition("/")[2].rpartition(".")[0] or "program"
    folder = f"{host.cache}/native/{key}"
    program = f"{folder}/{name}" + (".exe" if host.platform == "win32" else "")
    note = f"compiled with {tool.rpartition('/')[2]} into {program}"
    if host.is_file(program) and not INCLUDES.search(text):
        return program, (note + " (an earlier build of the same text)",)
    fresh = f"{folder}/unfinished"  # a compiler that is ended half-way leaves no program where one is looked for
    if not host.is_dir(fresh):
        yield Run(("mkdir", "-p", fresh), cwd="", purpose="prepare", timeout_seconds=10)
    made = f"{fresh}/{program.rpartition('/')[2]}"
    for argv in recipe.command(tool, source, made, flags):
        try:
            yield from run(Run(argv, cwd=fresh, purpose="compile"), source.rpartition("/")[2])
        except BuildError as failed:
            failed.hint = _hint(failed, source, host)
            raise
    moved = yield Run(("mv", "-f", made, program), cwd=folder, purpose="prepare", timeout_seconds=10)
    if moved.code != 0 and not host.is_file(program):  # else another, who waited for the same compiler, was first
        raise BuildError(f"{program} cannot be put in its place: {tail(moved.stderr)}", "start again")
    return program, (note,)


def project(folder: str, host: Host, config: Mapping[str, Any]) -> Building:
    """Build a project by its own build system and find its program.

    Raises:
        UsageError: there is no build system, or it made several programs.
    """
    steps, built = _steps(folder, host)
    for argv, cwd in steps:
        yield from run(Run(argv, cwd=cwd, purpose="build"), folder.rpartition("/")[2])
    target = str(config.get("target", ""))
    listing = yield Run(_search(host), cwd=built, purpose="find its program", timeout_seconds=20)
    found = [f"{built}/{path.removeprefix('./')}" for path in listing.stdout.splitlines() if _is_program(path)]
    wanted = [path for path in found if path.rpartition("/")[2] == target] if target else found
    if len(wanted) == 1:
        return wanted[0], (f"built with {steps[0][0][0].rpartition('/')[2]}: {wanted[0]}",)
    if not found:
        raise UsageError(f"the build in `{built}` made no program", "pass the program itself as scriptPath")
    raise UsageError(
        f"the build in `{built}` made {len(found)} programs: " + ", ".join(sorted(found)[:20]),
        "pass one of them as scriptPath, or its name as adapterLaunchConfig.target",
    )


def _search(host: Host) -> tuple[str, ...]:
    """The command that lists what a build made, run in its folder, less what its build system keeps for itself.

    A source folder holds executable scripts too (`configure`, hooks), so on Linux only ELF files count.
    """
    hidden = [word for place in PRIVATE for word in ("-not", "-path", f"*/{place}/*")]
    elf = ("-exec", "grep", "-la", "^\x7fELF", "{}", "+") if host.platform == "linux" else ()
    return ("find", ".", "-maxdepth", "4", "-type", "f", "-perm", "-u+x", *hidden, *elf)


def _is_program(path: str) -> bool:
    name = path.rpartition("/")[2]
    return not re.search(r"\.(so|a|o|la|sh|py|pl|dylib)(\.|$)", name) and not name.startswith((".", "config."))


Step = tuple[tuple[str, ...], str]


def _steps(folder: str, host: Host) -> tuple[list[Step], str]:
    """The commands of a build, and the folder where programs appear."""
    for place in (folder, f"{folder}/build", f"{folder}/builddir", *host.glob(f"{folder}/cmake-build-*")):
        if host.is_file(f"{place}/CMakeCache.txt"):
            return [((_need(host, "cmake"), "--build", place), place)], place
        if host.is_dir(f"{place}/meson-info"):
            return [((_need(host, "meson"), "compile", "-C", place), place)], place
    fresh = f"{host.cache}/native/build-{hashlib.sha256(folder.encode()).hexdigest()[:16]}"
    if host.is_file(f"{folder}/CMakeLists.txt"):
        cmake = _need(host, "cmake")
        made: tuple[str, ...] = (cmake, "-S", folder, "-B", fresh, "-DCMAKE_BUILD_TYPE=Debug")
        return [(made, folder), ((cmake, "--build", fresh), folder)], fresh
    if host.is_file(f"{folder}/meson.build"):
        meson = _need(host, "meson")
        made = (meson, "setup", "--buildtype=debug", "--reconfigure", fresh, folder)
        if not host.is_dir(f"{fresh}/meson-info"):
            made = (meson, "setup", "--buildtype=debug", fresh, folder)
        return [(made, folder), ((meson, "compile", "-C", fresh), folder)], fresh
    if any(host.is_file(f"{folder}/{name}") for name in DESCRIPTIONS[2:]):
        return [((_need(host, "make"),), folder)], folder
    raise UsageError(
        f"`{folder}` is a folder without CMakeLists.txt, meson.build or Makefile",
        "pass a program, a source file, or a project's folder as scriptPath",
    )


def _need(host: Host, tool: str) -> str:
    path = host.which(tool)
    if path is None:
        raise SetupError(f"there is no {tool} to build with", f"apt-get install {tool}")
    return path
