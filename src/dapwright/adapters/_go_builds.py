"""Building a Go package for the debugger, and what a program that somebody else built tells of its build."""

import hashlib
import re
import shlex
from collections.abc import Generator

from msgspec import Struct

from dapwright.adapters._compile import run
from dapwright.adapters._go_delve import PAIR, said
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch, Ran, Run
from dapwright.core.parts import told

TOOLS = re.compile(r"GO|CGO_|PKG_CONFIG|(?:CC|CXX|AR|FC)$")
"""Variables of a launch that are meant for the build as well."""
OPTIMISED = "`{0}` is optimised: variables may be missing, lines passed over; build it with -gcflags='all=-N -l'"
PACKAGE = re.compile(r"^package\s+(\w+)", re.M)
MAIN = re.compile(r"^package\s+main\b", re.M)
STRIPPED = "`{0}` is stripped of its debug information: breakpoints and variables need a build without -ldflags=-s -w"


class Built(Struct, frozen=True):
    """What a program tells of its build."""

    stripped: bool = False
    warnings: tuple[str, ...] = ()
    substitutes: tuple[tuple[str, str], ...] = ()
    """(folder here, the name that -trimpath gave it)."""


def need_go(host: Host) -> str:
    go = host.which("go")
    if go is None:
        raise SetupError("there is no go", f"`dapwright setup go`, or: {told(PAIR)}")
    return go


def manifest(folder: str, host: Host) -> str:
    """The folder of the nearest go.mod at or above; "" where there is none."""
    while folder:
        if host.is_file(f"{folder}/go.mod"):
            return folder
        folder = folder.rpartition("/")[0]
    return ""


def build(launch: Launch, host: Host, mode: str) -> Generator[Run, Ran, tuple[str, str]]:
    """(the binary, the package's folder); built into our cache folder, optimisation off."""
    go, path = need_go(host), launch.program
    folder = path if host.is_dir(path) else path.rpartition("/")[0]
    alone = mode != "test" and (not manifest(folder, host) or (path != folder and _is_ignored(host.read(path))))
    sources = [path] if path != folder else _sources(folder, host)
    if mode != "test":
        _need_main(path, sources, host)
    key = hashlib.sha256(f"{mode}\0{path}\0{launch.config}".encode()).hexdigest()[:16]
    name = folder.rpartition("/")[2] or "program"
    binary = f"{host.cache}/go/{key}/{name}{'.test' if mode == 'test' else ''}"
    flags = launch.config.get("buildFlags", ())
    words = shlex.split(flags) if isinstance(flags, str) else [str(flag) for flag in flags]
    if launch.config.get("tags"):
        words.append(f"-tags={launch.config['tags']}")
    verb = ("test", "-c") if mode == "test" else ("build",)
    argv = (
        go,
        *verb,
        "-gcflags=all=-N -l",
        *words,
        "-o",
        binary,
        *(sources if alone and not _by_path(launch, host) else ["."]),
    )
    env = {name: value for name, value in launch.env.items() if TOOLS.match(name)}
    yield from run(Run(argv, cwd=folder, env=env, purpose="build"), path.rpartition("/")[2] or path)
    if mode == "test" and not host.is_file(binary):
        raise UsageError(f"`{folder}` has no tests", "pass the package's folder that has them as `cwd`")
    return binary, folder


def _sources(folder: str, host: Host) -> list[str]:
    """The files of a folder's program, without its tests and without those that are programs for themselves."""
    files = sorted(file for file in host.glob(f"{folder}/*.go") if not file.endswith("_test.go"))
    return [file for file in files if not _is_ignored(host.read(file))]


def _need_main(path: str, sources: list[str], host: Host) -> None:
    """Refuse what is no program before it is built into an archive.

    Raises:
        UsageError: the package is not `main`, or the folder has no Go file; those below that are programs are named.
    """
    packages = [found[1] for file in sources if (found := PACKAGE.search(host.read(file)))]
    if "main" in packages or (sources and not packages):
        return
    mains = [
        file
        for file in host.glob(f"{path}/**/*.go")
        if MAIN.search(host.read(file)) and not _is_ignored(host.read(file))
    ]
    below = list(dict.fromkeys(file.rpartition("/")[0].removeprefix(f"{path}/") for file in mains))
    said = f"is package `{packages[0]}`, and only `main` is a program" if packages else "has no Go files of its own"
    hint = f"pass a program's folder: {', '.join(below[:8])}" if below else "debug_test runs the tests of a package"
    raise UsageError(f"`{path}` {said}", hint)


def _by_path(launch: Launch, host: Host) -> bool:
    """Whether packages are found below GOPATH instead of by modules."""
    return (launch.env.get("GO111MODULE") or host.env.get("GO111MODULE")) == "off"


def folder_of(launch: Launch, host: Host) -> Generator[Run, Ran, str]:
    """Where a package lies that is named by its import path.

    Raises:
        UsageError: go knows no such package there.
    """
    ran = yield Run(
        (need_go(host), "list", "-f", "{{.Dir}}", launch.module), cwd=launch.cwd, purpose="find the package"
    )
    if ran.code != 0 or not ran.stdout.strip():
        raise UsageError(
            f"go finds no package `{launch.module}`: {ran.stderr.strip()[-600:]}", "pass `cwd`, a folder of its module"
        )
    return ran.stdout.strip().splitlines()[-1]


def _is_ignored(text: str) -> bool:
    return re.search(r"^//go:build\s+ignore", text, re.M) is not None


def inspect(program: str, near: str, host: Host) -> Generator[Run, Ran, Built]:
    """Ask a program how it was built (`go version -m`); nothing is known without a Go, or of another language's."""
    go = host.which("go")
    if go is None:
        return Built()
    ran = yield from said((go, "version", "-m", program), host, "look at the program")
    rows = [line.split("\t")[1:] for line in ran.stdout.splitlines()[1:]]
    settings = dict(row[1].partition("=")[::2] for row in rows if row[0] == "build" and len(row) > 1)
    if ran.code != 0 or not rows:
        return Built()
    stripped = re.search(r"-[sw]\b", settings.get("-ldflags", "")) is not None
    optimised = "-N" not in settings.get("-gcflags", "")
    warnings = [STRIPPED.format(program)] * stripped + [OPTIMISED.format(program)] * (optimised and not stripped)
    if settings.get("-trimpath") != "true":
        return Built(stripped, tuple(warnings))
    modules = [row[1:] for row in rows if row[0] in ("mod", "dep") and len(row) > 2]
    return Built(stripped, tuple(warnings), tuple(_places(modules, [near, program.rpartition("/")[0]], host)))


def _places(modules: list[list[str]], near: list[str], host: Host) -> list[tuple[str, str]]:
    """Where the sources lie that -trimpath names by their modules: the program's own, its vendored and its cached."""
    roots = [root for root in (manifest(folder, host) for folder in near) if root]
    cache = host.env.get("GOMODCACHE") or f"{(host.env.get('GOPATH') or host.home + '/go').split(':')[0]}/pkg/mod"
    found: list[tuple[str, str]] = []
    for name, version, *checksum in modules:
        escaped = re.sub(r"[A-Z]", lambda upper: "!" + upper[0].lower(), name)
        inside = name if not any(checksum) else f"{name}@{version}"
        own = [
            root for root in roots if re.search(rf"^module {re.escape(name)}\s*$", host.read(f"{root}/go.mod"), re.M)
        ]
        vendored = [f"{root}/vendor/{name}" for root in roots]
        places = [*own, *vendored, f"{cache}/{escaped}@{version}"]
        found += [(place, inside) for place in places if host.is_dir(place)][:1]
    return found
