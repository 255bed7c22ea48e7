"""CodeLLDB as the engine, where the user's editor has it: LLDB's facts in words of its own."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dapwright.adapters import _lldb
from dapwright.core.model import Attach, Host, Launch, Plan

PLACES = (".vscode", ".vscode-server", ".vscode-oss", ".cursor", ".cursor-server", ".windsurf")
"""Folders of editors in the user's own, each with its `extensions`."""
FILTERS: Mapping[str, tuple[str, ...]] = {
    "uncaught": (),
    "all": ("cpp_throw",),
    "none": (),
    "test": (),
    "named": ("cpp_throw",),
}
RUST: Mapping[str, tuple[str, ...]] = {**FILTERS, "uncaught": ("rust_panic",), "test": ("rust_panic",)}
CHATTER = re.compile(
    r"Console is in '\w+' mode|Executing script: |Launching: |Launched process \d+|Process exited with code"
    r"|Attached to process|Running executable|Debug adapter"
)
COMMON = {"terminal": "console", "expressions": "native"}
"""Its own console, since without its launcher a terminal falls back to that; whole expressions, where the default
takes no calls, no `->` and no `*`."""


ITEMS = replace(_lldb.ITEMS, prefix="/se ")
"""It answers a page with all items; its simple expressions are paths."""


def find(host: Host) -> str | None:
    """CodeLLDB's adapter: on PATH, or in an editor's extensions, the newest last."""
    patterns = [f"{host.home}/{place}/extensions/vadimcn.vscode-lldb-*/adapter/codelldb" for place in PLACES]
    found = [path for pattern in patterns for path in host.glob(pattern)]
    return host.which("codelldb") or next(iter(reversed(found)), None)


def facts(language: str) -> Mapping[str, Any]:
    """What is other than with gdb: as lldb-dap, and a bad expression in a log point ends it (1.11), so those are ours.

    Its own panic filter is the one way to stop at a Rust panic.
    """
    filters = RUST if language == "rust" else FILTERS
    return {
        **_lldb.FACTS,
        "engine": "CodeLLDB",
        "chatter": CHATTER,
        "watches_addresses": False,
        "joins_paused": False,
        "items": ITEMS,
        "exception_filters": filters,
        "accepts_and_ignores": frozenset({"logpoints"}),
    }


def _words(language: str, commands: Sequence[str], ours: Mapping[str, Any]) -> dict[str, Any]:
    """What a launch and an attachment share."""
    more = {"sourceLanguages": [language]} if language in ("rust", "cpp", "c") else {}
    return {**COMMON, **more, **ours, "initCommands": [*_lldb.SUMMARIES, *commands, *ours.get("initCommands", [])]}


def launch_plan(
    launch: Launch, language: str, *, adapter: str, program: str, notes: tuple[str, ...], commands: Sequence[str]
) -> Plan:
    """The plan of a launch, or of a core file."""
    arguments = _words(language, commands, {**launch.config, **launch.extra}) | {"program": program}
    if launch.core_file:
        opened = f'target create "{program}" --core "{launch.core_file}"'
        arguments |= {"targetCreateCommands": [opened], "processCreateCommands": []}
    else:
        env = {name: value for name, value in launch.env.items() if value is not None}
        arguments |= {"args": list(launch.args), "cwd": launch.cwd, "env": env, "stopOnEntry": launch.stop_on_entry}
        arguments["sourceMap"] = {remote: local for local, remote in launch.path_mappings}
    return Plan(
        "attach" if launch.core_file else "launch",
        arguments,
        argv=(adapter,),
        cwd=launch.cwd,
        exception_filters=_filters(launch.exceptions, language),
        post_mortem=bool(launch.core_file),
        facts=facts(language),
        notes=notes,
    )


def attach_plan(
    target: Attach, language: str, *, adapter: str, notes: tuple[str, ...], commands: Sequence[str]
) -> Plan:
    """The plan of joining a process or a gdbserver."""
    arguments = _words(language, commands, target.config)
    if target.process_id is not None:
        arguments["pid"] = target.process_id
    else:
        create = f'target create "{target.executable}"' if target.executable else "target create"
        arguments["targetCreateCommands"] = [create] if target.executable else []
        arguments["processCreateCommands"] = [f"gdb-remote {target.host}:{target.port}"]
    if target.executable:
        arguments["program"] = target.executable
    return Plan(
        "attach",
        arguments,
        argv=(adapter,),
        exception_filters=_filters(target.exceptions, language),
        notes=notes,
        facts=facts(language),
    )


def _filters(wanted: str | tuple[str, ...], language: str) -> tuple[str, ...]:
    filters = RUST if language == "rust" else FILTERS
    return filters[wanted if isinstance(wanted, str) else "named"]
