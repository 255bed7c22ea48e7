"""Answers as text, for clients that show a model nothing else: one fact a line, the most telling first."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dapwright.core import redact
from dapwright.core.clipping import clip
from dapwright.core.model import Safe

TEXT_LIMIT = 4000
LINE_LIMIT = 200
"""Characters of a line of source that are shown."""

BUDGETS = [
    (1024, 300, 2000),
    (400, 60, 1500),
    (200, 40, 1000),
    (160, 30, 800),
    (120, 25, 600),
    (80, 15, 300),
    (50, 8, 150),
    (30, 3, 60),
]
"""(characters of a value, locals, characters of output): each is tried until the text fits."""

KEPT_WINDOWS = 256
_windows: dict[tuple[str | int, ...], Safe] = {}
"""Windows of source that were shown and hold no secret: a loop's lines are stepped over again and again."""

NEXT = {
    "paused": "evaluate_expression or get_variables to look closer, step_over or continue_execution to go on",
    "stopped": "restart_debugging runs it again with the same breakpoints",
    "running": "wait_for_stop waits for the next stop, pause_execution stops it where it is",
    "created": "set_breakpoint, then start_debugging",
}


def source_window(lines: Sequence[str], line: int, context: int = 2, mark: str = ">") -> Safe:
    """Show a line (1-based) with its neighbours as one string, numbered in a gutter, the line itself marked.

    The lines are source as it is: they are redacted here.
    """
    first, last = max(1, line - context), min(len(lines), line + context)
    key: tuple[str | int, ...] = (*lines[first - 1 : last], first, line, mark)
    if key in _windows:
        return _windows[key]
    width = len(str(last))
    raw = [lines[n - 1].rstrip("\r\n").expandtabs(4) for n in range(first, last + 1)]
    shown = redact.lines(raw)
    rows = []
    for n, text in enumerate(shown, first):
        pointer = mark if n == line else " " * len(mark)
        rows.append(f"{pointer} {n:>{width}} | {clip(text, LINE_LIMIT, at_end=True)}".rstrip())
    window = Safe("\n".join(rows))
    if shown == raw and redact.enabled() and sum(map(len, raw)) <= TEXT_LIMIT:  # nothing that holds a secret is kept
        if len(_windows) >= KEPT_WINDOWS:
            _windows.clear()
        _windows[key] = window
    return window


def stop_text(answer: Mapping[str, Any], limit: int = TEXT_LIMIT) -> Safe:
    """Write a stop answer for an agent: what happened and where first, then the evidence, then what to call next."""
    text = ""
    for budget in BUDGETS:
        text = "\n".join(_stop_lines(answer, *budget))
        if len(text) <= limit:
            return Safe(text)
    return clip(text, limit)


RELOADED = ("redefined", "skipped", "failed", "newestTimestamp", "anchorResolution")


def reload_text(answer: Mapping[str, Any]) -> Safe:
    """Write what became of changed code: what was taken, then, at a stop, the stop as every other answer has it."""
    if "lastStop" not in answer:
        return generic_text(answer)
    told = {key: answer[key] for key in RELOADED if key in answer}
    return clip(f"{generic_text(told, TEXT_LIMIT // 2)}\n{stop_text(answer)}", TEXT_LIMIT)


def _stop_lines(answer: Mapping[str, Any], value: int, most: int, output: int) -> Iterator[str]:
    yield clip(_headline(answer), max(300, value * 3))
    yield _identity(answer)
    if answer.get("source"):
        yield str(answer["source"])
    elif answer.get("content"):
        yield f"> {clip(str(answer['content']), value)}"
    for command in answer.get("wouldStart") or ():
        yield f"would start: {clip(' '.join(map(str, command)), max(1000, value))}"
    yield from _exception(answer, value)
    yield from _locals(answer, value, most)
    if answer.get("watch"):
        yield f"watch: {_pairs(answer['watch'], value)}"
    if answer.get("returnValue") is not None:
        yield f"returned: {clip(_plain(answer['returnValue']), value)}"
    yield from _callers(answer, value)
    yield from _list(answer, "alsoPaused", "also paused", value)
    yield from _output(answer, output)
    yield from _list(answer, "unhitBreakpoints", "not hit", value)
    for key in ("warning", "note"):
        for said in _each(answer.get(key)):
            yield f"{key}: {clip(_plain(said), max(200, value))}"
    if isinstance(answer.get("truncation"), Mapping):
        yield f"cut: {clip(str(answer['truncation'].get('notice', 'some of it')), 300)}"
    message = answer.get("message") or NEXT.get(str(answer.get("state")), "")
    if message:
        yield f"next: {clip(_plain(message), max(300, value))}"


def _headline(answer: Mapping[str, Any]) -> str:
    """What happened, and where."""
    state = str(answer.get("state", "unknown"))
    stop = answer.get("lastStop") or {}
    if state == "paused":
        reason = str(stop.get("reason") or answer.get("stopReason") or "a stop")
        hits = ", ".join(str(hit) for hit in stop.get("hitBreakpointIds") or ())
        what = f"paused: {reason}{' ' + hits if hits else ''}"
        said = stop.get("text") or stop.get("description")
        if said and reason != "exception" and str(said).lower() not in (reason, f"paused on {reason}"):
            what += f" ({clip(str(said), 80)})"
        return what + _where(answer.get("location"))
    if state in ("stopped", "error"):
        ends = [f"exit code {answer['exitCode']}"] if answer.get("exitCode") is not None else []
        ends += [f"killed by {answer['signal']}"] if answer.get("signal") else []
        ends += [str(answer["error"])] if answer.get("error") else []
        return f"{'ended' if state == 'stopped' else 'failed'}: {', '.join(ends) or 'exit code unknown'}"
    return f"{state}{': nothing stopped it yet' if answer.get('pending') and state != 'building' else ''}"


def _where(location: Any) -> str:
    if not isinstance(location, Mapping):
        return ""
    function = f" in {location['function']}" if location.get("function") else ""
    return f"{function} at {location.get('file', '?')}:{location.get('line', '?')}"


def _identity(answer: Mapping[str, Any]) -> str:
    stop = answer.get("lastStop") or {}
    thread = f", thread {stop['threadId']}" if stop.get("threadId") is not None else ""
    return f"session {answer.get('sessionId', '?')}, {answer.get('state', 'unknown')}{thread}"


def _exception(answer: Mapping[str, Any], value: int) -> Iterator[str]:
    info = (answer.get("lastStop") or {}).get("exceptionInfo")
    if isinstance(info, Mapping):
        said = f": {clip(str(info['description']), max(300, value))}" if info.get("description") else ""
        handled = f" ({info['breakMode']})" if info.get("breakMode") else ""
        yield f"exception: {info.get('exceptionId', '?')}{handled}{said}"
    failure = answer.get("failure")
    if isinstance(failure, Mapping):
        yield f"failure: {clip(str(failure.get('message', '')), max(400, value))}"
        if isinstance(failure.get("comparison"), Mapping):
            yield f"compared: {_pairs(failure['comparison'], value)}"


def _locals(answer: Mapping[str, Any], value: int, most: int) -> Iterator[str]:
    rows = answer.get("locals")
    if not isinstance(rows, Sequence):
        return
    yield "locals:" if rows else "locals: none"
    for row in rows[:most]:
        kind = f": {clip(str(row['type']), 60)}" if row.get("type") else ""
        changed = " (changed)" if row.get("changed") else ""
        more = f" [ref {row['variablesReference']}]" if row.get("variablesReference") else ""
        yield f"  {clip(str(row.get('name')), 80)}{kind} = {clip(_flat(str(row.get('value'))), value)}{changed}{more}"
    if len(rows) > most:
        yield f"  … {len(rows) - most} more: get_local_variables"


def _callers(answer: Mapping[str, Any], value: int) -> Iterator[str]:
    """Who called, with the values of the program's own frames where an exception stop tells them."""
    rows = answer.get("stack") or ()
    if rows:
        yield "callers:"
    info = (answer.get("lastStop") or {}).get("exceptionInfo")
    frames = (info.get("details") or {}).get("userFrames") or () if isinstance(info, Mapping) else ()
    held = {(row.get("file"), row.get("line")): row.get("locals") for row in frames}
    for row in rows[: max(1, value // 40)]:
        place = f"{clip(str(row.get('file')), 160)}:{row.get('line')}"
        yield f"  {clip(str(row.get('name')), 80)} at {place} (frame {row.get('id')})"
        if mine := held.get((row.get("file"), row.get("line"))):
            named = (f"{one.get('name')} = {clip(_flat(str(one.get('value'))), value // 4)}" for one in mine)
            yield "    " + clip("; ".join(named), value)


def _output(answer: Mapping[str, Any], most: int) -> Iterator[str]:
    text = str(answer.get("output") or "").rstrip("\n")
    if text:
        yield "output since the last answer:"
        shown = text if len(text) <= most else "…" + text[-most:]
        yield "\n".join(f"  {line}" for line in shown.split("\n"))


def _list(answer: Mapping[str, Any], key: str, title: str, value: int) -> Iterator[str]:
    rows = list(_each(answer.get(key)))
    most = max(2, value // 25)
    for row in rows[:most]:
        yield f"{title}: {clip(_pairs(row, value) if isinstance(row, Mapping) else _plain(row), max(160, value))}"
    if len(rows) > most:
        yield f"{title}: {len(rows) - most} more"


def _pairs(row: Any, value: int) -> str:
    if not isinstance(row, Mapping):
        return clip(_plain(row), value)
    return ", ".join(f"{key} {clip(_flat(_plain(item)), value)}" for key, item in row.items() if item is not None)


def _each(part: Any) -> Sequence[Any]:
    if part is None or part == "":
        return ()
    return part if isinstance(part, (list, tuple)) else (part,)


def _plain(part: Any) -> str:
    if isinstance(part, Mapping):
        return ", ".join(f"{key}: {_plain(item)}" for key, item in part.items() if item is not None)
    if isinstance(part, (list, tuple)):
        return ", ".join(_plain(item) for item in part)
    return {True: "yes", False: "no"}[part] if isinstance(part, bool) else str(part)


def _flat(text: str) -> str:
    return text.replace("\r", "␍").replace("\n", "␊")


def generic_text(answer: Mapping[str, Any], limit: int = TEXT_LIMIT) -> Safe:
    """Write any answer: `key: value` a line, lists and dictionaries indented, flat rows on one line."""
    return clip("\n".join(_generic(answer, "")), limit)


def _generic(answer: Mapping[str, Any], indent: str) -> Iterator[str]:
    for key, item in answer.items():
        if item is None or item == [] or item == {}:
            continue
        if isinstance(item, Mapping) and any(isinstance(part, (list, dict)) for part in item.values()):
            yield f"{indent}{key}:"
            yield from _generic(item, indent + "  ")
        elif isinstance(item, (list, tuple)) and any(isinstance(part, Mapping) for part in item):
            yield f"{indent}{key}:"
            yield from (f"{indent}  - {_flat(_plain(part))}" for part in item)
        elif isinstance(item, str) and "\n" in item:
            yield f"{indent}{key}:"
            yield from (f"{indent}  {line}" for line in item.rstrip("\n").split("\n"))
        else:
            yield f"{indent}{key}: {_plain(item)}"
