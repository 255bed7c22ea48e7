"""What was shown, as a table, and what each tool answered, as text."""

from collections.abc import Sequence

from evals.realbugs.playing import Played

HEAD = ("bug", "release", "tools", "calls", "characters", "seconds", "frame", "value", "function")


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
    )


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
    said = []
    for one in runs:
        said.append(f"## {one.bug.name}: {one.bug.cause}\n\nbetrays: `{one.bug.betrays}` in `{one.bug.function}`")
        said += [f"### {tool}\n\n{text}" for tool, text in zip(one.tools, one.texts, strict=True)]
    return "\n\n".join(said) + "\n"
