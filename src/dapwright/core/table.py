"""Rows of evidence as a table, with repeated ones folded: the first, the last, how many, and what changes."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from dapwright.core.clipping import clip
from dapwright.core.model import Safe

FOLD = 5
"""Rows of one probe in succession from which on they are folded, where they repeat."""
MANY = 12
"""Rows beyond which they are folded though each differs."""

CELL = 60


def table(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], *, cell: int = CELL) -> Safe:
    """Write rows as aligned text. A column is a key of the row, or of its `values`.

    Rows that follow each other from one place (`probe`, `file`, `line`) are folded
    from `FOLD` on where half of them repeat, else beyond `MANY`: the first and the last,
    and between them a line that says how many there are, and for each column that changes
    from what to what.
    """
    lines: list[list[str] | str] = [list(columns)]
    for _, group in groupby(rows, key=_place):
        alike = list(group)
        if not _folds(alike, columns):
            lines += [_cells(row, columns, cell) for row in alike]
            continue
        lines += [_cells(alike[0], columns, cell), _folded(alike, columns, cell), _cells(alike[-1], columns, cell)]
    widths = [max(len(line[n]) for line in lines if isinstance(line, list)) for n in range(len(columns))]
    written = [
        line if isinstance(line, str) else "  ".join(c.ljust(w) for c, w in zip(line, widths, strict=True)).rstrip()
        for line in lines
    ]
    return Safe("\n".join(written))


def _folds(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> bool:
    telling = [column for column in columns if column not in ("n", "hit")]
    kinds = {tuple(_value(row, column) for column in telling) for row in rows}
    return len(rows) > MANY or (len(rows) >= FOLD and len(kinds) * 2 <= len(rows))


def _place(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return row.get("probe"), row.get("file"), row.get("line"), row.get("function")


def _value(row: Mapping[str, Any], column: str) -> str:
    values = row.get("values")
    if isinstance(values, Mapping) and column in values:
        return str(values[column])
    found = row.get(column)
    return "" if found is None else str(found)


def _cells(row: Mapping[str, Any], columns: Sequence[str], cell: int) -> list[str]:
    return [clip(_value(row, column).replace("\r", "␍").replace("\n", "␊"), cell) for column in columns]


def _folded(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], cell: int) -> str:
    changes = []
    for column in columns:
        seen = [_value(row, column).replace("\r", "␍").replace("\n", "␊") for row in rows]
        distinct = len(set(seen))
        if distinct == 1 or column in ("n", "hit"):
            continue
        first = next(index for index, value in enumerate(seen) if value != seen[0])
        place = _value(rows[first], "n") or str(first + 1)
        change = f"({clip(seen[0], cell)} -> {clip(seen[first], cell)})"
        changes.append(f"{column} first changes at n={place} {change}, {distinct} values")
    said = "; ".join(changes) if changes else "nothing changes"
    return f"  … {len(rows)} rows, {len(rows) - 2} of them folded here: {said}"
