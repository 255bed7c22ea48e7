"""What a language can tell of its threads from their stacks alone: waits, and locks that are held."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from dapwright.core.model import Frame


class Wait(Struct, frozen=True):
    """What one thread waits for."""

    kind: str
    frame: Frame
    """Where `identity` and `detail` are evaluated."""
    identity: str = ""
    """An expression that names what is waited for: its address."""
    detail: str = ""


class Held(Struct, frozen=True):
    """A lock that a function took, by its source."""

    name: str
    address: str
    """An expression for the address of the lock; `pointer` where the name is a pointer itself."""
    pointer: str
    line: int


class Stacks(Struct, frozen=True):
    """How a language's stacks are read."""

    wait: Callable[[Sequence[Frame]], Wait | None]
    held: Callable[[Sequence[str], int, int], list[Held]]
    library: Callable[[Frame], bool]
    moves: frozenset[str]
    """Kinds of waits that end without another thread's doing."""
    unit: str = "thread"
    most: int = 0
    """So many threads or more are told by an engine that cut its list; 0: it cuts none."""
    total: str = ""
    """An expression for how many there are then."""
    plain: Callable[[str], str] = lambda name: name
    """A thread's name without its state."""
    ours: Callable[[Sequence[Frame]], bool] = lambda frames: True
    """Whether a stack is the program's, and none of its runtime's own threads."""
