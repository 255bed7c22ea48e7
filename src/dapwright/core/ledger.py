"""The breakpoints of one session: what was asked, and what each connection made of it.

Rule: one mapper (`wire`) says what an engine is sent for a file, always the whole
file; and every answer or event about a breakpoint comes back through `settle` and
`merge`. Each connection has its own ids and verdicts.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from dapwright.core import unbound
from dapwright.core.bodies import Breakpoint as Verdict
from dapwright.core.records import Kind, Record, Verdicts

__all__ = ["Keeps", "Kind", "Ledger", "Record", "Verdicts", "hits_by_engine", "logs_by_engine", "wish"]
REPLACED = (
    *("file", "line", "content", "requested_line", "anchor", "surroundings", "places", "access"),
    *("condition", "hit_condition", "log_message", "suspend_policy", "warning", "message", "stale", "armed", "spans"),
)


class Ledger:
    """All records of a session, in the order in which they were set."""

    def __init__(self) -> None:
        self._records: dict[str, Record] = {}
        self._last = 0
        self._sent: dict[tuple[int, str], list[tuple[list[Record], int]]] = {}
        self._ever: set[tuple[str, int]] = set()
        self.moves: dict[str, str] = {}
        """What engines have moved since the last answer, by breakpoint."""
        self.recounted: dict[str, str] = {}
        """Whose hits are counted anew from here on, since the last answer."""
        self._counted: set[str] = set()
        self._ours: set[str] = set()

    def __iter__(self) -> Iterator[Record]:
        return iter(list(self._records.values()))

    def shown(self) -> list[Record]:
        """The records that an agent set."""
        return [record for record in self._records.values() if not record.hidden]

    def get(self, identity: str) -> Record | None:
        return self._records.get(identity)

    def add(self, record: Record) -> Record:
        """Keep `record`, named anew; at the same place and of the same kind it replaces the old one's actions."""
        old = self._same_place(record)
        if old is None:
            self._last += 1
            record.id = f"b{self._last}" if not record.hidden else f"~{self._last}"
            self._records[record.id] = record
            return record
        for name in REPLACED:
            setattr(old, name, getattr(record, name))
        return old

    def _same_place(self, new: Record) -> Record | None:
        same = (old for old in self._records.values() if _identity(new) in (_identity(old), _identity(old, asked=True)))
        return None if new.probe is not None else next(same, None)

    def remove(self, records: Iterable[Record]) -> None:
        for record in list(records):
            self._records.pop(record.id, None)

    def files(self) -> list[str]:
        """Files that hold a breakpoint, each once."""
        return list(dict.fromkeys(file for record in self._records.values() for file, _ in record.lines()))

    def of_kind(self, kind: Kind) -> list[Record]:
        return [record for record in self._records.values() if record.kind == kind and record.armed]

    def wire(self, connection: int, file: str, keep: "Keeps") -> list[dict[str, Any]]:
        """The `breakpoints` of the one request that makes an engine agree with us about `file`."""
        beside: dict[int, list[Record]] = {}
        for record in self._records.values():
            for line in (line for where, line in record.lines() if where == file):
                beside.setdefault(line, []).append(record)
        wanted = [
            (group, line)
            for line, records in sorted(beside.items())
            for group in ([[record] for record in records] if keep.one_meaning else [records])
        ]
        self._sent[connection, file] = wanted
        self._ever.update((file, line) for line in beside)
        self._watch_counts(wanted, keep)
        return [
            wish(group[0], self.kept(group[0], keep), line=line, column=group[0].column, beside=beside[line])
            for group, line in wanted
        ]

    def kept(self, record: Record, keep: "Keeps") -> "Keeps":
        """What the engine keeps of this one: nothing that it would mix up with another of its line.

        Delve 1.27 refuses the second breakpoint of a line, debugpy 1.8.22 and bash-dap 0.3 forget the first.
        """
        lines = record.lines()
        if keep.instrument is not None:
            return keep
        if record.id in self._ours:
            return Keeps(conditions=False, logs=False)
        if not keep.one_meaning and any(r is not record and set(lines) & set(r.lines()) for r in self):
            return Keeps(conditions=False, logs=False)
        return keep if len(lines) < 2 else replace(keep, hit_condition=None)  # it would count each place for itself

    def _watch_counts(self, wanted: list[tuple[list[Record], int]], keep: "Keeps") -> None:
        """A count that an engine has kept so far is lost to us once its line is shared; from then on it stays ours."""
        for record in (record for group, _ in wanted for record in group if record.hit_condition):
            if hits_by_engine(record, self.kept(record, keep)) is not None:
                self._counted.add(record.id)
            elif record.id in self._counted and keep.instrument is None and not keep.one_meaning:
                self._counted.discard(record.id)
                self._ours.add(record.id)
                self.recounted[record.id] = (
                    f"the hits of {record.id} are counted anew from here on: another breakpoint came to its line, "
                    "and this debugger keeps one a line"
                )

    def settle(self, connection: int, file: str, answers: Sequence[Verdict]) -> list[tuple[Record, int, int]]:
        """Fold in an engine's answer for `file`: by position, as the protocol says for line breakpoints.

        Returns what it has put elsewhere: (record, the line that was asked, the line that it took).
        """
        sent = zip(self._sent.get((connection, file), []), answers, strict=False)
        pairs = [((record, line), answer) for (group, line), answer in sent for record in group]
        for (record, line), answer in pairs:
            self._fold(record, connection, answer, line)
        return [(record, line, answer.line) for (record, line), answer in pairs if answer.line and answer.line != line]

    def settle_records(self, connection: int, records: Sequence[Record], answers: Sequence[Verdict]) -> None:
        """Fold in an engine's answer for function or data breakpoints, in the order in which they were sent."""
        for record, answer in zip(records, answers, strict=False):
            self._fold(record, connection, answer, None)

    def _fold(self, record: Record, connection: int, answer: Verdict, line: int | None) -> None:
        verdict = record.said.setdefault(connection, Verdicts())
        if line and answer.line and answer.line not in (line, verdict.line) and not record.hidden:
            self.moves[record.id] = f"the engine has moved {record.id} from line {line} to line {answer.line}"
        if not record.places:
            verdict.ids.clear()
            verdict.lines.clear()
        if answer.id is not None:
            verdict.engine_id = answer.id
            verdict.ids.add(answer.id)
        verdict.verified = answer.verified and answer.line != 0  # debugpy 1.8.22 says so of a line that has no code
        verdict.message = unbound.explain(answer.message or ("no code is there" if answer.line == 0 else ""))
        if answer.line:
            verdict.line = answer.line if answer.line != line else None
            verdict.lines.add(answer.line)
        if answer.source and answer.source.path:
            verdict.file = answer.source.path

    def merge(self, connection: int, reason: str, verdict: Verdict) -> None:
        """Fold in a `breakpoint` event, by connection and engine id, if it is ours: those of a line may share one."""
        for record in self.hit(connection, [verdict.id] if verdict.id is not None else []):
            if reason == "removed":
                record.said[connection].verified = False
            else:  # of a function in several places, the engine's id is the last one's
                self._fold(record, connection, verdict, verdict.line if record.places else record.line)

    def hit(self, connection: int, engine_ids: Sequence[int]) -> list[Record]:
        """The records that an engine names by its ids."""
        wanted = set(engine_ids)
        return [
            record
            for record in self._records.values()
            if (verdict := record.said.get(connection)) is not None and wanted & {verdict.engine_id, *verdict.ids}
        ]

    def at(self, file: str, line: int) -> list[Record]:
        """The records that want, or were moved to, this line."""
        return [
            record
            for record in self._records.values()
            if any(
                where == file and line in (at, *(n for v in record.said.values() for n in (v.line, *v.lines)))
                for where, at in record.lines()
            )
        ]

    def was_at(self, file: str, line: int) -> bool:
        """A breakpoint stood there in this run, or an earlier one."""
        return (file, line) in self._ever

    def forget_connection(self, connection: int) -> None:
        """A connection has gone: its verdicts with it."""
        for record in self._records.values():
            record.said.pop(connection, None)
        for key in [key for key in self._sent if key[0] == connection]:
            del self._sent[key]

    def begin_launch(self) -> None:
        """Count from nothing: a new run of the program."""
        self._counted.clear()
        self._ours.clear()
        self.recounted.clear()
        for record in self._records.values():
            record.hits = record.reached = 0
            record.said.clear()
            record.counted.clear()
            record.message = record.message if record.stale else ""
            record.lost = False
        self.remove(record for record in list(self._records.values()) if record.hidden in ("until", "entry"))


def _identity(record: Record, *, asked: bool = False) -> tuple[object, ...]:
    """What makes two settings the same place; `asked`: by the line that was asked, where an engine has moved it."""
    line = (record.requested_line or record.line) if asked else record.line
    place: tuple[object, ...] = (record.file, line, record.column) if record.kind == "line" else (record.within,)
    return (record.kind, *place, record.function, record.watch, record.logs, record.hidden)


@dataclass(frozen=True, slots=True)
class Keeps:
    """What an engine does with a breakpoint itself; the rest is ours."""

    conditions: bool = True
    condition: str = "{0}"
    """What it is sent for a condition."""
    logs: bool = True
    one_meaning: bool = False
    """It means by each what we mean, and keeps several of a line apart (core/adapter.py)."""
    hit_condition: Callable[[str], str | None] | None = None
    """Translate our hit condition into the engine's words, or None to count ourselves: a function."""
    hits_with_condition: bool = False
    """The engine counts only the hits whose condition was true, as we do."""
    instrument: Callable[[Sequence[Record]], str] | None = None
    """Code of ours in the program judges all of it: the condition that calls it for the records of one line."""


def wish(
    record: Record,
    keep: Keeps,
    *,
    line: int | None = None,
    column: int | None = None,
    beside: Sequence[Record] = (),
) -> dict[str, Any]:
    """One breakpoint in the words of the protocol, as far as the engine keeps them.

    `beside`: all records of the line. Engines that keep one breakpoint a line (debugpy
    1.8.22: the last) are sent the same condition in each.
    """
    said: dict[str, Any] = {}
    if line is not None:
        said["line"] = line
    if column is not None:
        said["column"] = column
    together = beside or [record]
    if keep.instrument is not None and any(one.decides for one in together):
        said["condition"] = keep.instrument(together)
        return said
    if record.probe is not None:
        return said  # judged by us at each stop, so that what is false is counted too
    if record.condition and keep.conditions:
        said["condition"] = keep.condition.replace("{0}", record.condition)
    if record.hit_condition and (theirs := hits_by_engine(record, keep)):
        said["hitCondition"] = theirs
    if record.log_message and logs_by_engine(record, keep):
        said["logMessage"] = record.log_message
    if record.suspend_policy:
        said["suspendPolicy"] = record.suspend_policy
    return said


def hits_by_engine(record: Record, keep: Keeps) -> str | None:
    """Our hit condition in the engine's words; None where we count."""
    if keep.hit_condition is None or (record.condition and not (keep.hits_with_condition and keep.conditions)):
        return None
    return keep.hit_condition(record.hit_condition)


def logs_by_engine(record: Record, keep: Keeps) -> bool:
    """The engine logs by itself: it can, and needs no count or condition of ours first."""
    counted_by_us = bool(record.hit_condition) and hits_by_engine(record, keep) is None
    return keep.logs and not counted_by_us and (keep.conditions or not record.condition)
