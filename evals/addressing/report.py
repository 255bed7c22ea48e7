"""Tables and plots of the measures, by arm and model, intervals included."""

from collections.abc import Mapping
from html import escape

Told = Mapping[tuple[str, str], Mapping[str, tuple[float, float, float]]]
SHARES = ("wrong", "reset", "rejected", "astray", "found")
WIDTH, ROW, LEFT = 720, 22, 190


def table(told: Told) -> str:
    """Markdown: a row for each arm and model; shares in per cent, means as they are, 95 % intervals in brackets."""
    columns = list(dict.fromkeys(name for group in told.values() for name in group))
    rows = ["| arm | model | " + " | ".join(columns) + " |", "| --- " * (len(columns) + 2) + "|"]
    for (arm, model), group in told.items():
        cells = [shown(name, group[name]) if name in group else "not told" for name in columns]
        rows.append(f"| {arm} | {model or '-'} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def shown(name: str, value: tuple[float, float, float]) -> str:
    """One cell: `33 % [18, 53]`, `6.2 [6.0, 6.5]`."""
    if name in SHARES:
        middle, low, high = (f"{100 * one:.0f}" for one in value)
        return f"{middle} % [{low}, {high}]"
    middle, low, high = (f"{one:.3g}" if one < 1000 else f"{one:.0f}" for one in value)
    return f"{middle} [{low}, {high}]"


def plot(told: Told) -> str:
    """SVG: for each share a bar an arm and model, its interval as a line."""
    parts, y = list[str](), 10
    for name in SHARES:
        parts.append(f'<text x="4" y="{y + 12}" font-weight="bold">{name}</text>')
        y += ROW
        for (arm, model), group in told.items():
            share, low, high = group[name]
            scale = WIDTH - LEFT - 20
            x, begin, end = (LEFT + scale * one for one in (share, low, high))
            parts += [
                f'<text x="14" y="{y + 12}">{escape(f"{arm} {model}".strip())}</text>',
                f'<rect x="{LEFT}" y="{y + 2}" width="{x - LEFT:.1f}" height="12" fill="#7aa6d8"/>',
                f'<line x1="{begin:.1f}" x2="{end:.1f}" y1="{y + 8}" y2="{y + 8}" stroke="#222"/>',
            ]
            y += ROW
        y += 6
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" font-family="sans-serif" font-size="12">'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"
