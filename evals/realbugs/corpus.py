"""The bugs: one folder each, with `bug.toml` (what, where, why, the value that betrays it) and its failing test."""

import ast
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "bugs"


@dataclass(frozen=True)
class Bug:
    """One bug of one release of one package."""

    name: str
    package: str
    version: str
    """The release that has it."""
    fixed: str
    """A release that has not: the test passes there."""
    report: str
    """Where it was reported or mended, in public."""
    cause: str
    file: str
    """The file of the root cause, from the package's folder."""
    function: str
    """The function of the root cause, its class left out."""
    betrays: str
    """The text of the value that tells the root cause to who sees it."""
    fails: str
    """The function of the program that stands innermost where the test fails."""
    then: dict[str, Any]
    """The second call: `tool`, and its arguments beside the test."""
    requires: list[str] = field(default_factory=list)
    """Everything else that is installed, pinned."""

    @property
    def folder(self) -> Path:
        """Where it is kept."""
        return FOLDER / self.name

    @property
    def test(self) -> Path:
        """Its failing test."""
        return self.folder / f"test_{self.name}.py"


def read(only: str = "") -> list[Bug]:
    """Every bug, or those with a word in their name, by name."""
    found = []
    for path in sorted(FOLDER.glob("*/bug.toml")):
        if only in path.parent.name:
            found.append(Bug(name=path.parent.name, **tomllib.loads(path.read_text(encoding="utf-8"))))
    return found


def functions(source: str) -> Iterator[str]:
    """The names of all functions in a source text."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name
