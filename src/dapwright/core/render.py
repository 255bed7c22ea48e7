"""Answers within a budget: values clipped, lists cut, always announced.

What comes in is Safe already (redact, then clip, then render). Nothing here
drops what an agent needs to go on: the session, its state, the place, the stop.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import msgspec

from dapwright.core.clipping import clip, whole_from
from dapwright.core.table import table
from dapwright.core.written import generic_text, reload_text, source_window, stop_text

__all__ = [
    "clip",
    "fit",
    "generic_text",
    "most_rows",
    "reload_text",
    "size",
    "source_window",
    "stop_text",
    "table",
    "truncation",
    "variables",
]

VALUE_LIMIT = 1024
LIST_LIMIT = 300
ANSWER_LIMIT = 5000
CEILING_BYTES = 256 * 1024
"""What one answer may weigh, both of its forms together."""
LEAST_ROW = 20
"""No row of locals takes fewer characters of JSON."""

ESSENTIAL = (
    "success",
    "sessionId",
    "state",
    "pending",
    "code",
    "error",
    "lastStop",
    "stopReason",
    "location",
    "exitCode",
)
"""What no cut leaves out."""


def variables(
    rows: Sequence[Mapping[str, Any]], *, value_limit: int = VALUE_LIMIT, list_limit: int = LIST_LIMIT
) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
    """Cut the values of variables (dictionaries with `value`) and their number.

    Return the rows, and a `truncation` where anything was cut, else None.
    """
    shown, cut = [], 0
    for row in rows[:list_limit]:
        value = row.get("value")
        if isinstance(value, str) and len(value) > value_limit:
            row, cut = {**row, "value": clip(value, value_limit)}, cut + 1
        shown.append(dict(row))
    return shown, truncation(len(rows) - len(shown), cut)


def truncation(omitted: int, values: int, more: Sequence[str] = ()) -> dict[str, Any] | None:
    """Announce what was cut, None where nothing was."""
    if not omitted and not values and not more:
        return None
    said = [f"{values} value{'s' * (values != 1)} cut short"] if values else []
    said += [f"{omitted} variable{'s' * (omitted != 1)} left out"] if omitted else []
    notice = "; ".join([*said, *more])
    if omitted or values:
        notice += "; ask for them by `names`, or page with `start` and `count`"
    return {"omittedCount": omitted, "valueTruncatedCount": values, "notice": notice}


def size(answer: Any) -> int:
    """Return how many characters an answer has as compact JSON."""
    return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":"), default=str))


def _is_light(answer: Any, limit: int) -> bool:
    """Whether an answer is far below a limit, by a look that is cheaper than its exact size."""
    try:
        return len(msgspec.json.encode(answer)) * 2 <= limit
    except (TypeError, ValueError, OverflowError):  # what `size` knows how to write all the same
        return False


class _Cuts:
    """What was cut of an answer so far."""

    def __init__(self, earlier: Mapping[str, Any] | None) -> None:
        earlier = earlier or {}
        self.omitted = int(earlier.get("omittedCount") or 0)
        self.values: set[str] = set()
        self.earlier = int(earlier.get("valueTruncatedCount") or 0)
        self.more: dict[str, str] = {}

    def announce(self, answer: dict[str, Any]) -> dict[str, Any]:
        values = sum(path in self.values for path, _ in _rows("", answer))
        said = truncation(self.omitted, self.earlier + values, list(self.more.values()))
        return {**answer, "truncation": said} if said else answer


Step = Callable[[dict[str, Any], _Cuts], None]


def most_rows(limit: int) -> int:
    """How many locals an answer of `limit` characters may hold at the very most: more need not be made."""
    return limit // LEAST_ROW


def fit(answer: Mapping[str, Any], limit: int = ANSWER_LIMIT) -> dict[str, Any]:
    """Shrink an answer to at most `limit` characters of compact JSON (500 at least), by what loses the least.

    Long values go first, then locals at the end of the list, old output, far
    callers, and all else; `truncation` says what. The given answer is not changed.
    """
    if _is_light(answer, limit) or size(answer) <= limit:
        return dict(answer)
    cuts = _Cuts(answer.get("truncation"))
    few = {key: item for key, item in answer.items() if key != "truncation"}
    rows, most = few.get("locals"), most_rows(limit)
    if isinstance(rows, list) and len(rows) > most:  # a hundred thousand are not weighed again and again
        cuts.omitted += len(rows) - most
        few["locals"] = rows[:most]
    draft: dict[str, Any] = deepcopy(few)
    for step in _steps():
        step(draft, cuts)
        announced = cuts.announce(draft)
        if size(announced) <= limit:
            return announced
    return _essence(draft, cuts, limit)


def _steps() -> list[Step]:
    steps = [_shorten_values(most) for most in (512, 256, 160, 100)]
    steps += [_keep_locals(most) for most in (60, 40, 25)]
    steps += [_tail_output(most) for most in (1200, 600)]
    steps += [_shorten_values(60), _keep_locals(15), _keep_list("stack", 2), _tail_output(300), _keep_locals(8)]
    steps += [_shorten_all(600), _keep_lists(10), _shorten_all(200), _keep_list("stack", 1), _keep_lists(4)]
    return [*steps, _tail_output(120), _keep_locals(3), _shorten_all(80), _keep_lists(1)]


def _shorten_values(most: int) -> Step:
    def step(draft: dict[str, Any], cuts: _Cuts) -> None:
        for path, row in _rows("", draft):
            for key in ("value", "result", "old", "new"):
                if isinstance(row.get(key), str) and len(row[key]) > most:
                    row[key] = clip(row[key], most)
                    cuts.values.add(path)

    return step


def _rows(path: str, part: Any) -> list[tuple[str, dict[str, Any]]]:
    """Return every dictionary of an answer with where it is."""
    if isinstance(part, dict):
        found = [(path, part)] if path else []
        return found + [row for key, item in part.items() for row in _rows(f"{path}/{key}", item)]
    if isinstance(part, list):
        return [row for index, item in enumerate(part) for row in _rows(f"{path}/{index}", item)]
    return []


def _keep_locals(most: int) -> Step:
    def step(draft: dict[str, Any], cuts: _Cuts) -> None:
        for holder in [draft, *(row for _, row in _rows("", draft))]:
            rows = holder.get("locals")
            if isinstance(rows, list) and len(rows) > most:
                cuts.omitted += len(rows) - most
                holder["locals"] = rows[:most]

    return step


def _tail_output(most: int) -> Step:
    def step(draft: dict[str, Any], cuts: _Cuts) -> None:
        text = draft.get("output")
        if isinstance(text, str) and len(text) > most:
            draft["output"] = "…" + text[whole_from(text, len(text) - most + 1) :]
            cuts.more["output"] = "earlier output cut, get_output has it"

    return step


def _keep_list(key: str, most: int) -> Step:
    def step(draft: dict[str, Any], cuts: _Cuts) -> None:
        rows = draft.get(key)
        if isinstance(rows, list) and len(rows) > most:
            draft[key] = rows[:most]
            cuts.more[key] = "callers left out, get_stack_trace has them" if key == "stack" else f"`{key}` cut short"

    return step


def _keep_lists(most: int) -> Step:
    def step(draft: dict[str, Any], cuts: _Cuts) -> None:
        for holder in [draft, *(row for _, row in _rows("", draft))]:
            for key, rows in holder.items():
                if isinstance(rows, list) and len(rows) > most and key != "locals":
                    holder[key] = rows[:most]
                    cuts.more[key] = f"`{key}` cut short"

    return step


def _shorten_all(most: int) -> Step:
    def step(draft: dict[str, Any], cuts: _Cuts) -> None:
        if _shortened(draft, most):
            cuts.more["texts"] = "long texts cut"

    return step


def _shortened(part: Any, most: int) -> bool:
    """Clip every text of an answer in place, but for the essential names; say whether any was."""
    changed = False
    for key, item in list(part.items() if isinstance(part, dict) else enumerate(part)):
        if isinstance(item, str) and len(item) > most and key not in ("sessionId", "state", "file"):
            part[key], changed = clip(item, most), True
        elif isinstance(item, (dict, list)):
            changed = _shortened(item, most) or changed
    return changed


def _essence(draft: dict[str, Any], cuts: _Cuts, limit: int) -> dict[str, Any]:
    """Keep only what the agent cannot do without, however long the names in it."""
    cuts.more = {"rest": "all but the place left out"}
    kept = {key: draft[key] for key in ESSENTIAL if key in draft}
    for most in (limit, 80, 40, 16):
        if most < limit:
            _shortened(kept, most)
        if size(cuts.announce(kept)) <= limit:
            return cuts.announce(kept)
    for key, part in kept.items():
        kept[key] = _scalars(part) if isinstance(part, dict) else part
        for name, item in kept[key].items() if isinstance(kept[key], dict) else ():
            kept[key][name] = clip(item, 60) if isinstance(item, str) else item
    return cuts.announce(kept)


def _scalars(part: dict[str, Any]) -> dict[str, Any]:
    known = ("reason", "threadId", "file", "line", "column", "function")
    return {key: part[key] for key in known if key in part and not isinstance(part[key], (dict, list))}
