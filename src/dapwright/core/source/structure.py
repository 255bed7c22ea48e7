"""One file's structure, read lazily: functions and statements only where they are asked for."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from dapwright.core.source import grammars, indent, python, shapes
from dapwright.core.source.lexis import Kind, Lexis, Light, code_at
from dapwright.core.source.outline import Function, Outline, Statement, innermost, named
from dapwright.core.source.rules import RULES
from dapwright.core.source.text import SourceFile
from dapwright.core.source.windows import Windows, windows

LARGE = 4000
"""Lines beyond which a Python file is read by its top-level statements, each when it is asked for."""
LONG = 500
"""Lines beyond which a file of another language is read by pieces, each when it is asked for."""
FEW = 50
"""Functions up to which they are looked through for each line."""
STARTS = re.compile(r"\n(?!(?:elif|else|except|finally)\b)[\w@]")
"""How a top-level statement below the first line can begin (a string or a bracket belongs to what stands above it)."""


class Structure:
    """What each line of a file is. `executable` is the line table of another interpreter, where that runs the file."""

    def __init__(self, file: SourceFile, executable: frozenset[int] | None = None) -> None:
        self.file, self.given = file, executable
        self.parts: dict[int, Outline] = {}
        self.holders: dict[int, dict[int, Function]] = {}
        """By outline: which function holds a line."""
        self.kinds: dict[int, Kind] = {}
        self.codes: dict[int, str] = {}

    @cached_property
    def lexis(self) -> Lexis:
        """The reader of comments and strings: the grammar's, where there is one."""
        return grammars.lexis(self.file) or Light(self.file)

    def kind(self, line: int) -> Kind:
        """Tell what a line is: `string` inside a literal, else whether it holds code."""
        if line not in self.kinds:
            self.kinds[line] = self.kind_of(line)
        return self.kinds[line]

    def kind_of(self, line: int) -> Kind:
        """Find out what a line is."""
        text, inside = self.file.line(line), self.lexis.inside(line)
        if inside and not inside.comment:
            return "string"
        if not text.strip():
            return "blank"
        return "code" if self.code(line).strip() else "comment"

    def code(self, line: int) -> str:
        """Return a line's text without what trails it as comment."""
        if line not in self.codes:
            self.codes[line] = code_at(self.file, self.lexis, line)
        return self.codes[line]

    @property
    def blind(self) -> bool:
        """Tell whether the language's debugger takes any line for one with code, so that only its shape tells."""
        rule = RULES.get(self.file.language)
        if rule is None or not rule.blind:
            return False
        return self.has_statements

    @property
    def has_statements(self) -> bool:
        """Tell whether any line belongs to a statement."""
        read = self.windows.parts.values() if self.windows else ()
        return any(part.owner for part in read) or bool(self.whole.owner)

    @property
    def broken(self) -> bool:
        """Tell whether the file does not parse, so that where its functions end is a guess."""
        if self.file.language == "python":
            return not self.whole.exact
        tree = grammars.parse(self.file)
        return tree is not None and tree.root_node.has_error

    @cached_property
    def whole(self) -> Outline:
        """The outline of the whole file."""
        if self.file.language == "python":
            found = python.outline(self.file.text, self.kind, self.given)
        else:
            found = shapes.outline(self.file)
        return found or indent.outline(self.file, self.kind)

    @cached_property
    def chunks(self) -> list[int]:
        """Where the top-level statements of a large Python file begin in its text; empty for every other file."""
        if self.file.language != "python" or len(self.file.lines) < LARGE or self.given is not None:
            return []
        assert isinstance(self.lexis, Light)
        text = self.file.text
        found = [one.end() - 1 for one in STARTS.finditer(text)]
        for literal in self.lexis.spans:
            inside = self.file.starts[literal.start : literal.end - (literal.end_column == 0)]
            if inside:
                del found[bisect_left(found, inside[0]) : bisect_right(found, inside[-1])]
        return [0, *(at for before, at in pairwise([0, *found]) if text[before] != "@")]

    @cached_property
    def windows(self) -> Windows | None:
        """The reader of a long file of another language by pieces; None for every other file."""
        return windows(self.file) if self.file.language != "python" and len(self.file.lines) > LONG else None

    def outline(self, line: int) -> Outline:
        """Return the outline that holds a line: of its surroundings in a large file, else of the whole."""
        if "whole" in self.__dict__:
            return self.whole
        if self.windows:
            return self.windows.part(line)
        if not self.chunks:
            return self.whole
        at = bisect_right(self.chunks, self.file.starts[min(line, len(self.file.lines)) - 1]) - 1
        first = self.file.line_at(self.chunks[at])
        if first not in self.parts:
            after = self.chunks[at + 1 : at + 2]
            last = self.file.line_at(after[0]) - 1 if after else len(self.file.lines)
            part = python.part(self.file.lines, first, last, self.kind)
            if part is None:
                return self.whole
            self.parts[first] = part
        return self.parts[first]

    @cached_property
    def functions(self) -> tuple[Function, ...]:
        """Every function and class of the file, in order."""
        return self.windows.functions() if self.windows and "whole" not in self.__dict__ else self.whole.functions

    @property
    def large(self) -> bool:
        """Tell whether it is better to ask for some functions than for all."""
        return len(self.file.lines) >= LARGE and "whole" not in self.__dict__ and bool(self.chunks or self.windows)

    def from_the_top(self) -> Iterator[Function]:
        """Yield the functions of the file, a part at a time, in the order of their first lines."""
        starts = (
            map(self.file.line_at, self.chunks) if self.chunks else range(1, len(self.file.lines) + 1, grammars.PIECE)
        )
        for first, end in pairwise([*starts, len(self.file.lines) + 1]):
            yield from (f for f in self.outline(first).functions if f.kind == "function" and first <= f.first < end)

    def inside(self, function: Function) -> tuple[Function, ...]:
        """Return what a function or class of the file holds, itself included, and perhaps more of the file."""
        return self.outline(function.line).functions if self.chunks else self.functions

    def named(self, name: str) -> list[Function]:
        """Return the functions and classes that a name means, bare or qualified."""
        found = self.glimpsed(name)
        if found or not self.windows or self.windows.lacks(name) or "whole" in self.__dict__:
            return found
        return named(self.functions, name)

    def glimpsed(self, name: str) -> list[Function]:
        """Return the same by a look at the lines of a large file that say the name, which may miss some."""
        if self.windows and "whole" not in self.__dict__:
            return self.windows.named(name)
        bare = re.split(r"\W+", name.strip().rstrip("()"))[-1]
        if not self.chunks or not bare:
            return named(self.functions, name)
        head = re.compile(rf"\s*(?:async\s+)?(?:def|class)\s+{re.escape(bare)}\b")
        lines = [n for n in self.file.occurrences(bare) if head.match(self.file.line(n))]
        found = {f for line in lines for f in self.outline(line).functions}
        return sorted(named(found, name), key=lambda f: f.first)

    def function_at(self, line: int) -> Function | None:
        """Return the innermost function that a line lies in; None for the module's own.

        A comment behind a function's last statement belongs to it as long as it is indented deeper than its head.
        """
        outline = self.outline(line)
        functions, found = outline.functions, self.holder(outline, line)
        if self.file.language != "python" or self.kind(line) != "comment":
            return found
        above = line
        while above > 1 and self.kind(above) in ("comment", "blank"):
            above -= 1
        depth = indent.depth(self.file.line(line))
        inner = [f for f in functions if f.kind == "function" and f.holds(above)]
        inner = [f for f in inner if indent.depth(self.file.line(f.first)) < depth]
        return max(inner, key=lambda f: f.first, default=found)

    def holder(self, outline: Outline, line: int) -> Function | None:
        """Return the innermost function of an outline that holds a line; the lines are laid out once."""
        if len(outline.functions) < FEW:
            return innermost(outline.functions, line)
        if id(outline) not in self.holders:
            held: dict[int, Function] = {}
            for function in sorted(outline.functions, key=lambda f: (f.first - f.last, f.line)):  # the inner ones last
                if function.kind == "function":
                    held.update(dict.fromkeys(range(function.first, function.last + 1), function))
            self.holders[id(outline)] = held
        return self.holders[id(outline)].get(line)

    def statement_at(self, line: int) -> Statement | None:
        """Return the innermost statement whose own lines hold a line."""
        found, inside = self.outline(line).owner.get(line), self.lexis.inside(line)
        if found is None and inside and not inside.comment:
            return self.outline(inside.start).owner.get(inside.start)
        return found

    def is_executable(self, line: int) -> bool:
        """Tell whether a breakpoint can bind to a line as it stands."""
        return line in self.outline(line).executable

    def executable_lines(self, function: Function | None) -> list[int]:
        """Return the lines that can hold a breakpoint in a function's own body (None: in the module's)."""
        first, last = (function.body, function.last) if function else (1, len(self.file.lines))
        return [n for n in range(first, last + 1) if self.is_executable(n) and self.function_at(n) == function]
