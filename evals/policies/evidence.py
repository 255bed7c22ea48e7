"""The evidence tools: what failed, then one look at how it came about."""

import ast
import sys
from pathlib import Path
from typing import Any

from mcp_client import Server

from bugs import Bug
from policies.reading import Seen

HITS = 4
"""Rows that are asked of each probe."""
FEW = 4
"""Functions of a program up to which each is worth a probe of its own."""


def _failing(server: Server, folder: Path, bug: Bug, seen: Seen) -> dict[str, Any]:
    return seen.ask(server, "debug_test", test=str(folder / bug.test), executablePath=sys.executable)


def evidence(server: Server, folder: Path, bug: Bug, seen: Seen) -> None:
    """A program of few functions is probed in each of them; of a larger one the tree of calls tells where to look."""
    functions = sum(text.count("def ") for text in bug.sources.values())
    (probing if functions <= FEW else tracing)(server, folder, bug, seen)


def tracing(server: Server, folder: Path, bug: Bug, seen: Seen) -> None:
    """debug_test; where that leaves the cause open, the tree of the program's calls."""
    _failing(server, folder, bug, seen)
    if not seen.shown:
        seen.ask(server, "trace_calls", test=str(folder / bug.test), executablePath=sys.executable)


def probing(server: Server, folder: Path, bug: Bug, seen: Seen) -> None:
    """debug_test; where that leaves the cause open, one investigate at the end of each of the program's functions."""
    _failing(server, folder, bug, seen)
    if seen.shown:
        return
    probes = [
        {"file": str(folder / name), "line": line, "capture": capture, "maxHits": HITS}
        for name, text in bug.sources.items()
        for line, capture in ends(text)
    ]
    seen.ask(server, "investigate", test=str(folder / bug.test), probes=probes, executablePath=sys.executable)


def ends(text: str) -> list[tuple[int, list[str]]]:
    """Where each function ends, with its names and the attributes of self that it speaks of: what anybody would ask."""
    found = []
    for function in ast.walk(ast.parse(text)):
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        names = _names(function)
        returns = [node for node in ast.walk(function) if isinstance(node, ast.Return) and node.value is not None]
        own = [node for node in returns if isinstance(node.value, (ast.Call, ast.BinOp, ast.Subscript, ast.IfExp))]
        for node in returns:
            found.append((node.lineno, [*names, *([ast.unparse(node.value)] if node in own else [])]))
        if not returns and function.name != "__init__":
            found.append((function.body[-1].lineno, names))
    return found


def _names(function: Any) -> list[str]:
    names = [one.arg for one in function.args.args if one.arg != "self"]
    stored = [node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    names += [node.id for node in stored]
    called = {id(node.func) for node in ast.walk(function) if isinstance(node, ast.Call)}
    names += [
        ast.unparse(node)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
        and id(node) not in called
    ]
    return list(dict.fromkeys(names))
