"""The breakpoints wanted, as the client asked for them; what V8 made of each is the targets' (binding.py)."""

import itertools
from typing import Any

import msgspec
from msgspec.structs import replace

from dapwright.engines.node.conditions import Wanted


class Entry(msgspec.Struct):
    """One breakpoint of the client's. Lines and columns are 0-based."""

    id: int
    path: str
    """The real path, "" for a function's name that stands for no known source."""
    named: str
    """The path as the client wrote it."""
    line: int
    column: int | None
    wanted: Wanted
    function: str = ""
    places: list[tuple[str, int, int]] = []
    """Where a function's bodies begin: (path, line, column)."""
    bound_line: int | None = None
    message: str = ""
    refused: bool = False
    known: bool = False
    """The client has been answered with its id, so that events may name it."""

    def told(self) -> dict[str, Any]:
        """The breakpoint as DAP tells it."""
        verified = self.bound_line is not None
        body: dict[str, Any] = {"id": self.id, "verified": verified}
        line = self.bound_line if self.bound_line is not None else self.line
        if not self.function or verified:
            body |= {"line": line + 1, "source": {"path": self.named}} if self.named else {}
        if self.message:
            body["message"] = self.message
        elif not verified:
            body |= {"message": "no script with this line is loaded yet", "reason": "pending"}
        if self.refused:
            body["reason"] = "failed"
        return body


class Ledger:
    """All entries, by file; function breakpoints under their own heading."""

    def __init__(self) -> None:
        self.files: dict[str, list[Entry]] = {}
        self.functions: list[Entry] = []
        self._ids = itertools.count(1)

    def entries(self) -> list[Entry]:
        """Every breakpoint that could bind."""
        every = [e for listed in self.files.values() for e in listed] + self.functions
        return [e for e in every if not e.refused]

    def by_id(self, number: int) -> Entry | None:
        """The entry with an id of ours."""
        return next((e for e in self.entries() if e.id == number), None)

    def replace_file(self, path: str, wanted: list[Entry]) -> list[Entry]:
        """Take the whole list for a file; an entry that did not change keeps its id, and so its count."""
        self.files[path] = self._kept(self.files.get(path, []), wanted)
        return self.files[path]

    def replace_functions(self, wanted: list[Entry]) -> list[Entry]:
        """Take the whole list of function breakpoints."""
        self.functions = self._kept(self.functions, wanted)
        return self.functions

    def _kept(self, old: list[Entry], wanted: list[Entry]) -> list[Entry]:
        same = {_key(e): e for e in old}
        return [(same.pop(_key(e)) if _key(e) in same else self._numbered(e)) for e in wanted]

    def _numbered(self, entry: Entry) -> Entry:
        number = next(self._ids)
        return replace(entry, id=number, wanted=replace(entry.wanted, id=number))


def _key(entry: Entry) -> tuple[Any, ...]:
    return (entry.path, entry.line, entry.column, entry.function, replace(entry.wanted, id=0))
