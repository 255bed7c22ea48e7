"""One breakpoint: what was asked, and what each connection made of it."""

from dataclasses import dataclass, field
from typing import Any, Literal

from dapwright.core.model import Anchor
from dapwright.core.probes import Probe

Kind = Literal["line", "function", "watch"]


@dataclass(slots=True)
class Verdicts:
    """What one connection said of a record."""

    engine_id: int | None = None
    ids: set[int] = field(default_factory=set[int])
    """Every id that the engine gave it: a function in several places has one for each."""
    lines: set[int] = field(default_factory=set[int])
    """Every line that the engine has it on."""
    verified: bool = False
    line: int | None = None
    message: str = ""
    file: str = ""


@dataclass(slots=True, eq=False)
class Record:
    """One breakpoint, as the agent knows it."""

    id: str
    kind: Kind
    file: str = ""
    line: int = 0
    requested_line: int | None = None
    content: str = ""
    anchor: Anchor | None = None
    surroundings: Any = None
    """What stood around the anchor when it was set (core/anchors.py)."""
    function: str = ""
    within: str = ""  # the file that a function's name was narrowed to
    watch: str = ""
    access: str = "write"
    data_id: str = ""
    condition: str = ""
    hit_condition: str = ""
    log_message: str = ""
    suspend_policy: str = ""
    warning: str = ""
    message: str = ""  # why it is not what was hoped: a condition that fails, a stale anchor
    stale: bool = False
    lost: bool = False
    """Its function was found nowhere in the sources: some engines call any name verified."""
    armed: bool = True
    hidden: str = ""
    """Ours, not the agent's: `until`, `entry`..."""
    probe: Probe | None = None
    """What to capture and change there (`investigate`)."""
    column: int | None = None
    hits: int = 0
    """Times it stopped or logged since the launch."""
    reached: int = 0  # times the engine stopped on it, where we count hit conditions ourselves
    places: tuple[tuple[str, int], ...] = ()
    """Where a function that we resolve ourselves was found: (file, line)."""
    spans: dict[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    """Places whose statement may begin to run further down, with its last line, until a stop has shown where."""
    counted: dict[int, int] = field(default_factory=dict[int, int])
    """Times it logged, by process, where code of ours inside the program counts."""
    said: dict[int, Verdicts] = field(default_factory=dict[int, Verdicts])

    @property
    def verified(self) -> bool:
        """An engine bound it, or a hit has proved that it is bound."""
        return self.hits > 0 or (not self.lost and any(verdict.verified for verdict in self.said.values()))

    @property
    def logs(self) -> bool:
        """It is a logpoint."""
        return bool(self.log_message)

    def wanted(self) -> list[tuple[str, int]]:
        """Every (file, line) that this record stands at."""
        if not self.armed:
            return []
        return list(self.places) if self.places else [(self.file, self.line)] if self.kind == "line" else []

    def lines(self) -> list[tuple[str, int]]:
        """Every (file, line) that this record needs a line breakpoint at."""
        return [(file, n) for file, line in self.wanted() for n in range(line, self.spans.get((file, line), line) + 1)]

    def put(self, file: str, line: int, to: int) -> None:
        """Move one of its places within its file."""
        self.places = tuple((where, to if (where, at) == (file, line) else at) for where, at in self.places)
        if (self.file, self.line) == (file, line):
            self.line = to
        self.spans.pop((file, line), None)

    @property
    def decides(self) -> bool:
        """More than a plain stop is wanted: something has to be judged or told in the program."""
        return bool(self.condition or self.hit_condition or self.log_message or self.probe or self.enters)

    @property
    def enters(self) -> bool:
        """It stands for a call: the first line of a body may be a loop's, which comes round again."""
        return self.kind == "function" and bool(self.places)
