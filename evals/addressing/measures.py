"""What one run of an agent amounts to: its places judged by the text that they are bound to."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sets import Call, Set, calls, rows, sets

WITHIN = 3
"""Calls within which a set near a bad one counts as its correction."""
NEAR = 5
"""Lines between a bad set and its correction, where both lines are known."""


@dataclass
class Run:
    """One agent, one task, one arm. `sets` are attempts; `wrong` ones were accepted at another text than any target."""

    arm: str
    model: str
    task: str
    repeat: int = 0
    sets: int = 0
    accepted: int = 0
    unjudged: int = 0
    """Of the accepted those of which nothing tells the text: watched values, an `until` that was not reached."""
    wrong: int = 0
    rejected: int = 0
    reset: int = 0
    restarts: int = 0
    """Restarts that came to stand at a breakpoint."""
    astray: int = 0
    """Of these the ones that stood at another text than any target: a breakpoint that an edit has moved."""
    rounds: int = 0
    unanswered: int = 0
    bytes: int = 0
    tokens: int | None = None
    cost: float | None = None
    found: bool = False
    judge: str = "words"
    """Who said whether the cause was found: the rubric's `words`, or a `verdict`."""
    audited: int = 0
    """Calls that the audit trail tells of."""
    unaudited: int = 0
    """Accepted sets that it does not tell of: the log and the trail do not agree."""
    ended: str = ""
    """`ok`, `crashed`, `late` (stopped at the time limit)."""
    seconds: float = 0.0
    said: str = ""


def measure(run: Run, log: Path, task: dict[str, Any]) -> Run:
    """Judge each set by the text that it was bound to, so that edits do not matter."""
    bad: list[Set] = []
    for call in (made := calls(log)):
        run.rounds, run.bytes = run.rounds + 1, run.bytes + call.bytes
        run.unanswered += call.answer is None
        for one in sets(call):
            _judge(run, one, task, bad)
        answer = call.answer or {}
        if call.tool == "restart_debugging" and str(answer.get("stopReason")).endswith("breakpoint"):
            run.restarts += 1
            by = "function" if answer["stopReason"] == "function breakpoint" else "line"
            run.astray += not right(by, answer.get("content"), task)
    _audit(run, log, made)
    return run


def right(by: str, text: str | None, task: dict[str, Any]) -> bool:
    """Whether a place is one that the annotation names; a function is named rightly where a target is in its body."""
    return text in task["targets"] or (by == "function" and text in task["entries"])


def _judge(run: Run, one: Set, task: dict[str, Any], bad: list[Set]) -> None:
    run.sets += 1
    corrected = next((each for each in bad if _corrects(one, each)), None)
    if corrected is not None:
        run.reset += 1
        bad.remove(corrected)
    if not one.accepted:
        run.rejected += 1
        bad.append(one)
        return
    run.accepted += 1
    if one.unjudged:
        run.unjudged += 1
    elif not right(one.by, one.text, task):
        run.wrong += 1
        bad.append(one)


def _corrects(one: Set, bad: Set) -> bool:
    """Whether a set is the correction of a bad one: soon after it, in its file, near it. One bad set has one."""
    if not bad.call < one.call <= bad.call + WITHIN or one.file != bad.file:
        return False
    if bad.accepted and one.line == bad.line:  # the same place again
        return False
    return one.line is None or bad.line is None or abs(one.line - bad.line) <= NEAR


def _audit(run: Run, log: Path, made: Sequence[Call]) -> None:
    """Compare with the server's own trail: the last of each session, by relay."""
    trails = {(row["relay"], row["message"].get("uri")): row["message"] for row in rows(log) if row["way"] == "audit"}
    told = []
    for trail in trails.values():
        for one in (trail.get("result") or {}).get("contents", []):
            told += [json.loads(line) for line in str(one.get("text", "")).split("\n") if line.strip()]
    known = [row["tool"] for row in told if "tool" in row]
    run.audited = len(known)
    for call in made:
        if not any(one.accepted for one in sets(call)):
            continue
        if call.tool in known:  # arguments are not compared: the trail cuts and redacts them
            known.remove(call.tool)
        else:
            run.unaudited += 1


def has_cause(said: str, words: Sequence[Sequence[str]]) -> bool:
    """Whether an answer names the root cause: of every group of words at least one."""
    low = said.lower()
    return all(any(word.lower() in low for word in group) for group in words)
