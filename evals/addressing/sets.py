"""Every place that an agent has named in a run, and the text that it was bound to, out of the relay's log."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Any

ONE = ("set_breakpoint", "add_breakpoint", "add_logpoint")
LISTS = {"start_debugging": "breakpoints", "debug_test": "breakpoints", "investigate": "probes"}
PLACES = ("anchor-not-found", "anchor-ambiguous", "content-mismatch")
"""Codes of refusals that are about a place, whatever else the call asked for."""


@dataclass
class Call:
    """One tool call; `answer` is None where none came. `files` are the programs' lines at that time."""

    number: int
    tool: str
    arguments: dict[str, Any]
    answer: dict[str, Any] | None = None
    bytes: int = 0
    files: Mapping[str, Sequence[str]] = field(default_factory=dict)
    bound: Sequence[Mapping[str, Any]] = ()


@dataclass
class Set:
    """One place that was named. `text` is what it is bound to: None where it is bound nowhere, or not known."""

    call: int
    file: str
    by: str
    """`line`, `statement`, `function`, `watch`, `until`."""
    accepted: bool
    line: int | None = None
    text: str | None = None

    @property
    def unjudged(self) -> bool:
        """Accepted, and not known where: a watched value has no text, an `until` may not have been reached."""
        return self.accepted and self.text is None and self.by in ("watch", "until", "unknown")


def rows(log: Path) -> Iterator[dict[str, Any]]:
    """The rows that the relay wrote; a last one that was torn off by a kill is left out."""
    for line in log.read_text(encoding="utf-8", errors="replace").split("\n") if log.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        if isinstance(row, dict) and "way" in row:
            yield row


def calls(log: Path) -> list[Call]:
    """Every tool call, in the order in which they were asked."""
    found: list[Call] = []
    waiting: dict[tuple[int, str], Call] = {}
    files: dict[str, Sequence[str]] = {}
    for row in rows(log):
        way, message = row["way"], row["message"]
        if way == "file":
            files = {**files, message["name"]: message["text"].split("\n")}
        if not isinstance(message, dict):
            continue
        key = (row["relay"], json.dumps(message.get("id")))
        params = message.get("params")
        if way == "ask" and message.get("method") == "tools/call" and isinstance(params, dict):
            given = params.get("arguments")
            one = Call(
                len(found), str(params.get("name")), given if isinstance(given, dict) else {}, None, row["bytes"]
            )
            found.append(one)
            waiting[key] = one
        elif way == "bound" and key in waiting:
            waiting[key].bound = message["answer"].get("breakpoints", []) + message["answer"].get(
                "functionBreakpoints", []
            )
        elif way == "answer" and key in waiting:
            one = waiting.pop(key)
            one.answer = (message.get("result") or {}).get("structuredContent") or {"success": False}
            one.bytes, one.files = one.bytes + row["bytes"], files
    return found


def sets(call: Call) -> list[Set]:
    """The places that a call names: of `set_breakpoint`, of inline lists and probes, and of `until`."""
    if call.answer is None:
        return []
    if call.tool in ONE:
        return [_single(call)]
    until = call.arguments.get("until")
    if call.tool == "continue_execution" and isinstance(until, dict):
        return [_until(call, until)]
    asked = call.arguments.get(LISTS.get(call.tool, ""))
    asked = [one for one in asked if isinstance(one, dict)] if isinstance(asked, list) else []
    if not asked:
        return []
    return _refused(call, asked) if call.answer.get("success") is False else _listed(call, asked)


def _single(call: Call) -> Set:
    assert call.answer is not None
    named, answer = call.arguments, call.answer
    accepted = answer.get("success") is not False
    line = answer.get("line") if accepted else number(named.get("line"))
    return Set(call.number, file_of(named, call), by(named), accepted, line, answer.get("content"))


def _until(call: Call, until: Mapping[str, Any]) -> Set:
    assert call.answer is not None
    accepted = call.answer.get("success") is not False
    reached = call.answer.get("stopReason") == "goto"
    line = (call.answer.get("location") or {}).get("line") if reached else number(until.get("line"))
    text = call.answer.get("content") if reached else None
    return Set(call.number, file_of(until, call), "until", accepted, line, text)


def _listed(call: Call, asked: Sequence[Mapping[str, Any]]) -> list[Set]:
    """An accepted list: the answer (or, after `debug_test`, the server's own list) has the bound line of each."""
    assert call.answer is not None
    told = call.answer.get(LISTS[call.tool]) or []
    if call.tool == "debug_test":
        told = sorted(call.bound, key=lambda one: int(re.sub(r"\D", "", str(one.get("breakpointId"))) or 0))
    found = []
    for place, named in enumerate(asked):
        row = told[place] if place < len(told) else None
        line = row.get("line") if row else None
        one = Set(call.number, file_of(named, call), by(named) if row else "unknown", True, line)
        lines = call.files.get(one.file, ())
        one.text = lines[line - 1].strip() if line and line <= len(lines) else None
        found.append(one)
    return found


def _refused(call: Call, asked: Sequence[Mapping[str, Any]]) -> list[Set]:
    """A refused list counts as one refused set: the one that the error is about. No other of it was judged or set."""
    assert call.answer is not None
    error = str(call.answer.get("error", ""))
    guilty = _guilty(error, asked)
    if guilty is None:
        about = call.answer.get("code") in PLACES
        return [Set(call.number, file_of(asked[0], call), "unknown", accepted=False)] if about else []
    line = number(guilty.get("line"))
    return [Set(call.number, file_of(guilty, call), by(guilty), accepted=False, line=line)]


def _guilty(error: str, asked: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    named = re.search(r"(?:breakpoints|probes)\[(\d+)\]|^probe (\d+):", error)
    if named:
        place = int(named[1] or named[2])
        return asked[place] if place < len(asked) else None
    line = re.search(r"\bline (\d+)\b", error)
    for one in asked:
        if line and number(one.get("line")) == int(line[1]):
            return one
        if any(one.get(key) and f"`{one[key]}`" in error for key in ("statement", "watch", "function")):
            return one
    return None


def by(named: Mapping[str, Any]) -> str:
    """The address that a place is named by."""
    for key, kind in (("statement", "statement"), ("lineContent", "statement"), ("line", "line"), ("watch", "watch")):
        if named.get(key) not in (None, ""):
            return kind
    return "function" if named.get("function") else "unknown"


def file_of(named: Mapping[str, Any], call: Call) -> str:
    """The file's name; where none is given, that of the only program."""
    told = named.get("file") or named.get("fileFullPath")
    told = told or (call.answer or {}).get("file") or next(iter(sorted(call.files)), "")
    return PurePath(str(told)).name


def number(value: object) -> int | None:
    """A line as an agent gives it: numbers may come as text."""
    text = str(value)
    return int(text) if text.isdigit() else None
