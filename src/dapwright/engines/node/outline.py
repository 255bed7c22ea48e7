"""What a source holds: its functions by name, and what its `try` blocks cover. Pure.

V8 gives neither: it knows a function only once it runs, and predicts "caught" for whatever a
promise or a test runner will see. Offsets are turned into 0-based lines and columns.
"""

from bisect import bisect_right
from dataclasses import dataclass, field

from dapwright.engines.node.tokens import Token, tokens

_CONTROL = {"if", "for", "while", "switch", "catch", "with", "return", "function", "await", "super"}


@dataclass(slots=True)
class Function:
    """A function: its name with what holds it (`Ledger.add`, `outer.inner`), and its body's first place."""

    name: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Span:
    """What a `try` with a `catch` covers: (line, column), 0-based, the end excluded."""

    start: tuple[int, int]
    end: tuple[int, int]


@dataclass(slots=True)
class Outline:
    """The functions and the guarded spans of a source."""

    functions: list[Function] = field(default_factory=list)
    guarded: list[Span] = field(default_factory=list)

    def named(self, name: str) -> list[Function]:
        """Return the functions that `name` means: by their whole name, or the end of it (`add`, `Ledger.add`)."""
        return [f for f in self.functions if f.name == name or f.name.endswith("." + name)]

    def catches(self, place: tuple[int, int], begin: tuple[int, int]) -> bool:
        """Return whether a `try` inside the function that begins at `begin` guards `place`."""
        return any(span.start <= place < span.end and span.start >= begin for span in self.guarded)


@dataclass(slots=True)
class _Open:
    """A brace that is open: what it belongs to."""

    kind: str
    """`class`, `function`, `try`, `block`."""
    name: str = ""
    at: int = 0
    body: Function | None = None
    """The function whose body it is, as long as nothing in it can have run: functions declared at its head do not."""
    declares: bool = False


def outline(source: str) -> Outline:
    """Read a source; what it cannot make out is left out."""
    reader = _Reader(source)
    for token in tokens(source):
        reader.take(token)
    reader.settle()
    return reader.result


class _Reader:
    def __init__(self, source: str) -> None:
        self.result = Outline()
        self._lines = [0, *(i + 1 for i, c in enumerate(source) if c == "\n")]
        self._recent: list[Token] = []
        self._open: list[_Open] = []
        self._parens: list[int] = []
        self._group = (-1, -1)
        self._tried: _Open | None = None
        self._arrow = ""
        self._last_close = 0

    def place(self, at: int) -> tuple[int, int]:
        line = bisect_right(self._lines, at) - 1
        return line, at - self._lines[line]

    def take(self, token: Token) -> None:
        before = self._recent[-1] if self._recent else Token("sign", ";", 0)
        if self._tried and token.text != "}":
            self._after_try(token)
        if self._open and self._open[-1].body is not None:
            self._begin(self._open[-1], token)
        if self._arrow and before.text == "=>" and token.text != "{":
            self._define(self._arrow, token.at)
        if before.text == "=>":
            self._arrow = "" if token.text != "{" else self._arrow
        match token.text if token.kind == "sign" else "":
            case "(":
                self._parens.append(len(self._recent))
            case ")":
                self._group = (self._parens.pop() if self._parens else 0, len(self._recent))
            case "=>":
                self._arrow = self._assigned(self._head())
            case "{":
                self._brace(token, before)
            case "}":
                self._close(token)
        self._recent.append(token)

    def _begin(self, opened: _Open, token: Token) -> None:
        """V8 takes a place before a declared function for the first one inside of it: the body begins behind it."""
        if token.text == "function" or opened.declares:
            opened.declares = True
        elif token.text not in ("async", "}"):
            opened.body = None

    def settle(self) -> None:
        """The end of the source: a `try` that waits for its `catch` had none."""
        self._tried = None

    def _after_try(self, token: Token) -> None:
        assert self._tried
        if token.text == "catch":
            self.result.guarded.append(Span(self.place(self._tried.at), self.place(self._last_close)))
        self._tried = None

    def _head(self) -> int:
        """Where the parameters before here begin: the index of their `(`, or of the lone name."""
        start, end = self._group
        typed = self._is_return_type(self._recent[end + 1 :]) if end >= 0 else False
        return start if typed or end == len(self._recent) - 1 else len(self._recent) - 1

    def _brace(self, token: Token, before: Token) -> None:
        opened = _Open("block", at=token.at)
        if before.text == "=>":
            opened = _Open("function", self._arrow, token.at)
            self._arrow = ""
        elif before.text == "try":
            opened = _Open("try", at=token.at)
        elif name := self._class_name():
            opened = _Open("class", name, token.at)
        elif self._after_parameters(before):
            called = self._function_name(self._group[0])
            opened = _Open("function", called, token.at) if called is not None else opened
        elif self._object_name():
            opened = _Open("object", self._object_name(), token.at)
        self._open.append(opened)
        if opened.kind == "function" and opened.name:
            self._define(opened.name, token.at + 1, inside=True)
            opened.body = self.result.functions[-1]

    def _after_parameters(self, before: Token) -> bool:
        """A `{` after `)`, or after a TypeScript return type that follows one (`): number {`)."""
        _, end = self._group
        if end < 0:
            return False
        return before.text == ")" or self._is_return_type(self._recent[end + 1 :])

    def _is_return_type(self, between: list[Token]) -> bool:
        return 0 < len(between) < 20 and between[0].text == ":" and not any(t.text in ";{}=" for t in between)

    def _function_name(self, opening: int) -> str | None:
        """The name of the function whose parameters open at `opening`; None where it is no function."""
        if opening < 1:
            return None
        word = self._recent[opening - 1]
        if word.text == "function" or (word.text == "*" and self._word(opening - 2) == "function"):
            return self._assigned(opening - (1 if word.text == "function" else 2))
        if word.kind == "text" and word.text[:1] in "'\"":
            return word.text[1:-1]
        if word.kind != "word" or word.text in _CONTROL:
            return None
        before = self._word(opening - 2)
        if before == "function" or (before == "*" and self._word(opening - 3) == "function"):
            return word.text
        if before in (".", "new", "?."):
            return None
        holder = self._open[-1].kind if self._open else ""
        return word.text if holder in ("class", "object") or before in (",", "{", "get", "set", "async") else None

    def _assigned(self, at: int) -> str:
        """The name that a function expression which begins at `at` is given: `x = `, `x: `, `a.x = `."""
        at -= 1
        while self._word(at) in ("async", "function"):
            at -= 1
        sign, name = self._word(at), self._word(at - 1)
        if sign not in ("=", ":") or at < 1:
            return ""
        target = self._recent[at - 1]
        if target.kind == "word" and self._word(at - 2) != "=>":
            holder = self._word(at - 3) if self._word(at - 2) == "." else ""
            return f"{holder}.{name}" if holder and holder not in ("this", "exports") else name
        return self._typed_name(at - 1)

    def _typed_name(self, at: int) -> str:
        """`const area: (s: Shape) => number = ...`: the word before the last `:` of the declaration."""
        for back in range(at, max(at - 20, 1), -1):
            if self._word(back) == ":" and self._word(back - 2) in ("const", "let", "var"):
                return self._word(back - 1)
        return ""

    def _class_name(self) -> str:
        for back in range(1, 12):
            if self._word(-back) in ("{", "}", ";", ")", ""):
                return ""
            if self._word(-back) == "class":
                name = self._word(len(self._recent) - back + 1)
                return name if name not in ("", "extends") else self._assigned(len(self._recent) - back)
        return ""

    def _object_name(self) -> str:
        sign = self._word(-1)
        return (
            self._assigned(len(self._recent)) if sign in ("=", ":") else "(object)" if sign in ("(", ",", "[") else ""
        )

    def _word(self, at: int) -> str:
        at = at if at >= 0 else at + len(self._recent)
        return self._recent[at].text if 0 <= at < len(self._recent) else ""

    def _define(self, name: str, at: int, *, inside: bool = False) -> None:
        holders = self._open[:-1] if inside else self._open
        path = [o.name for o in holders if o.kind in ("class", "function", "object") and o.name and o.name[0] != "("]
        line, column = self.place(at)
        self.result.functions.append(Function(".".join([*path, name]), line, column))

    def _close(self, token: Token) -> None:
        opened = self._open.pop() if self._open else _Open("block")
        outer = self._open[-1] if self._open else opened
        if outer.body is not None and outer.declares and opened.kind == "function":
            outer.declares = False
            outer.body.line, outer.body.column = self.place(token.at + 1)
        if opened.kind == "try":
            self._tried, self._last_close = opened, token.at
