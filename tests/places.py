"""Where the fixtures are, and lines found by their text."""

import shutil
from pathlib import Path

FIXTURES = Path(__file__).parent / "fixtures"
CASES = FIXTURES / "cases"
"""Scenarios from public bug reports, one folder each, with programs of our own."""


def copy(folder: Path, target: Path) -> Path:
    """Copy `folder` to `target`, symbolic links kept as links; return `target`, resolved."""
    shutil.copytree(folder, target, symlinks=True, dirs_exist_ok=True)
    return target.resolve()


def line_of(path: str | Path, text: str, nth: int = 1) -> int:
    r"""Return the 1-based number of the `nth` line that contains `text`; lines end with \n, \r\n or \r alone."""
    with Path(path).open(encoding="utf-8", errors="replace", newline=None) as file:
        hits = [number for number, line in enumerate(file, 1) if text in line]
    assert len(hits) >= nth, f"{path} has `{text}` on {len(hits)} lines, not on {nth}"
    return hits[nth - 1]
