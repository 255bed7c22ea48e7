"""Evidence as text: what failed, with what values; what was seen where, as a table read at a glance."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dapwright.core.clipping import clip
from dapwright.core.mentioned import called
from dapwright.core.model import Safe
from dapwright.core.table import table
from dapwright.core.written import TEXT_LIMIT, stop_text


def test_text(answer: Mapping[str, Any], limit: int = TEXT_LIMIT) -> Safe:
    """Write the answer of a test run: the failure first, then each frame of the program with its values."""
    failure = answer.get("failure")
    if not isinstance(failure, Mapping):
        return stop_text(answer, limit)
    for value, frames in ((300, 6), (160, 5), (100, 4), (60, 3), (30, 2)):
        text = "\n".join(_failure_lines(answer, failure, value, frames))
        if len(text) <= limit:
            return Safe(text)
    return clip(text, limit)


def _failure_lines(answer: Mapping[str, Any], failure: Mapping[str, Any], value: int, frames: int) -> Iterator[str]:
    place = answer.get("location") or {}
    phase = f" in {failure['phase']}" if failure.get("phase") else ""
    where = f"{place.get('function', '?')} at {place.get('file', '?')}:{place.get('line', '?')}"
    yield f"failed{phase}: {failure.get('test', '')}"
    yield f"{failure.get('type', 'failure')}: {clip(_one_line(failure.get('message', '')), value * 3)}"
    compared = failure.get("comparison")
    if isinstance(compared, Mapping):
        yield f"compared: {compared.get('left')} {compared.get('op', 'with')} {compared.get('right')}"
    for cause in failure.get("exceptionChain") or ():
        at = f" at {cause['file']}:{cause['line']}" if cause.get("file") else ""
        said = clip(_one_line(cause.get("message", "")), value)
        yield f"{cause.get('how', 'cause')}: {cause.get('type')}: {said}{at}"
    yield f"session {answer.get('sessionId')}, {answer.get('state')} in {where}"
    if answer.get("source"):
        yield str(answer["source"])
    for row in list(failure.get("userFrames") or ())[:frames]:
        yield f"{row.get('function')} at {row.get('file')}:{row.get('line')}"
        named = (f"{v.get('name')} = {clip(_one_line(v.get('value', '')), value)}" for v in row.get("locals") or ())
        yield "  " + clip("; ".join(named) or "no locals", value * 5)
    yield from _rest(answer, failure, value)


def _rest(answer: Mapping[str, Any], failure: Mapping[str, Any], value: int) -> Iterator[str]:
    if failure.get("printed"):
        yield f"printed: {clip(_one_line(failure['printed']), value * 2)}"
    for key in ("warning", "note"):
        if answer.get(key):
            yield f"{key}: {clip(str(answer[key]), 300)}"
    if answer.get("rerun"):
        yield "rerun: " + " ".join(answer["rerun"])
    yield _next(answer, failure)


RUNNERS = ("pytest.", "self.assert", "unittest.")
"""How calls of a test's own means begin."""


def _failing(source: str) -> str:
    """The marked line of a source window, without its gutter; with what it opens, where it opens a block."""
    rows = source.splitlines()
    at = next((n for n, text in enumerate(rows) if text.startswith(">")), None)
    if at is None:
        return ""
    texts = [text.partition("|")[2] for text in rows[at:]]
    return "\n".join(texts) if texts[0].rstrip().endswith(":") else texts[0]


def _next(answer: Mapping[str, Any], failure: Mapping[str, Any]) -> str:
    """The calls that make sense; where only the test's own frame is left, what it called is gone and must be traced."""
    more = "evaluate_expression looks closer; investigate {test, probes} shows how a value came about"
    runner = [word for word in answer.get("rerun") or () if word in ("pytest", "unittest")]
    names = [name for name in called(_failing(str(answer.get("source") or ""))) if not name.startswith(RUNNERS)]
    if len(failure.get("userFrames") or ()) != 1 or not runner or not names:
        return f"next: {more}"
    focus = ", ".join(f'"{name.rpartition(".")[2]}"' for name in names[-3:])
    return f"next: trace_calls {{test, focus: [{focus}]}} (or their file) shows what was called with what; {more}"


def table_text(answer: Mapping[str, Any], limit: int = TEXT_LIMIT) -> Safe:
    """Write what probes saw: a table, each probe's counts, how the run ended."""
    for cell, most in ((60, 120), (40, 60), (30, 30), (20, 12)):
        text = "\n".join(_table_lines(answer, cell, most))
        if len(text) <= limit:
            return Safe(text)
    return clip(text, limit)


def _table_lines(answer: Mapping[str, Any], cell: int, most: int) -> Iterator[str]:
    yield _end(answer)
    rows = [row for row in answer.get("rows") or () if isinstance(row, Mapping)]
    for columns, group in _groups(rows[:most]):
        yield str(table(group, columns, cell=cell))
    if len(rows) > most:
        yield f"… {len(rows) - most} more rows: they are in the structured answer"
    for probe in answer.get("probes") or ():
        yield _probe(probe)
    if answer.get("exception"):
        said = answer["exception"]
        yield f"exception: {said.get('type')}: {clip(_one_line(said.get('message', '')), 300)}" + (
            f" at {said['file']}:{said['line']}" if said.get("file") else ""
        )
    if answer.get("output"):
        yield "output: " + clip(_one_line(str(answer["output"]).rstrip()), cell * 10)
    for key in ("warning", "note", "message"):
        if answer.get(key):
            yield f"{key if key != 'message' else 'next'}: {clip(str(answer[key]), 400)}"


def _groups(rows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[list[str], list[Mapping[str, Any]]]]:
    """Runs of rows with the same captures, each a table of its own where there are few kinds; else one."""
    names: list[str] = []
    for row in rows:
        names += [name for name in row.get("values") or {} if name not in names]
    if not rows:
        return
    several = len({row.get("file") for row in rows}) > 1
    places = ["file", "line"] if several else ["line"]
    own = ["n", "probe", "hit", *places, "function"]
    yield own + [_column(name) for name in names], [_as_columns(row) for row in rows]


def _column(name: str) -> str:
    """A captured expression as a column that no column of ours is named like."""
    return f"{name}=" if name in ("n", "probe", "hit", "file", "line", "function") else name


def _as_columns(row: Mapping[str, Any]) -> Mapping[str, Any]:
    values = {_column(name): value for name, value in (row.get("values") or {}).items()}
    return {**row, "file": str(row.get("file", "")).rsplit("/", 1)[-1], "values": values}


def _end(answer: Mapping[str, Any]) -> str:
    ends = [f"{answer.get('state', '')}"]
    if answer.get("exitCode") is not None:
        ends.append(f"exit code {answer['exitCode']}")
    if answer.get("signal"):
        ends.append(f"killed by {answer['signal']}")
    if answer.get("testPassed") is not None:
        ends.append("the test passed" if answer["testPassed"] else "the test failed")
    if answer.get("truncated"):
        ends.append("truncated")
    return f"session {answer.get('sessionId')}: " + ", ".join(part for part in ends if part)


def times(count: int, word: str) -> str:
    """A count with its noun: `1 hit`, `2 hits`."""
    return f"{count} {word}" + ("" if count == 1 else "s")


def _probe(probe: Mapping[str, Any]) -> str:
    said = f"probe {probe.get('probe')}: {times(probe.get('hits', 0), 'hit')}"
    if probe.get("conditionFalse"):
        false = probe["conditionFalse"]
        said += f", condition false {times(false.get('count', 0), 'time')}"
        samples = ["; ".join(f"{k}={v}" for k, v in sample.items()) for sample in false.get("samples") or ()]
        if samples:
            said += f" (with {' | '.join(samples)})"
    if not probe.get("bound"):
        said += ", not bound"
    return said + (f": {probe['reason']}" if probe.get("reason") else "")


def _one_line(text: Any) -> str:
    return str(text).replace("\r", "␍").replace("\n", "␊")
