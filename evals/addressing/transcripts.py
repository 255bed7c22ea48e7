"""An agent's own report: the last words of its transcript, and what it says that they have cost."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

READ = 4_000_000
"""Bytes of a transcript that are read, from its end."""
MARK = "ROOT CAUSE:"
COUNTED = (
    "input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens",
    "prompt_tokens", "completion_tokens",
)  # fmt: skip
"""Disjoint counts. `cached_input_tokens` and `reasoning_output_tokens` are parts of others and left out."""


@dataclass
class Told:
    """What a transcript tells; None is not told."""

    said: str
    tokens: int | None = None
    cost: float | None = None


def read(path: Path) -> Told:
    """Read the end of a transcript, whatever bytes are in it."""
    if not path.exists():
        return Told("")
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - READ))
        return understand(file.read().decode("utf-8", errors="replace"))


def understand(text: str) -> Told:
    """Find the answer, tokens and cost: of one JSON object, of events one a line, or of plain text."""
    answer, tokens, cost = None, None, None
    for told in _objects(text):
        answer = _answer(told) or answer
        counted = _tokens(told)
        tokens = counted if counted is not None else tokens
        paid = told.get("total_cost_usd", told.get("cost_usd"))
        if isinstance(paid, int | float) and not isinstance(paid, bool):
            cost = float(paid)
    return Told(_last_words(answer if answer is not None else text, plain=answer is None), tokens, cost)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, list):  # some print all their events as one list
        yield from (one for one in whole if isinstance(one, dict))
        return
    if isinstance(whole, dict):
        yield whole
        return
    for line in text.split("\n"):
        if line.lstrip().startswith("{"):
            try:
                one = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(one, dict):
                yield one


def _answer(told: Mapping[str, Any]) -> str | None:
    """Claude Code says `result`, Gemini CLI `response`, Codex an `agent_message` item."""
    item = told.get("item")
    if isinstance(item, dict) and item.get("type") == "agent_message" and isinstance(item.get("text"), str):
        return str(item["text"])
    return next((told[key] for key in ("result", "response") if isinstance(told.get(key), str)), None)


def _tokens(told: Mapping[str, Any]) -> int | None:
    usage = told.get("usage")
    if isinstance(usage, dict):
        counts = [usage[key] for key in COUNTED if type(usage.get(key)) is int]
        return sum(counts) if counts else None
    stats = told.get("stats")
    models = stats.get("models") if isinstance(stats, dict) else None
    if isinstance(models, dict):  # Gemini CLI: a total a model
        totals = [one.get("tokens", {}).get("total") for one in models.values() if isinstance(one, dict)]
        counts = [one for one in totals if type(one) is int]
        return sum(counts) if counts else None
    return None


def _last_words(answer: str, *, plain: bool) -> str:
    """The answer alone: after the mark that the prompt asks for, else the whole, of plain text its last paragraph.

    A plain transcript may quote the program; its words must not count as the agent's.
    """
    marked = re.split(re.escape(MARK), answer, flags=re.IGNORECASE)
    if len(marked) > 1:
        return marked[-1].strip().strip("*_").strip()
    return re.split(r"\n\s*\n", answer.strip())[-1].strip() if plain else answer.strip()
