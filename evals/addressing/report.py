"""Tables and plots of the measures, by arm and model, intervals included."""

from collections.abc import Mapping
from html import escape

from intervals import SHARES, Figure

Told = Mapping[tuple[str, str], Mapping[str, Figure]]
WIDTH, ROW, LEFT, RIGHT = 720, 22, 190, 150
NONE = "none"
"""Nothing to share (no restart, no set), or not told by the agent."""


def table(told: Told) -> str:
    """Markdown: a row for each arm and model; shares in per cent, means as they are, 95 % intervals in brackets."""
    columns = _names(told)
    rows = ["| arm | model | " + " | ".join(columns) + " |", "| --- " * (len(columns) + 2) + "|"]
    for (arm, model), group in told.items():
        cells = [shown(name, group[name]) if name in group else NONE for name in columns]
        rows.append(f"| {arm} | {_cell(model)} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def changes(told: Mapping[tuple[str, str, str], Figure], base: str = "line") -> str:
    """Markdown: what each arm changes against the base arm, on the same tasks; shares in percentage points."""
    columns = list(dict.fromkeys(name for _, _, name in told))
    if not columns:
        return ""
    rows = [f"| model | arm against `{base}` | " + " | ".join(columns) + " |", "| --- " * (len(columns) + 2) + "|"]
    for model, arm in dict.fromkeys((model, arm) for model, arm, _ in told):
        cells = [_change(name, told[model, arm, name]) if (model, arm, name) in told else NONE for name in columns]
        rows.append(f"| {_cell(model)} | {arm} | " + " | ".join(cells) + " |")
    return "\n".join(rows) + "\n"


def shown(name: str, value: Figure) -> str:
    """One cell: `33 % [18, 53]`, `6.2 [6.0, 6.5]`."""
    if name in SHARES:
        middle, low, high = (f"{100 * one:.0f}" for one in value)
        return f"{middle} % [{low}, {high}]"
    middle, low, high = (f"{one:.3g}" if abs(one) < 1000 else f"{one:.0f}" for one in value)
    return f"{middle} [{low}, {high}]"


def _change(name: str, value: Figure) -> str:
    scale, digits = (100, "+.0f") if name in SHARES else (1, "+.0f" if abs(value[0]) >= 1000 else "+.3g")
    middle, low, high = (format(scale * one + 0.0, digits) for one in value)
    return f"{middle} [{low}, {high}]"


def plot(told: Told) -> str:
    """SVG: for each measure a bar an arm and model, its interval as a line, its figures beside it.

    Shares are drawn from 0 to 100 %; means from 0 to the highest bound of their measure.
    """
    parts, y = list[str](), 10
    for name in _names(told):
        parts.append(f'<text x="4" y="{y + 12}" font-weight="bold">{name}</text>')
        y += ROW
        most = 1.0 if name in SHARES else max(group[name][2] for group in told.values() if name in group)
        for (arm, model), group in told.items():
            label = escape(f"{arm} {model}".strip())
            parts.append(f'<text x="14" y="{y + 12}">{label}</text>')
            parts += _bar(name, group[name], most, y) if name in group else [_text(LEFT, y, NONE)]
            y += ROW
        y += 6
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" font-family="sans-serif" font-size="12">'
    )
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def _bar(name: str, figure: Figure, most: float, y: int) -> list[str]:
    scale = (WIDTH - LEFT - RIGHT) / (most or 1.0)
    x, begin, end = (LEFT + scale * one for one in figure)
    ticks = [f'<line x1="{at:.1f}" x2="{at:.1f}" y1="{y + 4}" y2="{y + 12}" stroke="#222"/>' for at in (begin, end)]
    return [
        f'<rect x="{LEFT}" y="{y + 2}" width="{x - LEFT:.1f}" height="12" fill="#7aa6d8"/>',
        f'<line x1="{begin:.1f}" x2="{end:.1f}" y1="{y + 8}" y2="{y + 8}" stroke="#222"/>',
        *ticks,
        _text(WIDTH - RIGHT + 10, y, shown(name, figure)),
    ]


def _text(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y + 12}">{escape(text)}</text>'


def _names(told: Told) -> list[str]:
    """The measures that any group tells, in their order."""
    order = list(dict.fromkeys([*SHARES, *(name for group in told.values() for name in group)]))
    return [name for name in order if any(name in group for group in told.values())]


def _cell(text: str) -> str:
    return text.replace("|", "\\|") or "-"
