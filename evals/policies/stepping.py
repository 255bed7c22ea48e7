"""The debugger by hand: a breakpoint, a look, a step, a look. Every stop answer holds the locals, so looking is free.

An agent knows what fails before it debugs: both ways begin with a plain run.
"""

import ast
import sys
from pathlib import Path
from typing import Any

from mcp_client import Server

from bugs import Bug
from policies.plain import QUIET, plain
from policies.reading import Seen

PATIENCE = 60
"""Calls after which an agent gives up."""


def into(server: Server, folder: Path, bug: Bug, seen: Seen) -> None:
    """Stop in the test and step into all that it calls, in the order in which it happens."""
    plain(server, folder, bug, seen)
    if seen.shown:
        return
    stop = _start(server, folder, bug, seen, {"file": str(folder / bug.test), "function": f"test_{bug.name}"})
    while stop.get("state") == "paused" and seen.calls < PATIENCE and not seen.shown:
        stop = seen.ask(server, "step_into", sessionId=stop["sessionId"])


def over(server: Server, folder: Path, bug: Bug, seen: Seen) -> None:
    """Step over the lines of what the test calls; then, where that shows nothing, of what those call, and so on."""
    plain(server, folder, bug, seen)
    known = _functions(folder, bug)
    waiting, done = _called(ast.parse((folder / bug.test).read_text()), known), set[str]()
    while waiting and seen.calls < PATIENCE and not seen.shown:
        name = waiting.pop(0)
        if name in done:
            continue
        done.add(name)
        file, function = known[name]
        stop = _start(server, folder, bug, seen, {"file": str(file), "function": function.name})
        _walk(server, seen, stop, function)
        if stop.get("sessionId"):
            server.call("close_debug_session", sessionId=stop["sessionId"])
        waiting += _called(function, known)


def _walk(server: Server, seen: Seen, stop: dict[str, Any], function: Any) -> None:
    """Step to the end of a function; when it is called again from elsewhere, that is another walk."""
    while stop.get("state") == "paused" and seen.calls < PATIENCE and not seen.shown:
        line = (stop.get("location") or {}).get("line", 0)
        if not function.lineno <= line <= (function.end_lineno or 0):
            return
        stop = seen.ask(server, "step_over", sessionId=stop["sessionId"])


def _start(server: Server, folder: Path, bug: Bug, seen: Seen, place: dict[str, Any]) -> dict[str, Any]:
    return seen.ask(
        server,
        "start_debugging",
        module="pytest",
        args=[*QUIET, str(folder / bug.test)],
        cwd=str(folder),
        executablePath=sys.executable,
        breakpoints=[place],
        wait=40,
    )


def _functions(folder: Path, bug: Bug) -> dict[str, tuple[Path, Any]]:
    """The program's functions and methods by their bare names."""
    found: dict[str, tuple[Path, Any]] = {}
    for name, text in bug.sources.items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                found.setdefault(node.name, (folder / name, node))
    return found


def _called(tree: ast.AST, known: dict[str, Any]) -> list[str]:
    """The program's functions that are named below a node, in the order of their lines."""
    named = [node for node in ast.walk(tree) if isinstance(node, (ast.Name, ast.Attribute))]
    named.sort(key=lambda node: (node.lineno, node.col_offset))
    words = (node.id if isinstance(node, ast.Name) else node.attr for node in named)
    return [word for word in dict.fromkeys(words) if word in known]
