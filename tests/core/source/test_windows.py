"""What is read of a file by pieces is what the walk over the whole of it tells."""

import json
import random
from pathlib import Path

import pytest

from dapwright.core.source import SourceFile, Structure, grammars, of_text, read, shapes, structure
from dapwright.core.source.grammars import Parsed, capture, kinds, span
from dapwright.core.source.outline import Outline, innermost, named
from dapwright.core.source.rules import COMMENT, HOLE, RULES, STRING
from dapwright.core.source.windows import windows

FIXTURES = Path(__file__).parents[2] / "fixtures"
SOURCES = sorted(path for path in FIXTURES.rglob("*.*") if path.is_file() and path.stat().st_size < 20_000)

NESTED = """import { a } from "a"; const first = a(); function one(x) { return x; } function one(y) { return y; }
const big = {
  /** of the pair */
  area:
    // between a name and its function
    function () {
      return `a ${first /* a
        comment */} b
      // none ${one(
        2,
      )}
      end`;
    },
  "quoted": () => 1, area: () => {
    return 2;
  },
};
const table = [
ROWS];
class Box {
  area() {
    if (first) return 1; else {
      return 2;
    }
  }
  static {
    one(1);
  }
}
(function () {
  exports.outer = function () {
    function area() {
      return 3;
    }
    return area();
  };
})();
""".replace("ROWS", "  [1,\n   2],\n" * 3000)


def whole_lexis(file: SourceFile) -> Parsed | None:
    tree, known = grammars.parse(file), grammars.grammar(file.language)
    if tree is None or known is None:
        return None
    names = {"comment": kinds(known, COMMENT), "string": kinds(known, STRING), "hole": kinds(known, HOLE)}
    found = capture(known, tree.root_node, names)
    spans = [sorted(span(file, n, name == "comment") for n in found.get(name, [])) for name in names]
    return Parsed(file, range(1, len(file.lines) + 2), *spans)


def sources() -> list[SourceFile]:
    files = [read(str(path), path.read_bytes()) for path in SOURCES if path.suffix not in (".jar", ".class", ".gz")]
    return [file for file in files if file.language in RULES]


def long(file: SourceFile) -> SourceFile:
    """The file again and again, some of its lines cut in two so that it does not parse."""
    lines = list(file.lines) * (1 + 40 // max(1, len(file.lines)))
    chance = random.Random(len(lines))
    for at in chance.sample(range(len(lines)), len(lines) // 30):
        lines[at] = lines[at][: len(lines[at]) // 2]
    return of_text(file.path, "\n".join(lines) + "\n", file.language)


def differing(file: SourceFile, size: int, step: int = 1) -> list[int]:
    """The first lines of the pieces that tell something else than the whole does."""
    whole, found = shapes.outline(file), windows(file)
    assert whole is not None
    if found is None:
        assert file.language == "perl"
        return []
    wrong = []
    for first in range(1, len(file.lines) + 2, size * step):
        lines = range(first, first + size)
        part = found.outline(lines[0], lines[-1])
        expected = Outline(
            tuple(f for f in whole.functions if f.first <= lines[-1] and f.last >= first),
            {n: whole.owner[n] for n in lines if n in whole.owner},
            frozenset(n for n in lines if n in whole.executable),
        )
        wrong += [first] if part != expected else []
    return wrong


@pytest.mark.parametrize("size", [1, 5, 64])
def test_a_piece_of_an_outline_is_the_outline_of_the_piece(size: int) -> None:
    files = sources()
    assert len({file.language for file in files}) > 10
    for file in files:
        assert not differing(file, size), file.path
        assert not differing(long(file), size, step=3), file.path
    assert not differing(of_text("a.js", NESTED), 5, step=7)


def test_comments_and_literals_of_a_piece_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grammars, "PIECE", 4)
    told = 0
    for file in [*sources(), *map(long, sources()), of_text("a.js", NESTED)]:
        whole, lazy = whole_lexis(file), grammars.lexis(file)
        if whole is None or lazy is None:
            continue
        for line in range(1, len(file.lines) + 2):
            told += whole.inside(line) is not None
            assert (lazy.inside(line), lazy.comments(line)) == (whole.inside(line), whole.comments(line)), (file, line)
    assert told > 100


def test_a_name_means_the_same_functions_by_its_places_as_by_the_whole() -> None:
    for file in [*sources(), *map(long, sources()), of_text("a.js", NESTED)]:
        whole, found = shapes.outline(file), windows(file)
        if whole is None or found is None:
            continue
        for name in {n for f in whole.functions for n in (f.name, f.qualified)}:
            assert found.named(name) in (named(whole.functions, name), []), (file.path, name)
        assert found.functions() == whole.functions, file.path
    assert len(windows(of_text("a.js", NESTED)).named("area")) == 4  # type: ignore[union-attr]


def test_a_long_file_answers_as_a_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    path = FIXTURES / "ruby"
    files = [of_text("a.js", NESTED), *(read(str(p), p.read_bytes()) for p in sorted(path.glob("*.rb")))]
    for file in files:
        plain = Structure(file)
        monkeypatch.setattr(structure, "LONG", 0)
        pieces = Structure(file)
        assert pieces.windows is not None
        for line in range(1, len(file.lines) + 1, 3 if len(file.lines) < 500 else 41):
            assert pieces.statement_at(line) == plain.whole.owner.get(line) or plain.lexis.inside(line)
            assert pieces.function_at(line) == innermost(plain.whole.functions, line)
            assert pieces.is_executable(line) == (line in plain.whole.executable)
            assert pieces.blind == plain.blind
        assert "whole" not in pieces.__dict__
        assert pieces.named("nowhere_at_all") == []
        monkeypatch.setattr(structure, "LONG", 500)


def test_a_python_file_answers_the_same_by_its_statements_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    path = Path(json.__file__).with_name("decoder.py")
    file = read(str(path), path.read_bytes())
    whole = Structure(file).whole
    monkeypatch.setattr(structure, "LARGE", 10)
    parts = Structure(file)
    for line in range(1, len(file.lines) + 1):
        assert parts.outline(line).owner.get(line) == whole.owner.get(line)
        assert parts.is_executable(line) == (line in whole.executable)
    for name in {f.name for f in whole.functions}:
        assert parts.named(name) == named(whole.functions, name)
    assert "whole" not in parts.__dict__


def test_the_lines_of_a_block_that_is_a_statement_are_its_statements() -> None:
    file = of_text("a.rs", "fn f() {\n    loop {}\n    {\n        let a = 1;\n    }\n}\n")
    found = shapes.outline(file)
    assert found is not None
    assert found.owner[4].first == 4
