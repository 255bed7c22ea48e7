"""Go, by Delve's own DAP server.

We build, Delve executes: so the compiler's messages are the answer of a failing build,
and no `__debug_bin` is left beside the sources.
"""

import re
from collections.abc import Mapping
from typing import Any

from dapwright.adapters import _go_builds, _go_delve, _go_tests, _go_values, _go_waits
from dapwright.core.adapter import Adapter
from dapwright.core.errors import UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Plan, Planning

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
FED_INPUT = 26
"""The minor version of Delve since which a launch may name the file that is the program's input (`stdinFrom`)."""


def plan(launch: Launch, host: Host) -> Planning:
    """Launch a file, a package, a test binary or a program; or open a core or a recording."""
    dlv, version, note = yield from _go_delve.find(host, launch.config)
    mode = "core" if launch.core_file else str(launch.config.get("mode") or "")
    is_source = host.is_dir(launch.program) or launch.program.endswith(".go")
    mode = mode or ("debug" if is_source else "exec")
    program, folder = launch.program, launch.cwd
    notes: tuple[str, ...] = (note,)
    if is_source and mode in ("debug", "test", "auto"):
        program, folder = yield from _go_builds.build(launch, host, "debug" if mode == "auto" else mode)
        notes = (note, f"built {program}")
    elif not host.is_file(launch.program) and mode != "replay":
        raise UsageError(f"no such program: `{launch.program}`", "pass a .go file, a package's folder or a program")
    trimmed = (
        "-trimpath" in f"{launch.config.get('buildFlags', '')} {launch.env.get('GOFLAGS') or host.env.get('GOFLAGS')}"
    )
    built = _go_builds.Built()
    if not is_source or trimmed:
        built = yield from _go_builds.inspect(program, launch.cwd or folder, host)
    arguments = _arguments(launch, mode if mode in ("core", "replay") else "exec", program, built.substitutes)
    arguments["cwd"] = folder if mode == "test" else launch.cwd or folder
    if version >= REMOTE_OUTPUT:
        arguments["outputMode"] = "remote"
    if launch.traced and mode not in ("core", "replay"):
        return _traced(arguments, dlv, notes, host)
    fed = version >= FED_INPUT and mode not in ("core", "replay") and host.platform != "win32"
    if fed:
        arguments["stdinFrom"] = "{fed_input}"
    return Plan(
        "launch",
        arguments,
        argv=(dlv, "dap", "--listen=127.0.0.1:{port}", *map(str, launch.config.get("dlvFlags", ()))),
        channel="tcp",
        cwd=folder,
        prints_are_output=version < REMOTE_OUTPUT,
        post_mortem=mode == "core",
        fed=fed,
        notes=notes,
        warnings=(*(_stale(launch, host) if mode == "exec" else ()), *(built.warnings if not is_source else ())),
    )


def _arguments(launch: Launch, mode: str, program: str, places: tuple[tuple[str, str], ...]) -> dict[str, Any]:
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
    if mapped := (*launch.path_mappings, *places):
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
    arguments: dict[str, Any] = {"hideSystemGoroutines": target.just_my_code, "stackTraceDepth": 100, **target.config}
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
    if frame.file.lower().endswith(".s") or _go_waits.standard(frame):
        return True
    return any(part in frame.file for part in ASSERTIONS)


def hit_condition(condition: str) -> str:
    """Delve takes all of ours; a bare number is spelled out (1.20 to 1.27)."""
    return f"== {condition.strip()}" if condition.strip().isdigit() else condition


def function_name(name: str) -> str:
    """Delve binds a bare `main` nowhere; other bare names it finds in any package."""
    return "main.main" if name == "main" else name


ADAPTER = Adapter(
    refuse_effects=lambda expression: None,
    first_reference=1000,
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
    traces=True,
    function_name=function_name,
    function_breakpoints="either",
    chatter=re.compile(r"Type 'dlv help'|Detaching|Process \d+ has exited"),
    setup=_go_delve.INSTALL,
    assignment="call {0} = {1}",
    reports=_go_values.reports,
    rephrase=_go_values.rephrase,
    interrupted="call stopped",
    panicked="~panic",
    stacks=_go_waits.STACKS,
    whole=_go_values.WHOLE,
    installs=_go_delve.installs,
    launch_keys=KEYS,
    test_command=_go_tests.test_command,
    tested="run for real here, with Delve 1.27.2 and Go 1.26",
)
