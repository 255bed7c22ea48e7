"""How a JVM program comes about: class paths asked of Maven and Gradle, lone files compiled into our cache."""

import hashlib
import re
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass
from typing import Any

from dapwright.core.errors import BuildError, SetupError, UsageError
from dapwright.core.model import Host, Launch, Ran, Run

Steps = Generator[Run, Ran, "Target"]
WORDS = 6_000
"""Characters of a compiler's messages that are told."""
PACKAGE = re.compile(r"^\s*package\s+([\w.]+)", re.M)
MAIN = re.compile(r"\bvoid\s+main\s*\(|\bfun\s+main\s*\(|\bdef\s+main\s*\(|@main\s+def\b|\bextends\s+App\b")
TYPE = re.compile(r"^\s*(?:[\w@]+\s+)*?(?:class|interface|enum|record|object)\s+(\w+)", re.M)
COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""Maven colours even what nobody sees."""
LIBRARY = re.compile(r"kotlin-stdlib|scala3?-library|groovy-?[\d.]*\.jar")
"""Jars that are a language's own library: a class path that has one is whole."""
MARK = "dapwright-classpath:"


@dataclass(frozen=True, slots=True)
class Target:
    """What to launch: `mainClass` or `jar`, the class path, and where its sources are."""

    arguments: Mapping[str, Any]
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Builder:
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


def run(wanted: Run, what: str) -> Generator[Run, Ran, Ran]:
    """Run one step of a build.

    Raises:
        BuildError: it failed; the message holds its own words.
    """
    ran = yield wanted
    if ran.code != 0:
        words = [COLOURS.sub("", text).strip() for text in (ran.stderr, ran.stdout)]
        said = "\n".join(filter(None, words))[:WORDS] or f"`{wanted.argv[0]}` ended with {ran.code}"
        raise BuildError(f"{what} does not compile: {said}", "mend the source and start again")
    return ran


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
        found = main or _main_of(program, host, builder) or _main_below(folder, host, builder)
        entries, notes = yield from class_path(folder, host, test=launch.test)
        roots = tuple(path for path in source_folders(folder) if host.is_dir(path))
        return Target({"mainClass": found, "classpath": [*entries, *paths]}, roots, notes)
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
    """A class path from a list, or from one text with the platform's separators."""
    value = config.get(key) or ()
    return [part for part in re.split(r"[;:](?![\\/])", value) if part] if isinstance(value, str) else list(value)


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


def base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def parent(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[0]


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


def project(path: str, host: Host) -> str:
    """The nearest folder, from `path` upwards, with a build of Maven or Gradle; "" where there is none."""
    folder = path.replace("\\", "/").rstrip("/")
    if not host.is_dir(folder):
        folder = parent(folder)
    while folder:
        if any(host.is_file(f"{folder}/{name}") for name in ("pom.xml", "build.gradle", "build.gradle.kts")):
            return folder
        folder = parent(folder)
    return ""


def source_folders(folder: str) -> list[str]:
    kinds = ("java", "kotlin", "scala", "groovy")
    return [f"{folder}/src/{part}/{kind}" for part in ("main", "test") for kind in kinds]


def class_path(folder: str, host: Host, *, test: bool) -> Generator[Run, Ran, tuple[list[str], tuple[str, ...]]]:
    """Build a project and ask its own tool for the class path.

    Raises:
        SetupError: the tool is missing.
        BuildError: it does not compile.
    """
    if host.is_file(f"{folder}/pom.xml"):
        return (yield from _maven(folder, host, test))
    return (yield from _gradle(folder, host, test))


def _tool(folder: str, host: Host, wrapper: str, name: str, install: str) -> str:
    wrapper += ".bat" if host.platform == "win32" and wrapper == "gradlew" else ""
    above, found = folder, ""
    while above and not found:  # a module's build is started by the wrapper of the whole
        found = f"{above}/{wrapper}" if host.is_file(f"{above}/{wrapper}") else ""
        above = parent(above)
    found = found or host.which(name) or ""
    if not found:
        raise SetupError(f"there is no {name} to build `{folder}` with", install)
    return found


def _maven(folder: str, host: Host, test: bool) -> Generator[Run, Ran, tuple[list[str], tuple[str, ...]]]:
    tool = _tool(folder, host, "mvnw", "mvn", "apt-get install maven")
    phase, scope = ("test-compile", "test") if test else ("compile", "runtime")
    argv = (tool, "-q", "-B", phase, "dependency:build-classpath", f"-Dmdep.includeScope={scope}")
    out = f"{host.cache}/jvm/classpath-{hashlib.sha256(f'{folder} {scope}'.encode()).hexdigest()[:16]}.txt"
    yield from run(Run((*argv, f"-Dmdep.outputFile={out}"), cwd=folder, purpose="build"), f"`{base(folder)}`")
    separator = ";" if host.platform == "win32" else ":"
    jars = [jar for jar in host.read(out).strip().split(separator) if jar]
    own = [f"{folder}/target/test-classes"] if test else []
    return [*own, f"{folder}/target/classes", *jars], ("built with Maven",)


def _gradle(folder: str, host: Host, test: bool) -> Generator[Run, Ran, tuple[list[str], tuple[str, ...]]]:
    tool = _tool(folder, host, "gradlew", "gradle", "https://gradle.org/install")
    script = host.packages.get("inject", "") + "/classpath.gradle"
    kind = "test" if test else "main"
    task = "testClasses" if test else "classes"
    argv = (
        tool,
        "-q",
        "--console=plain",
        "--no-daemon",  # nothing that we start outlives us
        "-I",
        script,
        task,
        f"-PdapwrightSet={kind}",
        "dapwrightClassPath",
    )
    ran = yield from run(Run(argv, cwd=folder, purpose="build"), f"`{base(folder)}`")
    lines = [line.partition(MARK)[2] for line in ran.stdout.splitlines() if line.startswith(MARK)]
    if not lines:
        raise BuildError(f"Gradle told no class path for `{folder}`", "pass adapterLaunchConfig.classpath")
    return lines, ("built with Gradle",)


def _main_of(program: str, host: Host, builder: Builder) -> str:
    text = host.read(program) if program and not host.is_dir(program) else ""
    if not MAIN.search(text):
        return ""
    package = PACKAGE.search(text)
    return ".".join(filter(None, (package[1] if package else "", builder.main_class(text, base(program)))))


def _main_below(folder: str, host: Host, builder: Builder) -> str:
    """The only class with a `main` in a project."""
    sources = [path for root in source_folders(folder) for path in host.glob(f"{root}/**/*.*") if "/src/main/" in path]
    found = list(filter(None, (_main_of(path, host, builder) for path in sources)))
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"no class with a `main` in `{folder}`", "pass adapterLaunchConfig.mainClass")
    raise UsageError(f"`{folder}` has several: {', '.join(found[:20])}", "pass one as adapterLaunchConfig.mainClass")
