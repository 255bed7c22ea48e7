"""Whether an exception will be caught: Xdebug stops at every throw, an agent asks for those that nobody catches.

Each frame of the stack stands on a line; a `try` around that line whose `catch` names the
class, one of its parents or interfaces, catches it. What is thrown in library code without
readable source counts as uncaught there.
"""

from pathlib import Path
from typing import Any

from dapwright.core import source
from dapwright.core.errors import DapwrightError
from dapwright.core.source import grammars
from dapwright.engines.php.dbgp import NAMES, text_of
from dapwright.engines.php.session import Session, Thread

CATCH_ALL = frozenset({"throwable"})


async def wanted(session: Session, thread: Thread, name: str) -> bool:
    """Tell whether the client wants to stand at an exception of class `name`, thrown now."""
    if "thrown" in session.filters or (session.classes and await _is_one(session, thread, name)):
        return True
    if "uncaught" not in session.filters:
        return False
    kinds = await ancestry(thread, name)
    return not any(kinds & caught for caught in await _tries(session, thread))


async def _is_one(session: Session, thread: Thread, name: str) -> bool:
    kinds = await ancestry(thread, name)
    return any(plain(wish) in kinds for wish in session.classes)


async def ancestry(thread: Thread, name: str) -> set[str]:
    """A class, its parents and interfaces, by their last names in lower case."""
    quoted = name.replace("\\", "\\\\").replace("'", "\\'")
    asked = f"implode(',', array_merge(['{quoted}'], class_parents('{quoted}'), class_implements('{quoted}')))"
    try:
        told = await thread.connection.send("eval", data=asked)
        known = told.find("d:property", NAMES)
        names = text_of(known).split(",") if known is not None else [name]
    except DapwrightError:
        names = [name]
    return {plain(one) for one in names} | CATCH_ALL


def plain(name: str) -> str:
    """A class's last name: a `use` may give the rest."""
    return name.strip().rsplit("\\", 1)[-1].lower()


async def _tries(session: Session, thread: Thread) -> list[set[str]]:
    """What is caught around each frame."""
    told = await thread.connection.send("stack_get")
    found = []
    for frame in told.findall("d:stack", NAMES):
        found += caught_at(session.local(frame.get("filename", "")), int(frame.get("lineno", "0")))
    return found


def caught_at(file: str, line: int) -> list[set[str]]:
    """The classes that the `try` statements around a line catch."""
    try:
        tree = grammars.parse(source.read(file, Path(file).read_bytes()))
    except OSError:
        return []
    found: list[set[str]] = []
    if tree is not None:
        _descend(tree.root_node, line - 1, found)
    return found


def _descend(node: Any, row: int, found: list[set[str]]) -> None:
    for child in node.children:
        if not child.start_point[0] <= row <= child.end_point[0]:
            continue
        if child.type == "try_statement":
            body = child.child_by_field_name("body")
            if body is not None and body.start_point[0] <= row <= body.end_point[0]:
                found.append(_classes(child))
        _descend(child, row, found)


def _classes(statement: Any) -> set[str]:
    named: set[str] = set()
    for clause in statement.children:
        if clause.type == "catch_clause" and (types := clause.child_by_field_name("type")) is not None:
            named |= {plain(part) for part in types.text.decode().split("|")}
    return named
