"""How a JVM program comes about: what is named, a project's class, a lone file compiled into our cache."""

import hashlib
import re
import shlex
from collections.abc import Callable, Generator, Mapping
from typing import Any

from msgspec import Struct

from dapwright.adapters._jvm_projects import (
    base,
    class_path,
    modules,
    parent,
    project,
    run,
    source_folders,
    source_roots,
)
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch, Ran, Run

Steps = Generator[Run, Ran, "Target"]
PACKAGE = re.compile(r"^\s*package\s+([\w.]+)", re.M)
MAIN = re.compile(r"\bvoid\s+main\s*\(|\bfun\s+main\s*\(|\bdef\s+main\s*\(|@main\s+def\b|\bextends\s+App\b")
TYPE = re.compile(r"^\s*(?:[\w@]+\s+)*?(?:class|interface|enum|record|object)\s+(\w+)", re.M)
LIBRARY = re.compile(r"kotlin-stdlib|scala3?-library|groovy-?[\d.]*\.jar")
"""Jars that are a language's own library: a class path that has one is whole."""


class Target(Struct, frozen=True):
    """What to launch: `mainClass` or `jar`, the class path, and where its sources are."""

    arguments: Mapping[str, Any]
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


class Builder(Struct, frozen=True):
    """How a language's lone source becomes classes."""

    compilers: tuple[str, ...]
    command: Callable[[str, str, str, str], tuple[str, ...]]
    """(compiler, source, folder for the classes, root of the sources) -> the command."""
    install: str
    main_class: Callable[[str, str], str]
    """(text, bare file name) -> the class whose `main` runs."""
    library: "Callable[[str, Host], Generator[Run, Ran, tuple[str, ...]]] | None" = None
    """Jars that programs of the language need at run time, by their compiler's path."""
    wants_folder: bool = False
    """The compiler does not make the folder that it writes to."""


def target(launch: Launch, config: Mapping[str, Any], host: Host, builder: Builder) -> Steps:
    """Decide what to launch.

    Raises:
        UsageError: nothing says what to run.
        BuildError: it does not compile.
    """
    program, main, paths = launch.program, str(config.get("mainClass") or ""), listed(config, "classpath")
    if program.endswith(".jar") or config.get("jar"):
        jar = str(config.get("jar") or program)
        return Target({"jar": jar, **({"mainClass": main} if main else {}), "classpath": paths})
    if main and (paths or config.get("modulePath")):
        tool = next(filter(None, map(host.which, builder.compilers)), "")
        more = yield from _library(tool, paths, host, builder)
        return Target(
            {"mainClass": main, "classpath": [*paths, *more]},
            (source_root(program, host),) if program else (),
            warnings=stale(program, main, paths, host),
        )
    folder = project(program or launch.cwd, host)
    if folder:
        found = main or _main_of(program, host, builder)
        if not found or program in ("", folder):
            found, folder = _main_below(folder, host, builder, found)
        entries, notes = yield from class_path(folder, host, test=launch.test)
        return Target({"mainClass": found, "classpath": [*entries, *paths]}, source_roots(folder, entries, host), notes)
    if not program:
        raise UsageError("nothing says what to run", "pass scriptPath, or adapterLaunchConfig.mainClass and .classpath")
    if program.endswith(".class") or host.is_dir(program):
        raise UsageError(f"`{program}` has no pom.xml or build.gradle", "pass mainClass and classpath as well")
    return (yield from lone(program, config, host, builder, main))


def stale(source: str, main: str, paths: list[str], host: Host) -> tuple[str, ...]:
    """What to say where the source is newer than its class: lines are then the source's alone."""
    inside = main.rpartition("/")[2].replace(".", "/") + ".class"
    built = max((host.modified(f"{path}/{inside}") for path in paths if not path.endswith(".jar")), default=0)
    if not source or not built or host.modified(source) <= built:
        return ()
    return (f"stale build: {source} is newer than `{main}`'s class; lines may be off, compile it again",)


def listed(config: Mapping[str, Any], key: str) -> list[str]:
    """A class path from a list, or from one text with the platform's separators.

    >>> listed({"classpath": "/a/classes:/b.jar"}, "classpath"), listed({"classpath": "C:\\\\a;D:/b"}, "classpath")
    (['/a/classes', '/b.jar'], ['C:\\\\a', 'D:/b'])
    """
    value = config.get(key) or ()
    if not isinstance(value, str):
        return [str(one) for one in value]
    separator = ";" if ";" in value or re.match(r"[A-Za-z]:[\\/]", value) else ":"
    return [part for part in value.split(separator) if part]


def words(config: Mapping[str, Any], key: str) -> list[str]:
    """Arguments from a list, or from one text as a shell would read it."""
    value = config.get(key) or ()
    return shlex.split(value) if isinstance(value, str) else [str(one) for one in value]


def lone(source: str, config: Mapping[str, Any], host: Host, builder: Builder, main: str) -> Steps:
    """Compile a lone source into our cache, under its content; what it uses beside it is compiled too."""
    tool = str(config.get("compiler") or "") or next(filter(None, map(host.which, builder.compilers)), None)
    if not tool:
        raise SetupError(f"there is no {builder.compilers[0]} to compile with", builder.install)
    text, name = host.read(source), base(source)
    flags = tuple(map(str, config.get("compilerFlags", ())))
    paths = listed(config, "classpath")
    key = hashlib.sha256("\0".join((source, text, tool, *flags, *paths)).encode(errors="replace")).hexdigest()[:16]
    folder, root = f"{host.cache}/jvm/{key}", source_root(source, host)
    beside = [path for path in host.glob(f"{parent(source)}/*.{name.rpartition('.')[2]}") if path != source]
    fresh = not beside and bool(host.glob(f"{folder}/**/*.class"))
    if not fresh:
        argv = builder.command(tool, source, folder, root)
        given = ("-cp", ":".join(paths)) if paths else ()
        if builder.wants_folder:
            made = (host.python, "-c", "import os, sys; os.makedirs(sys.argv[1], exist_ok=True)", folder)
            yield from run(Run(made, cwd="", purpose="make a folder"), name)
        yield from run(Run((argv[0], *flags, *given, *argv[1:]), cwd=parent(source), purpose="compile"), name)
    package = PACKAGE.search(text)
    main = main or ".".join(filter(None, (package[1] if package else "", builder.main_class(text, name))))
    note = f"compiled with {base(tool)} into {folder}" + (" (an earlier build of the same text)" if fresh else "")
    more = yield from _library(tool, paths, host, builder)
    return Target({"mainClass": main, "classpath": [folder, *paths, *more]}, (root,), (note,))


def _library(tool: str, paths: list[str], host: Host, builder: Builder) -> Generator[Run, Ran, tuple[str, ...]]:
    """The language's own jars, where the class path does not have them already."""
    if not tool or builder.library is None or any(LIBRARY.match(base(path)) for path in paths):
        return ()
    return (yield from builder.library(tool, host))


DEBIAN = "/usr/share/java"


def jars_beside(
    compiler: str, host: Host, patterns: tuple[str, ...], home: str
) -> Generator[Run, Ran, tuple[str, ...]]:
    """A language's own jars: in the `lib` folder of its distribution, else where Debian keeps them."""
    real = compiler
    if compiler and host.platform != "win32":
        told = yield Run(("readlink", "-f", compiler), cwd="", purpose="find the library", timeout_seconds=10)
        real = told.stdout.strip() or compiler
    homes = [real.replace("\\", "/").rpartition("/bin/")[0], host.env.get(home) or ""]
    for folder in [*(f"{one}/lib" for one in homes if one), DEBIAN]:
        found = [jar for pattern in patterns for jar in host.glob(f"{folder}/{pattern}")]
        if found:
            return tuple(dict.fromkeys(found))
    return ()


def source_root(source: str, host: Host) -> str:
    """The folder that a source's package starts from."""
    package, folder = PACKAGE.search(host.read(source)), parent(source)
    inside = "/" + package[1].replace(".", "/") if package else ""
    return folder.removesuffix(inside) or "/"


def java_main(text: str, name: str) -> str:
    """The class of a Java source that has `main`: the last one named before it, else the file's own."""
    found = MAIN.search(text)
    kinds = [kind[1] for kind in TYPE.finditer(text, 0, found.start() if found else len(text))]
    stem = name.rpartition(".")[0]
    return stem if stem in kinds or not kinds else kinds[0]


def kotlin_main(text: str, name: str) -> str:
    """The class that Kotlin makes of a file's functions: `GreetKt`, or the one that `@file:JvmName` says."""
    named = re.search(r"@file:\s*JvmName\(\s*\"([^\"]+)\"", text)
    stem = name.rpartition(".")[0]
    return named[1] if named else stem[:1].upper() + re.sub(r"\W", "_", stem[1:]) + "Kt"


def _main_of(program: str, host: Host, builder: Builder) -> str:
    text = host.read(program) if program and not host.is_dir(program) else ""
    if not MAIN.search(text):
        return ""
    package = PACKAGE.search(text)
    return ".".join(filter(None, (package[1] if package else "", builder.main_class(text, base(program)))))


def _main_below(folder: str, host: Host, builder: Builder, main: str) -> tuple[str, str]:
    """The only class with a `main` in a project and its modules (or the one named), and its module's folder."""
    roots = [(one, root) for one in modules(folder, host) for root in source_folders(one) if "/src/main/" in root]
    sources = [(one, path) for one, root in roots for path in host.glob(f"{root}/**/*.*")]
    found = [(name, one) for one, path in sources if (name := _main_of(path, host, builder))]
    if main:
        return main, next((one for name, one in found if name == main), folder)
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"no class with a `main` in `{folder}`", "pass adapterLaunchConfig.mainClass")
    raise UsageError(
        f"`{folder}` has several: {', '.join(name for name, _ in found[:20])}",
        "pass one as adapterLaunchConfig.mainClass",
    )
