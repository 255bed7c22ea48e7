"""Go, by Delve's own DAP server.

We build, Delve executes: so the compiler's messages are the answer of a failing build,
and no `__debug_bin` is left beside the sources.
"""

import re
from collections.abc import Generator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dapwright.adapters import _go_builds, _go_delve, _go_returns, _go_tests, _go_values, _go_waits
from dapwright.core.adapter import Adapter
from dapwright.core.errors import UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Plan, Planning, Ran, Run

PANICS = ("unrecovered-panic", "runtime-fatal-throw")
DEATHS = {
    "runtime.fatalpanic": ("panic", "runtime.gopanic", "p.arg.(data)"),
    "runtime.throw": ("fatal error", "runtime.throw", "s"),
    "runtime.fatal": ("fatal error", "runtime.fatal", "s"),
}
"""Where Go's runtime (1.26) ends a program."""
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
        "maxArrayValues",
        "maxStringLen",
        "showRawStrings",
        "dlvCwd",
        "followExecRegex",
        "showPprofLabels",
        "substitutePath",
        "traceDirPath",
        "coreFilePath",
        "backend",
        "followExec",
    ]
)
LABELS: Mapping[str, Any] = {"showPprofLabels": ["*"]}
"""All labels of a goroutine (`pprof.Do`) stand in its name: `[Go 7 tenant:blue] main.serve`."""
WRAPPER = re.compile(r"\.gowrap\d+$|-fm$")
"""Functions that the compiler writes around the call of a `go` statement, and around a method's value."""
REMOTE_OUTPUT = 21
"""The minor version of Delve since which output comes as events (`outputMode: remote`)."""
FED_INPUT = 26
"""The minor version of Delve since which a launch may name the file that is the program's input (`stdinFrom`)."""


class _Program(Struct, frozen=True):
    """What is to run: built by us, or as it was found."""

    path: str
    folder: str
    mode: str
    built: _go_builds.Built = _go_builds.Built()
    notes: tuple[str, ...] = ()

    @property
    def runs(self) -> bool:
        """Whether it is a process, and no core file or recording."""
        return self.mode not in ("core", "replay")


def plan(launch: Launch, host: Host) -> Planning:
    """Launch a file, a package, a test binary or a program; or open a core or a recording."""
    dlv, version, note = yield from _go_delve.find(host, launch.config)
    if launch.module:
        launch = replace(launch, program=(yield from _go_builds.folder_of(launch, host)), module="")
    program = yield from _program(launch, host)
    notes = (note, *program.notes)
    arguments = _arguments(launch, program)
    if version >= REMOTE_OUTPUT:
        arguments["outputMode"] = "remote"
    if launch.traced and program.runs:
        return _traced(arguments, dlv, notes, host)
    enters = launch.stop_on_entry and program.mode in ("debug", "exec") and not program.built.stripped
    if enters:
        arguments["stopOnEntry"] = False
    fed = version >= FED_INPUT and program.runs and host.platform != "win32"
    if fed:
        arguments["stdinFrom"] = "{fed_input}"
    return Plan(
        "launch",
        arguments,
        argv=(dlv, "dap", "--listen=127.0.0.1:{port}", *map(str, launch.config.get("dlvFlags", ()))),
        channel="tcp",
        cwd=program.folder,
        prints_are_output=version < REMOTE_OUTPUT,
        post_mortem=program.mode == "core",
        fed=fed,
        entry="main.main" if enters else "",
        notes=notes,
        warnings=(*(_stale(launch, host) if program.mode == "exec" else ()), *program.built.warnings),
    )


def _program(launch: Launch, host: Host) -> Generator[Run, Ran, _Program]:
    """Build what is source, and ask what is a program how it was built."""
    mode = "core" if launch.core_file else str(launch.config.get("mode") or "")
    is_source = host.is_dir(launch.program) or launch.program.endswith(".go")
    mode = mode or ("debug" if is_source else "exec")
    if is_source and mode in ("debug", "test", "auto"):
        mode = "debug" if mode == "auto" else mode
        path, folder = yield from _go_builds.build(launch, host, mode)
        built = _go_builds.Built()
        if "-trimpath" in _flags(launch, host):
            built = replace((yield from _go_builds.inspect(path, launch.cwd or folder, host)), warnings=())
        return _Program(path, folder, mode, built, (f"built {path}",))
    if not host.is_file(launch.program) and mode != "replay":
        raise UsageError(f"no such program: `{launch.program}`", "pass a .go file, a package's folder or a program")
    built = yield from _go_builds.inspect(launch.program, launch.cwd, host)
    return _Program(launch.program, launch.cwd, mode, built)


def _flags(launch: Launch, host: Host) -> str:
    return f"{launch.config.get('buildFlags', '')} {launch.env.get('GOFLAGS') or host.env.get('GOFLAGS')}"


def _arguments(launch: Launch, program: _Program) -> dict[str, Any]:
    ours = {
        key: value
        for key, value in launch.config.items()
        if key not in ("mode", "buildFlags", "tags", "dlvPath", "dlvFlags")
    }
    arguments: dict[str, Any] = {
        "mode": "exec" if program.runs else program.mode,
        "program": program.path,
        "args": list(launch.args),
        "env": dict(launch.env),
        "stopOnEntry": launch.stop_on_entry,
        "stackTraceDepth": 100,
        "hideSystemGoroutines": launch.just_my_code,
        **LABELS,
        **ours,
        **launch.extra,
    }
    if launch.core_file:
        arguments["coreFilePath"] = launch.core_file
    arguments["cwd"] = program.folder if program.mode == "test" else launch.cwd or program.folder
    if mapped := (*launch.path_mappings, *program.built.substitutes):
        told = list(arguments.get("substitutePath", ()))
        arguments["substitutePath"] = told + [{"from": local, "to": remote} for local, remote in mapped]
    return arguments


def _traced(arguments: Mapping[str, Any], dlv: str, notes: tuple[str, ...], host: Host) -> Plan:
    """The same program under the engine that tells its calls (engines/delve)."""
    kept = {key: arguments[key] for key in ("program", "args", "cwd", "env")}
    argv = (host.python, "-m", "dapwright.engines.delve")
    return Plan("launch", {**kept, "dlv": dlv}, argv=argv, cwd=str(arguments["cwd"]), notes=notes)


def _stale(launch: Launch, host: Host) -> tuple[str, ...]:
    built = host.modified(launch.program)
    folder = launch.program.rpartition("/")[0]
    newer = [path for path in host.glob(f"{folder}/*.go") if host.modified(path) > built]
    if not newer:
        return ()
    return (f"stale build: {', '.join(newer[:3])} is newer than `{launch.program}`; lines may be off, build it again",)


def attach(target: Attach, host: Host) -> Planning:
    """Join a process by its id, or a headless Delve that others may share (`--accept-multiclient`)."""
    arguments: dict[str, Any] = {"hideSystemGoroutines": target.just_my_code, "stackTraceDepth": 100}
    arguments |= {**LABELS, **target.config}
    if target.path_mappings:
        arguments["substitutePath"] = [{"from": local, "to": remote} for local, remote in target.path_mappings]
    arguments["stopOnEntry"] = target.stop_on_entry
    if target.port is not None:
        return Plan("attach", {**arguments, "mode": "remote"}, channel="tcp", host=target.host, port=target.port)
    if target.process_id is None:
        raise UsageError("neither `port` nor `processId` says what to attach to", "pass one of them")
    dlv, _, note = yield from _go_delve.find(host, target.config)
    return Plan(
        "attach",
        {**arguments, "mode": "local", "processId": target.process_id},
        argv=(dlv, "dap", "--listen=127.0.0.1:{port}"),
        channel="tcp",
        notes=(note,),
    )


def check(host: Host) -> str:
    """Why Go cannot be debugged here."""
    return "" if _go_delve.dlv_candidates(host) else f"there is no Delve (`dlv`): {_go_delve.INSTALL}"


ASSERTIONS = ("/stretchr/testify", "/gotest.tools/", "/onsi/gomega", "/onsi/ginkgo", "/gopkg.in/check.")


def internal_frame(frame: Frame) -> bool:
    """Frames of what comes with Go, and of the assertion libraries that a failing test stands in."""
    if frame.file.lower().endswith(".s") or WRAPPER.search(frame.name) or _go_waits.standard(frame):
        return True
    return any(part in frame.file for part in ASSERTIONS)


def hit_condition(condition: str) -> str:
    """Delve takes all of ours; a bare number is spelled out (1.20 to 1.27)."""
    return f"== {condition.strip()}" if condition.strip().isdigit() else condition


def function_name(name: str) -> str:
    """A function's name as Delve (1.27) reads it: with `main`'s package, and without what its own names lack.

    It binds a bare `main` and `init` nowhere, and takes neither `(T).Value` nor type parameters: `Pair[K, V].Key`.
    """
    plain = re.sub(r"(?<!\w)\(([\w.]+)\)\.", r"\1.", re.sub(r"\[[^\[\]]*\]", "", name))
    return {"main": "main.main", "init": "main.init.0"}.get(plain, plain)


ADAPTER = Adapter(
    refuse_effects=lambda expression: None,
    first_reference=1000,
    paging=False,
    items_apart=True,
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
    cannot_judge=re.compile(r"error evaluating expression: "),
    modes=frozenset({"port", "processId"}),
    launches_folders=True,
    module_launch=True,
    traces=True,
    function_name=function_name,
    function_breakpoints="either",
    chatter=re.compile(r"Type 'dlv help'|Detaching|Process \d+ has exited|Too many goroutines"),
    banner=re.compile(r"\ADAP server listening at: \S+\n"),
    setup=_go_delve.INSTALL,
    assignment="call {0} = {1}",
    reports=_go_values.reports,
    rephrase=_go_values.rephrase,
    interrupted="call stopped",
    panicked="~panic",
    unhandled=frozenset({"panic", "fatal error"}),
    deaths=DEATHS,
    thread_rank=_go_waits.thread_rank,
    stacks=_go_waits.STACKS,
    whole=_go_values.WHOLE,
    returning=_go_returns.RETURNS,
    installs=_go_delve.installs,
    launch_keys=KEYS,
    test_command=_go_tests.test_command,
    tested="run for real here, with Delve 1.27.2 and Go 1.26",
)
