"""The corpus: small programs with a seeded bug each, and whether what is written of each is really so.

python evals/bugs.py [WORD]      check them all, or those with a word in their name
"""

import json
import subprocess
import sys
import tempfile
import tomllib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
SECONDS = 30


@dataclass(frozen=True)
class Value:
    """Where the root cause shows: what `expression` is when the program comes to `statement`."""

    file: str
    statement: str
    expression: str
    betrays: str
    """The text of the value."""


@dataclass(frozen=True)
class Bug:
    """One program: `statement` of `file` is wrong, and with `repair` in its place the test passes."""

    name: str
    kind: str
    cause: str
    file: str
    statement: str
    repair: str
    value: Value

    @property
    def folder(self) -> Path:
        """Where its files lie."""
        return CORPUS / self.name

    @property
    def test(self) -> str:
        """Its failing test's file."""
        return f"test_{self.name}.py"

    @cached_property
    def sources(self) -> dict[str, str]:
        """Its files without the test, by name."""
        return {one.name: one.read_text("utf-8") for one in sorted(self.folder.glob("*.py")) if one.name != self.test}

    @property
    def lines(self) -> int:
        """Lines of its program."""
        return sum(text.count("\n") for text in self.sources.values())

    def write(self, folder: Path, *, repaired: bool = False) -> None:
        """Put the program and its test into a folder."""
        (folder / self.test).write_text((self.folder / self.test).read_text("utf-8"), "utf-8")
        for name, text in self.sources.items():
            mended = text.replace(self.statement, self.repair) if repaired and name == self.file else text
            (folder / name).write_text(mended, "utf-8")


def read(name: str) -> Bug:
    """A bug by its name."""
    told = tomllib.loads((CORPUS / name / "bug.toml").read_text("utf-8"))
    return Bug(name=name, value=Value(**told.pop("value")), **told)


def every(word: str = "") -> list[Bug]:
    """The whole corpus in the order of its names, or those with a word in theirs."""
    return [read(one.parent.name) for one in sorted(CORPUS.glob("*/bug.toml")) if word in one.parent.name]


WATCH = """
import importlib, json, os, sys, threading
file, line, expression, test = json.loads(sys.argv[1])
sys.path.insert(0, os.getcwd())
seen = []

def watch(frame, event, _):
    if os.path.basename(frame.f_code.co_filename) != file:
        return None
    if event == "line" and frame.f_lineno == line:
        sys.settrace(None)
        try:
            seen.append(repr(eval(expression, {**frame.f_globals, **frame.f_locals})))
        except Exception as wrong:
            seen.append(f"<error: {wrong!r}>")
        sys.settrace(watch)
    return watch

module = importlib.import_module("test_" + test)
threading.settrace(watch)
sys.settrace(watch)
failed = ""
try:
    getattr(module, "test_" + test)()
except Exception as wrong:
    failed = type(wrong).__name__
sys.settrace(None)
threading.settrace(None)
print(json.dumps([failed, seen]))
"""


def played(bug: Bug, *, repaired: bool) -> tuple[str, list[str]]:
    """Run its test: the name of what it raised, and what the value was each time the program came by."""
    with tempfile.TemporaryDirectory() as place:
        bug.write(Path(place), repaired=repaired)
        rows = bug.sources[bug.value.file].splitlines()
        line = next(number for number, row in enumerate(rows, 1) if bug.value.statement.strip() in row)
        asked = json.dumps([bug.value.file, line, bug.value.expression, bug.name])
        argv = [sys.executable, "-c", WATCH, asked]
        ran = subprocess.run(argv, cwd=place, capture_output=True, text=True, timeout=SECONDS, check=False)
    if ran.returncode:
        return ran.stderr.strip().splitlines()[-1], []
    failed, seen = json.loads(ran.stdout.splitlines()[-1])
    return failed, seen


def wrong(bug: Bug) -> list[str]:
    """What is not as it is written of a bug; nothing where all is."""
    found = []
    for what, text, file in (("statement", bug.statement, bug.file), ("value", bug.value.statement, bug.value.file)):
        if (count := bug.sources.get(file, "").count(text)) != 1:
            found.append(f"its {what} is in {file} {count} times")
    if found:
        return found
    failed, seen = played(bug, repaired=False)
    if failed != "AssertionError":
        found.append(f"its test does not fail by its assertion: {failed or 'it passes'}")
    if bug.value.betrays not in seen:
        found.append(f"the value is never {bug.value.betrays}: {seen[:4]}")
    mended, _ = played(bug, repaired=True)
    if mended:
        found.append(f"with the repair its test fails: {mended}")
    return found


def main() -> int:
    """Check, and say what is wrong."""
    corpus = every(sys.argv[1] if len(sys.argv) > 1 else "")
    bad = {bug.name: problems for bug in corpus if (problems := wrong(bug))}
    for name, problems in bad.items():
        print(f"{name}: {'; '.join(problems)}")
    print(f"{len(corpus)} programs, {len({bug.kind for bug in corpus})} kinds, {len(bad)} wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
