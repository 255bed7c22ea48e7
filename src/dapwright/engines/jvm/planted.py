"""A breakpoint as it was wanted, and what it became."""

from msgspec import Struct, field

from dapwright.engines.jvm.codes import Policy
from dapwright.engines.jvm.hits import HitCondition
from dapwright.engines.jvm.places import Address, FunctionName, Spot

Body = dict[str, object]


class Breakpoint(Struct, eq=False):
    """A line or a function to stop at, and what it became."""

    id: int
    address: Address | None = None
    line: int = 0
    function: FunctionName | None = None
    condition: str = ""
    hit_words: str = ""
    counts: HitCondition | None = None
    log: str = ""
    policy: Policy = Policy.ALL
    entry: bool = False
    """Our own, at the start of `main`: told as `entry`, and only once."""
    refusal: str = ""
    hits: int = 0
    spots: dict[int, Spot] = field(default_factory=dict[int, Spot])
    """Planted spots, by the number of their request."""
    seen: str = ""
    """The last class that it looked at in vain."""
    failure: str = ""
    """Why its condition failed the last time."""

    @property
    def key(self) -> tuple[object, ...]:
        return (self.line, self.function, self.condition, self.hit_words, self.log, self.policy, self.refusal)

    @property
    def bound_line(self) -> int:
        return next((spot.line for spot in self.spots.values()), self.line)

    def patterns(self) -> list[str]:
        if self.refusal:
            return []
        if self.address:
            return self.address.patterns_for(self.line)
        return self.function.patterns if self.function else []

    def body(self) -> Body:
        """The breakpoint as the protocol tells it."""
        told: Body = {"id": self.id, "verified": bool(self.spots)}
        if self.address:
            told["line"] = self.bound_line
            told["source"] = {"path": self.address.path}
        message = self.refusal or self.failure or ("" if self.spots else self._why_not())
        return told | ({"message": message} if message else {})

    def _why_not(self) -> str:
        if self.seen and self.address:
            return f"no code at line {self.line} of `{self.seen}`"
        return "no class that is loaded has it yet"
