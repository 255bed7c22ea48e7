"""gdb as the engine: which one, how it starts, and what it is asked.

gdb speaks DAP since 14. Our plugin (`inject/gdb_plugin.py`) mends what its server lacks.
PyPI's `gdb-for-pwndbg` puts gdb 18 beside our own interpreter, found there first, since
what distributions have on PATH is often older.
"""

import re
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from dapwright.core.errors import SetupError
from dapwright.core.model import Attach, Host, Launch, Plan, Ran, Run
from dapwright.core.parts import Part, told

OLDEST = 14
GDB = Part("gdb 18", ('pip install "dapwright[native]"',))
INSTALL = told(GDB)
FILTERS: Mapping[str, tuple[str, ...]] = {
    "uncaught": ("signal",),
    "all": ("signal", "throw"),
    "none": (),
    "test": ("signal",),
    "named": ("signal",),
}
RAISES: Mapping[str, str] = {
    "ada_unhandled": "ada_raise",
    "d_throw": "d_throw",
    "pascal_raise": "pascal_raise",
    "objc_throw": "objc_throw",
}
"""A runtime's filter for failures -> the one that stops at every raise, with the type by name."""
COMMANDS = "dapwrightCommands"
"""The argument of `launch` and `attach` that our plugin takes commands by; a plan alone sets it."""
OURS = frozenset({"debugger", "gdbPath", "gdbCommands", COMMANDS})
"""Keys of `adapterLaunchConfig` and `adapterConfig` that the plan reads and gdb never sees."""
KEYS = frozenset({"gdbPath", "gdbCommands", "plainOutput"})
BEFORE = (
    "set debuginfod enabled off",
    "set auto-load scripts-directory /usr/share/gdb/auto-load:$debugdir:$datadir/auto-load",
    "add-auto-load-safe-path /usr/share",
)
"""What gdb is told before it reads anything."""
NO_AVX = "glibc.cpu.hwcaps=-AVX2,-AVX512F,-AVX512VL,-AVX512BW,-EVEX,-AVX,-ERMS,-XSAVE,-XSAVEC"
"""gdb's recorder knows no AVX instructions, which glibc chooses for copying strings where it can."""


def beside(host: Host, name: str) -> str | None:
    """A command in the folder of our own interpreter."""
    folder, _, _ = host.python.replace("\\", "/").rpartition("/")
    path = f"{folder}/{name}"
    return path if folder and host.is_file(path) else None


def candidates(host: Host) -> list[str]:
    """The gdbs of this machine, the most likely new one first."""
    found = (beside(host, "gdb"), host.which("gdb"))
    return list(dict.fromkeys(path for path in found if path))


def version(text: str) -> int:
    """The major version that `gdb --version` tells; 0 where it cannot be read."""
    found = re.search(r"GNU gdb.*?(\d+)\.\d+", text)
    return int(found[1]) if found else 0


def wheel_version(host: Host) -> int:
    """The version of PyPI's gdb beside our interpreter, by its wheel: asking it would cost a start; 0 without one."""
    root = host.python.replace("\\", "/").rpartition("/")[0].rpartition("/")[0]
    names = " ".join(host.glob(f"{root}/lib/python*/site-packages/gdb_for_pwndbg-*.dist-info"))
    found = re.search(r"gdb_for_pwndbg-(\d+)\.", names)
    return int(found[1]) if found and beside(host, "gdb") else 0


def find(host: Host, asked: str = "") -> Generator[Run, Ran, tuple[str, int] | None]:
    """The first gdb that speaks DAP, with its version; None where there is none."""
    if not asked and (wheel := wheel_version(host)) >= OLDEST:
        return str(beside(host, "gdb")), wheel
    for path in [asked] if asked else candidates(host):
        told = yield Run((path, "-nx", "--version"), cwd="", purpose="find gdb", timeout_seconds=20)
        if version(told.stdout) >= OLDEST:
            return path, version(told.stdout)
    return None


def missing(host: Host, asked: str = "", *, alone: bool = False) -> SetupError:
    """What to say where no gdb is new enough: the one `asked` for, or any; `alone` where no other debugger would do."""
    old = asked or host.which("gdb")
    said = f"`{old}` is older than {OLDEST} and does not speak DAP" if old else "there is no gdb"
    if asked and not host.is_file(asked):
        said = f"there is no `{asked}`"
    return SetupError(said if alone else f"{said}, and no lldb-dap was found", INSTALL)


def command(gdb: str, host: Host, plugins: Sequence[str] = ()) -> tuple[str, ...]:
    """The adapter's command, the same for every launch, so that it can be started ahead.

    What a launch adds (the program, commands) stands in its request: our plugin reads both when the
    request comes, so that breakpoints bind before the program runs.
    """
    words = [gdb, "-q", "-nx"]
    for line in BEFORE:
        words += ["-iex", line]
    for name in ("gdb_plugin.py", *plugins):
        words += ["-x", f"{host.packages['inject']}/{name}"]
    return (*words, "-i", "dap")


def mappings(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Path mappings as gdb's substitutions."""
    return [f"set substitute-path {remote} {local}" for local, remote in pairs]


def environment(host: Host, changes: Mapping[str, str | None]) -> dict[str, str | None]:
    """What the program's environment is to differ in from gdb's own.

    PyPI's gdb starts through a Python launcher that sets PYTHONHOME and PYTHONPATH, which
    the program must not inherit. Its stdout is a terminal of ours, so that lines are
    flushed; it is a dumb one.
    """
    clean = {name: host.env.get(name) for name in ("PYTHONHOME", "PYTHONPATH", "PYTHONNOUSERSITE", "SHELL")}
    return {**clean, "TERM": "dumb", **changes}


def launch_arguments(launch: Launch, host: Host, program: str, commands: Sequence[str]) -> dict[str, Any]:
    """The launch request; `commands` are gdb's own, carried out before the program is read."""
    changes = {"GLIBC_TUNABLES": NO_AVX, **launch.env} if launch.record else dict(launch.env)
    read = OURS | {"compiler", "compilerFlags", "target", "cargo", "program"}
    ours = {key: value for key, value in {**launch.config, **launch.extra}.items() if key not in read}
    arguments = {
        "program": program,
        "args": list(launch.args),
        "cwd": launch.cwd,
        "environment": environment(host, changes),
        "terminal": launch.terminal,
        "record": launch.record,
        "children": launch.children,
        COMMANDS: [*commands, *mappings(launch.path_mappings), *map(str, launch.config.get("gdbCommands", ()))],
        "fresh": bool(host.cache) and program.startswith(f"{host.cache}/native/"),
        "stopAtBeginningOfMainSubprogram": launch.stop_on_entry,
    }
    return {key: value for key, value in arguments.items() if value not in ("", False, [])} | ours


def exceptions(
    wanted: str | tuple[str, ...], runtime: Sequence[str] = ()
) -> tuple[tuple[str, ...], tuple[Mapping[str, Any], ...]]:
    """Filters and options: what ends a program or its language's runtime raises; all throws; types by name."""
    if not isinstance(wanted, str):
        pattern = "|".join(re.escape(name) for name in wanted)
        where = next((RAISES[name] for name in runtime if name in RAISES), "throw")
        rest = tuple(name for name in runtime if name != where)
        return ("signal", *rest), ({"filterId": where, "condition": pattern},)
    filters = FILTERS[wanted]
    if wanted == "all" and runtime:
        filters = ("signal", *(RAISES.get(name, name) for name in runtime))
        return tuple(dict.fromkeys((*filters, *runtime))), ()
    return (*filters, *runtime) if filters else (), ()


def attach_arguments(target: Attach, commands: Sequence[str]) -> dict[str, Any]:
    """The attach request: a process, or a gdbserver."""
    folders = [f"directory {path}" for path in target.source_paths]
    commands = [*commands, *mappings(target.path_mappings), *folders]
    if target.process_id is not None:
        arguments: dict[str, Any] = {"pid": target.process_id}
    else:
        arguments = {"target": f"{target.host}:{target.port}"}
    if commands:
        arguments[COMMANDS] = commands
    if target.executable:
        arguments["program"] = target.executable
    return {**arguments, **{key: value for key, value in target.config.items() if key not in OURS}}


def core_plan(
    launch: Launch, argv: tuple[str, ...], *, notes: tuple[str, ...], commands: Sequence[str], facts: Mapping[str, Any]
) -> Plan:
    """A core file is looked at as the paused program that it was."""
    commands = [*commands, *mappings(launch.path_mappings)]
    arguments = {"program": launch.program, "coreFile": launch.core_file, "cwd": launch.cwd, COMMANDS: commands}
    return Plan(
        "attach",
        {key: value for key, value in arguments.items() if value},
        argv=argv,
        cwd=launch.cwd,
        post_mortem=True,
        exception_filters=(),
        notes=notes,
        facts=facts,
    )
