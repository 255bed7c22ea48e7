"""Languages that compile to machine code, on gdb or LLDB: what they share."""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import Any

from msgspec.structs import replace

from dapwright.adapters import _codelldb, _compile, _gdb, _lldb
from dapwright.adapters._native_effects import ASSIGN_BY_EQUALS, refuse_effects, refuse_writes
from dapwright.core.adapter import Adapter, Warming
from dapwright.core.errors import NotSupported, SetupError, UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Plan, Planning, Ran, Run
from dapwright.core.parts import Installing

MODES = frozenset({"port", "processId", "hitsWithCondition"})
KEYS = _gdb.KEYS | _lldb.KEYS | frozenset({"compiler", "compilerFlags", "target", "program", "debugger"})
LIBRARY = (
    "/usr/include/c++/", "/usr/include/x86_64-linux-gnu/", "/usr/lib/gcc/", "/libio/", "/sysdeps/", "/csu/", "/nptl/",
    "/stdlib/abort.c", "/stdlib/exit.c", "/assert/assert.c", "/libstdc++-v3/", "/include/gtest/", "/googletest/src/",
    "/googletest/include/", "/include/catch2/", "/include/doctest/",
    "/include/boost/", "/ziglang/lib/", "/lib/zig/",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Language:
    """What sets one native language apart."""

    name: str
    extensions: tuple[str, ...]
    recipe: _compile.Recipe | None
    runtime: tuple[str, ...] = ()
    """Exception filters of our gdb plugin for its runtime's failures."""
    engines: tuple[str, ...] = ("gdb", "lldb")
    """Which can show its values, the best first."""
    build: Callable[[Launch, Host], _compile.Building] | None = None
    """How a source or a folder becomes a program, where it is not the common way."""
    gdb_commands: Callable[[Host], Generator[Run, Ran, list[str]]] | None = None
    """Commands for gdb, before it reads the program."""
    gdb_plugins: tuple[str, ...] = ()
    """More plugins for gdb, after our common one."""
    lldb_commands: Callable[[Host], Generator[Run, Ran, list[str]]] | None = None
    hints: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Engine:
    """A debugger chosen for a launch, and why."""

    kind: str
    path: str
    note: str


def choose(language: Language, asked: str, host: Host, config: Mapping[str, object]) -> Generator[Run, Ran, Engine]:
    """Choose the debugger: as asked, else the best that this machine has.

    Raises:
        SetupError: none fits.
        UsageError: `debugger` names none that we know.
    """
    asked = asked.lower()
    if asked == "rr":
        raise NotSupported("`rr` is not driven by dapwright", "pass `record: true`: gdb has a recorder of its own")
    if asked not in ("", "gdb", "lldb", "lldb-dap", "codelldb"):
        raise UsageError(f"`{asked}` is no debugger for {language.name}", "pass `gdb`, `lldb` or `codelldb`")
    kinds = [asked.removesuffix("-dap")] if asked else list(language.engines)
    for kind in kinds:
        if kind == "gdb":
            found = yield from _gdb.find(host, str(config.get("gdbPath", "")))
            if found is not None:
                return Engine("gdb", found[0], f"debugger: gdb {found[1]}")
        path = _lldb.find(host) if kind == "lldb" else _codelldb.find(host) if kind == "codelldb" else None
        if path is not None:
            return Engine(kind, path, f"debugger: {path.rpartition('/')[2]}")
    if asked and asked != "gdb":
        raise SetupError(f"there is no {asked} here", _lldb.INSTALL)
    raise _gdb.missing(host, str(config.get("gdbPath", "")), alone=bool(asked))


def _built(language: Language, launch: Launch, host: Host) -> _compile.Building:
    """The program to debug, built where it must be."""
    path = launch.program
    if language.build is not None:
        return (yield from language.build(launch, host))
    if host.is_dir(path):
        return (yield from _compile.project(path, host, launch.config))
    if path.lower().endswith(language.extensions):
        if language.recipe is None or not host.is_file(path):
            raise UsageError(f"no such source: `{path}`", "pass a program or a source file as scriptPath")
        return (yield from _compile.lone(path, host, language.recipe, launch.config))
    return path, ()


def plan_for(language: Language) -> Callable[[Launch, Host], Planning]:
    """The language's `plan`."""

    def plan(launch: Launch, host: Host) -> Planning:
        named = launch.debugger or str({**launch.config, **launch.extra}.get("debugger") or "")
        engine = yield from choose(language, named, host, launch.config)
        program = launch.program
        notes: tuple[str, ...] = ()
        if not launch.core_file:
            program, notes = yield from _built(language, launch, host)
        if program and not host.is_file(program) and program == launch.program:
            raise UsageError(
                f"no such program: `{program}`", "pass the path of a program, a source or a project folder"
            )
        return (yield from _launched(language, launch, host, engine, program, (engine.note, *notes)))

    return plan


def _launched(
    language: Language,
    launch: Launch,
    host: Host,
    engine: Engine,
    program: str,
    notes: tuple[str, ...],
) -> Planning:
    if engine.kind != "gdb":
        if launch.record:
            raise UsageError(f"{engine.kind} records nothing", "leave `debugger` out: gdb has a recorder")
        commands = (yield from language.lldb_commands(host)) if language.lldb_commands else []
        fed = not launch.core_file and host.platform != "win32"
        if fed:
            commands = [*commands, _lldb.INPUT]
        if engine.kind == "codelldb":
            plan = _codelldb.launch_plan(
                launch, language.name, adapter=engine.path, program=program, notes=notes, commands=commands
            )
        else:
            plan = _lldb.launch_plan(launch, host, engine.path, program, notes, commands)
        return replace(plan, fed=fed)
    commands = (yield from language.gdb_commands(host)) if language.gdb_commands else []
    argv = _gdb.command(engine.path, host, language.gdb_plugins)
    if launch.core_file:
        return _gdb.core_plan(launch, argv, notes=notes, commands=commands, facts=FACTS)
    filters, options = _gdb.exceptions(launch.exceptions, language.runtime)
    return Plan(
        "launch",
        _gdb.launch_arguments(launch, host, program, commands),
        argv=argv,
        cwd=launch.cwd,
        exception_filters=filters,
        exception_options=options,
        notes=notes,
        facts=FACTS,
    )


def warm_for(language: Language) -> Callable[[Host, str], Warming]:
    """The language's `warm`: the gdb that a launch takes unless it names another debugger."""

    def warm(host: Host, executable: str) -> Warming:
        engine = yield from choose(language, "", host, {})
        if engine.kind != "gdb":
            return None
        return Plan("launch", {}, argv=_gdb.command(engine.path, host, language.gdb_plugins))

    return warm


def attach_for(language: Language) -> Callable[[Attach, Host], Planning]:
    """The language's `attach`: by process id, or to a gdbserver."""

    def attach(target: Attach, host: Host) -> Planning:
        if target.process_id is None and target.port is None:
            raise UsageError("neither `port` nor `processId` says what to attach to", "pass one of them")
        engine = yield from choose(language, str(target.config.get("debugger", "")), host, target.config)
        if engine.kind != "gdb":
            commands = (yield from language.lldb_commands(host)) if language.lldb_commands else []
            if engine.kind == "codelldb":
                return _codelldb.attach_plan(
                    target, language.name, adapter=engine.path, notes=(engine.note,), commands=commands
                )
            return _lldb.attach_plan(target, engine.path, (engine.note,), commands)
        commands = (yield from language.gdb_commands(host)) if language.gdb_commands else []
        filters, options = _gdb.exceptions(target.exceptions, language.runtime)
        return Plan(
            "attach",
            _gdb.attach_arguments(target, commands),
            argv=_gdb.command(engine.path, host, language.gdb_plugins),
            exception_filters=filters,
            exception_options=options,
            notes=(engine.note,),
            facts=FACTS,
        )

    return attach


def check(host: Host) -> str:
    """Why no native program can be debugged here."""
    if _gdb.candidates(host) or _lldb.find(host) or _codelldb.find(host):
        return ""
    return f"there is no gdb (14 or newer) and no lldb-dap: {_gdb.INSTALL}"


def installs(host: Host) -> Installing:
    """gdb, where there is none that speaks DAP, and no lldb-dap instead."""
    gdb = yield from _gdb.find(host)
    return () if gdb or _lldb.find(host) or _codelldb.find(host) else (_gdb.GDB,)


def internal_frame(frame: Frame) -> bool:
    """Frames of the C and C++ libraries, and those without a source (which CodeLLDB calls `@` and the symbol)."""
    return (
        not frame.file
        or frame.file.startswith("@")
        or frame.hint == "deemphasize"
        or any(part in frame.file for part in LIBRARY)
    )


def hit_condition(condition: str) -> str:
    """Our gdb plugin takes all of ours as they are."""
    return condition


FACTS: Mapping[str, Any] = {
    "engine": "gdb",
    "hit_condition": hit_condition,
    "one_meaning": True,
    "input_request": True,
    "exception_filters": _gdb.FILTERS,
    "waits": "standing",
    "joins_paused": True,
    "rewinds": True,
}
"""What is other than with LLDB."""


def adapter(language: Language, display_name: str, *, aliases: tuple[str, ...] = (), **facts: Any) -> Adapter:
    """An adapter of a native language: the common facts, and its own."""
    common: dict[str, Any] = {
        "dap_id": "gdb",
        "engine": "gdb" + (" or LLDB" if "lldb" in language.engines else ""),
        "plan": plan_for(language),
        "attach": attach_for(language),
        "warm": warm_for(language),
        "check": check,
        "check_attach": check,
        "internal_frame": internal_frame,
        "exception_filters": _gdb.FILTERS,
        "comment": "//",
        "hit_condition": hit_condition,
        "one_meaning": True,
        "evaluate_context": "watch",
        "follows": True,
        "function_breakpoints": "either",
        "input_request": True,
        "traces": True,
        "records": True,
        "modes": MODES,
        "launches_folders": True,
        "refuse_effects": refuse_effects,
        **({"refuse_writes": refuse_writes} if language.name in ASSIGN_BY_EQUALS else {}),
        "setup": _gdb.INSTALL,
        "installs": installs,
        "launch_keys": KEYS,
    }
    return Adapter(
        language=language.name,
        display_name=display_name,
        extensions=language.extensions,
        aliases=aliases,
        **{**common, **facts},
    )
