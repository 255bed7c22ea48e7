"""Go, by Delve's own DAP server.

We build, Delve executes: so the compiler's messages are the answer of a failing build,
and no `__debug_bin` is left beside the sources.
"""

import hashlib
import re
from collections.abc import Generator, Mapping
from typing import Any

from dapwright.adapters import _go_tests
from dapwright.adapters._compile import run
from dapwright.core.adapter import Adapter
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Plan, Planning, Ran, Run
from dapwright.core.parts import Installing, Part, told

PAIR = Part(
    "Go, and a Delve that fits it", ("apt-get install golang delve", "brew install go delve"), "https://go.dev/dl"
)
DELVE = "go install github.com/go-delve/delve/cmd/dlv@"
INSTALL = DELVE + "latest"
OLDEST = {20: 18, 21: 19, 22: 19, 23: 21, 24: 21, 25: 22, 26: 24, 27: 25}
"""The oldest Go that each Delve takes, both by their minor versions; the newest is its own number (its compat.go)."""
PANICS = ("unrecovered-panic", "runtime-fatal-throw")
FILTERS: Mapping[str, tuple[str, ...]] = {
    "uncaught": PANICS,
    "all": PANICS,
    "none": (),
    "test": PANICS,
    "named": PANICS,
}
KEYS = frozenset(
    [
        "mode",
        "buildFlags",
        "tags",
        "dlvPath",
        "dlvFlags",
        "stackTraceDepth",
        "hideSystemGoroutines",
        "showGlobalVariables",
        "showRegisters",
        "goroutineFilters",
        "substitutePath",
        "traceDirPath",
        "coreFilePath",
        "backend",
        "followExec",
    ]
)
REMOTE_OUTPUT = 21
"""The minor version of Delve since which output comes as events (`outputMode: remote`)."""


def dlv_candidates(host: Host) -> list[str]:
    """The Delves of this machine: PATH, then where `go install` puts it."""
    roots = [
        host.env.get("GOBIN") or "",
        *(f"{path}/bin" for path in (host.env.get("GOPATH") or "").split(":") if path),
    ]
    places = [f"{root}/dlv" for root in [*roots, f"{host.home}/go/bin"] if root]
    found = [host.which("dlv"), *(path for path in places if host.is_file(path))]
    return list(dict.fromkeys(path for path in found if path))


def minor(text: str) -> int:
    """20 for `Version: 1.20.2` and for `go version go1.20.4 ...`; 0 where it cannot be read."""
    found = re.search(r"(?:Version: |go)1\.(\d+)", text)
    return int(found[1]) if found else 0


def find(host: Host, config: Mapping[str, Any]) -> Generator[Run, Ran, tuple[str, int, str]]:
    """The Delve that fits this machine's Go, with its minor version, and a note.

    Raises:
        SetupError: there is none, or all are older than the Go.
    """
    go = host.which("go")
    release = (yield Run((go, "version"), cwd="", purpose="find go", timeout_seconds=20)).stdout if go else ""
    seen: list[str] = []
    for path in [str(config["dlvPath"])] if config.get("dlvPath") else dlv_candidates(host):
        said = (yield Run((path, "version"), cwd="", purpose="find Delve", timeout_seconds=20)).stdout
        if fits(minor(said), minor(release)):
            return path, minor(said), f"debugger: {path} 1.{minor(said)}"
        seen.append(f"`{path}` is 1.{minor(said)}")
    version = minor(release)
    hint = f"`dapwright setup go` installs one that fits, or: {DELVE}{fitting(version)}"
    if not seen:
        raise SetupError("there is no Delve (`dlv`)", hint)
    raise SetupError(f"no Delve here fits Go 1.{version}: {', '.join(seen)}", hint)


def fits(delve: int, go: int) -> bool:
    """Whether a Delve takes a Go, by their minor versions (0: unknown, and taken).

    With a newer Go all locals are empty, an older one it refuses.
    """
    return not (delve and go) or OLDEST.get(delve, 0) <= go <= delve


def fitting(go: int) -> str:
    """The version of Delve to install for a Go's minor version: there was none from 1.10 to 1.19."""
    return "latest" if not go or go >= OLDEST[max(OLDEST)] else f"v1.{max(go, min(OLDEST))}"


def installs(host: Host) -> Installing:
    """Delve, where none here fits the Go; Go too, where there is none."""
    go = host.which("go")
    if go is None:
        return (PAIR,)
    try:
        yield from find(host, {})
    except SetupError as lacking:
        release = (yield Run((go, "version"), cwd="", purpose="find go", timeout_seconds=20)).stdout
        return (Part("Delve", (DELVE + fitting(minor(release)),), why=str(lacking)),)
    return ()


def _need_go(host: Host) -> str:
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
    go, path = _need_go(host), launch.program
    folder = path if host.is_dir(path) else path.rpartition("/")[0]
    alone = not host.is_dir(path) and mode != "test" and (not manifest(folder, host) or _is_ignored(host.read(path)))
    key = hashlib.sha256(f"{mode}\0{path}\0{launch.config}".encode()).hexdigest()[:16]
    name = folder.rpartition("/")[2] or "program"
    binary = f"{host.cache}/go/{key}/{name}{'.test' if mode == 'test' else ''}"
    flags = launch.config.get("buildFlags", ())
    words = flags.split() if isinstance(flags, str) else [str(flag) for flag in flags]
    if launch.config.get("tags"):
        words.append(f"-tags={launch.config['tags']}")
    verb = ("test", "-c") if mode == "test" else ("build",)
    argv = (go, *verb, "-gcflags=all=-N -l", *words, "-o", binary, path if alone else ".")
    yield from run(Run(argv, cwd=folder, purpose="build"), path.rpartition("/")[2] or path)
    if mode == "test" and not host.is_file(binary):
        raise UsageError(f"`{folder}` has no tests", "pass the package's folder that has them as `cwd`")
    return binary, folder


def _is_ignored(text: str) -> bool:
    return re.search(r"^//go:build\s+ignore", text, re.M) is not None


def plan(launch: Launch, host: Host) -> Planning:
    """Launch a file, a package, a test binary or a program; or open a core or a recording."""
    dlv, version, note = yield from find(host, launch.config)
    mode = "core" if launch.core_file else str(launch.config.get("mode") or "")
    is_source = host.is_dir(launch.program) or launch.program.endswith(".go")
    mode = mode or ("debug" if is_source else "exec")
    program, folder = launch.program, launch.cwd
    notes: tuple[str, ...] = (note,)
    if is_source and mode in ("debug", "test", "auto"):
        program, folder = yield from build(launch, host, "debug" if mode == "auto" else mode)
        notes = (note, f"built {program}")
    elif not host.is_file(launch.program) and mode != "replay":
        raise UsageError(f"no such program: `{launch.program}`", "pass a .go file, a package's folder or a program")
    arguments = _arguments(launch, mode if mode in ("core", "replay") else "exec", program)
    arguments["cwd"] = folder if mode == "test" else launch.cwd or folder
    if version >= REMOTE_OUTPUT:
        arguments["outputMode"] = "remote"
    return Plan(
        "launch",
        arguments,
        argv=(dlv, "dap", "--listen=127.0.0.1:{port}", *map(str, launch.config.get("dlvFlags", ()))),
        channel="tcp",
        cwd=folder,
        prints_are_output=version < REMOTE_OUTPUT,
        post_mortem=mode == "core",
        notes=notes,
        warnings=_stale(launch, host) if mode == "exec" else (),
    )


def _arguments(launch: Launch, mode: str, program: str) -> dict[str, Any]:
    ours = {
        key: value
        for key, value in launch.config.items()
        if key not in ("mode", "buildFlags", "tags", "dlvPath", "dlvFlags")
    }
    arguments: dict[str, Any] = {
        "mode": mode,
        "program": program,
        "args": list(launch.args),
        "env": dict(launch.env),
        "stopOnEntry": launch.stop_on_entry,
        "stackTraceDepth": 100,
        "hideSystemGoroutines": launch.just_my_code,
        **ours,
        **launch.extra,
    }
    if launch.core_file:
        arguments["coreFilePath"] = launch.core_file
    if launch.path_mappings:
        arguments["substitutePath"] = [{"from": local, "to": remote} for local, remote in launch.path_mappings]
    return arguments


def _stale(launch: Launch, host: Host) -> tuple[str, ...]:
    built = host.modified(launch.program)
    folder = launch.program.rpartition("/")[0]
    newer = [path for path in host.glob(f"{folder}/*.go") if host.modified(path) > built]
    if not newer:
        return ()
    return (f"stale build: {', '.join(newer[:3])} is newer than `{launch.program}`; lines may be off, build it again",)


def attach(target: Attach, host: Host) -> Planning:
    """Join a process by its id, or a headless Delve that others may share (`--accept-multiclient`)."""
    arguments: dict[str, Any] = {"hideSystemGoroutines": target.just_my_code, "stackTraceDepth": 100, **target.config}
    if target.path_mappings:
        arguments["substitutePath"] = [{"from": local, "to": remote} for local, remote in target.path_mappings]
    arguments["stopOnEntry"] = target.stop_on_entry
    if target.port is not None:
        return Plan("attach", {**arguments, "mode": "remote"}, channel="tcp", host=target.host, port=target.port)
    if target.process_id is None:
        raise UsageError("neither `port` nor `processId` says what to attach to", "pass one of them")
    dlv, _, note = yield from find(host, target.config)
    return Plan(
        "attach",
        {**arguments, "mode": "local", "processId": target.process_id},
        argv=(dlv, "dap", "--listen=127.0.0.1:{port}"),
        channel="tcp",
        notes=(note,),
    )


def check(host: Host) -> str:
    """Why Go cannot be debugged here."""
    return "" if dlv_candidates(host) else f"there is no Delve (`dlv`): {INSTALL}"


def internal_frame(frame: Frame) -> bool:
    """Frames of Go's runtime and its test runner."""
    return (
        not frame.file
        or frame.name.startswith(("runtime.", "testing.", "internal/", "reflect."))
        or frame.file.endswith(".s")
    )


def hit_condition(condition: str) -> str:
    """Delve takes all of ours; a bare number is spelled out (1.20 to 1.27)."""
    return f"== {condition.strip()}" if condition.strip().isdigit() else condition


def function_name(name: str) -> str:
    """Delve binds a bare `main` nowhere; other bare names it finds in any package."""
    return "main.main" if name == "main" else name


ADAPTER = Adapter(
    language="go",
    display_name="Go",
    extensions=(".go",),
    dap_id="go",
    engine="Delve",
    plan=plan,
    attach=attach,
    check=check,
    check_attach=check,
    internal_frame=internal_frame,
    aliases=("golang", "dlv", "delve"),
    exception_filters=FILTERS,
    comment="//",
    exit_code=re.compile(r"Process \d+ has exited with status (-?\d+)"),
    hit_condition=hit_condition,
    modes=frozenset({"port", "processId"}),
    launches_folders=True,
    function_name=function_name,
    chatter=re.compile(r"Type 'dlv help'|Detaching|Process \d+ has exited"),
    setup=INSTALL,
    installs=installs,
    launch_keys=KEYS,
    test_command=_go_tests.test_command,
    tested="run for real here, with Delve 1.27.2 and Go 1.26",
)
