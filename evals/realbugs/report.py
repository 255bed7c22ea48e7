"""What was shown, as a table, and what each tool answered, as text."""

import re
from collections.abc import Sequence

from evals.realbugs.playing import Played

HEAD = ("bug", "release", "tools", "calls", "characters", "seconds", "frame", "value", "function", "what it said")
AROUND = 70
"""Characters of an answer that are shown on either side of the value."""


def row(played: Played) -> tuple[str, ...]:
    """One bug's row, in the order of `HEAD`."""
    bug, seen = played.bug, played.seen
    marks = ["yes" if shown else "NO" for shown in (played.frame, played.value, played.function)]
    tools = ", ".join(f"`{name}`" for name in played.tools)
    return (
        f"[{bug.name}]({bug.report})",
        f"{bug.package} {bug.version}",
        tools,
        str(seen.calls),
        f"{seen.characters:,}",
        f"{seen.seconds:.1f}",
        *marks,
        said(played),
    )


def said(played: Played) -> str:
    """The part of an answer that holds the betraying value; where none does, the first line of the last answer."""
    value = played.bug.betrays
    for text in reversed(played.texts):
        at = text.find(value) if played.value else -1
        if at >= 0:
            begin = max(text.rfind("\n", 0, at) + 1, at - AROUND)
            end = at + len(value) + AROUND
            return _cell(text[begin:end].partition("\n")[0])
    return _cell((played.refused or played.texts[-1]).partition("\n")[0][: 2 * AROUND])


def _cell(text: str) -> str:
    return "`` " + re.sub(r" {2,}", "  ", text.strip()).replace("|", "\\|") + " ``"


def table(runs: Sequence[Played]) -> str:
    """All rows as Markdown, and the sums."""
    lines = [f"| {' | '.join(HEAD)} |", f"|{' --- |' * len(HEAD)}"]
    lines += [f"| {' | '.join(row(one))} |" for one in runs]
    return "\n".join([*lines, "", sums(runs)])


def sums(runs: Sequence[Played]) -> str:
    """One sentence over all."""
    count = len(runs)
    if not count:
        return "no bug was played"
    shown = {name: sum(getattr(one, name) for one in runs) for name in ("frame", "value", "function")}
    first = sum(one.value and one.seen.calls == 1 for one in runs)
    means = [sum(getattr(one.seen, key) for one in runs) / count for key in ("calls", "characters", "seconds")]
    return (
        f"{count} bugs: the failing frame was shown for {shown['frame']}, the betraying value for {shown['value']}"
        f" ({first} by `debug_test` alone), the root cause's function for {shown['function']};"
        f" {means[0]:.1f} calls, {means[1]:,.0f} characters, {means[2]:.1f} s each."
    )


def answers(runs: Sequence[Played]) -> str:
    """What each tool said, whole."""
    parts = []
    for one in runs:
        parts.append(f"## {one.bug.name}: {one.bug.cause}\n\nbetrays: `{one.bug.betrays}` in `{one.bug.function}`")
        parts += [f"### {tool}\n\n{text}" for tool, text in zip(one.tools, one.texts, strict=True)]
    return "\n\n".join(parts) + "\n"
