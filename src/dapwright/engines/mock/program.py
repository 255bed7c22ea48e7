"""The toy language: one statement a line, blocks closed by `end`.

total = 0                  a variable
to add                     a procedure; variables are shared by name with who calls it
    total = total + 2
end
repeat 3                   a loop
    do add                 a call
    print total is {total}
end
sleep 0.5                  seconds
fail Empty: no orders      an error that nobody catches: exit code 1
exit 3                     the exit code; `forever` never ends
"""

import re
from dataclasses import dataclass, field

from dapwright.engines.mock.expressions import Value, Wrong, evaluate, filled

ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)\s*=(?!=)\s*(.+)\Z")
WORDS = frozenset({"print", "repeat", "end", "to", "do", "sleep", "forever", "fail", "exit"})
BLOCKS = frozenset({"repeat", "to"})
DEEPEST = 1000


@dataclass(frozen=True, slots=True)
class Statement:
    """One line that does something."""

    line: int
    word: str
    rest: str = ""


@dataclass(slots=True)
class Frame:
    """A procedure that runs, or the program itself."""

    name: str
    at: int
    """The index of its next statement."""
    loops: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The statement that begins each open loop, and how often it is still to run."""


@dataclass(frozen=True, slots=True)
class Effect:
    """What a statement did beyond the variables: `print`, `sleep`, `forever`, `fail`, `exit`."""

    kind: str
    text: str = ""
    seconds: float = 0.0
    code: int = 0


class Machine:
    """A program and where it is.

    Raises:
        Wrong: the text is no program; the message names the line.
    """

    def __init__(self, text: str) -> None:
        self.statements = list(_statements(text))
        self.ends = _ends(self.statements)
        self.procedures = {s.rest: at for at, s in enumerate(self.statements) if s.word == "to"}
        self.names: dict[str, Value] = {}
        self.frames = [Frame("main", 0)]
        self._settle()

    @property
    def ended(self) -> bool:
        """Nothing is left to do."""
        return not self.frames

    @property
    def line(self) -> int:
        """The line that runs next; 0 at the end."""
        return self.line_of(self.frames[-1]) if self.frames else 0

    def line_of(self, frame: Frame) -> int:
        """The line where a frame stands."""
        last = self.statements[-1].line if self.statements else 0
        return self.statements[frame.at].line if frame.at < len(self.statements) else last

    def lines(self) -> list[int]:
        """The lines that can hold a breakpoint."""
        return [s.line for s in self.statements if s.word not in ("end", "to")]

    def body(self, name: str) -> int | None:
        """The first line of a procedure."""
        at = self.procedures.get(name)
        return self.statements[at + 1].line if at is not None else None

    def step(self) -> Effect | None:
        """Run the next statement."""
        frame, statement = self.frames[-1], self.statements[self.frames[-1].at]
        frame.at += 1
        try:
            effect = self._do(frame, statement)
        except (Wrong, ValueError) as wrong:
            effect = Effect("fail", str(wrong))
        if effect is not None and effect.kind in ("fail", "forever"):
            frame.at -= 1  # it stands at the statement that failed, or never ends
        else:
            self._settle()
        return effect

    def _do(self, frame: Frame, statement: Statement) -> Effect | None:
        rest = statement.rest
        match statement.word:
            case "=":
                name, _, value = rest.partition("=")
                self.names[name] = evaluate(value, self.names)
            case "print":
                return Effect("print", filled(rest, self.names) + "\n")
            case "repeat":
                times = evaluate(rest, self.names)
                if isinstance(times, int) and times > 0:
                    frame.loops.append((frame.at, times))
                else:
                    frame.at = self.ends[frame.at - 1] + 1
            case "do":
                if rest not in self.procedures:
                    raise Wrong("NameError", f"there is no procedure `{rest}`")
                if len(self.frames) >= DEEPEST:
                    raise Wrong("TooDeep", f"{DEEPEST} calls are open")
                self.frames.append(Frame(rest, self.procedures[rest] + 1))
            case "sleep":
                return Effect("sleep", seconds=float(rest))
            case "exit":
                return Effect("exit", code=int(rest or 0))
            case word:
                return Effect(word, rest)
        return None

    def _settle(self) -> None:
        """Pass what does nothing by itself: ends of loops and procedures, and procedures not called."""
        while self.frames:
            frame = self.frames[-1]
            if frame.at >= len(self.statements):
                self.frames.pop()
                continue
            statement = self.statements[frame.at]
            if statement.word == "to":
                frame.at = self.ends[frame.at] + 1
            elif statement.word == "end" and frame.loops:
                begin, left = frame.loops.pop()
                if left > 1:
                    frame.loops.append((begin, left - 1))
                    frame.at = begin
                else:
                    frame.at += 1
            elif statement.word == "end":
                self.frames.pop()
            else:
                return


def _statements(text: str) -> "list[Statement]":
    found = []
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        word, _, rest = line.partition(" ")
        if not line or line.startswith("#"):
            continue
        if word in WORDS:
            found.append(Statement(number, word, rest.strip()))
        elif assigned := ASSIGNMENT.match(line):
            found.append(Statement(number, "=", f"{assigned[1]}={assigned[2]}"))
        else:
            raise Wrong("SyntaxError", f"line {number}: `{line[:60]}` is no statement")
    return found


def _ends(statements: list[Statement]) -> dict[int, int]:
    ends: dict[int, int] = {}
    open_blocks: list[int] = []
    for at, statement in enumerate(statements):
        if statement.word in BLOCKS:
            open_blocks.append(at)
        elif statement.word == "end":
            if not open_blocks:
                raise Wrong("SyntaxError", f"line {statement.line}: `end` closes nothing")
            ends[open_blocks.pop()] = at
    if open_blocks:
        raise Wrong("SyntaxError", f"line {statements[open_blocks[-1]].line}: the block has no `end`")
    return ends
