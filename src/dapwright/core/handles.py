"""Our ids for what engines number: frames, threads and variables.

Engines' ids collide between connections and are used again after a step, when they
name another frame's data. Every id shown to an agent is therefore ours: it names a
connection, the stop it belongs to and the engine's id; it is never used twice, and is
refused as stale once its stop is over.
"""

from itertools import count
from typing import Literal

from msgspec import Struct

from dapwright.core.errors import StaleHandle

Kind = Literal["frame", "variables", "thread"]
TELL: dict[Kind, str] = {
    "frame": "call get_stack_trace for the frames of this stop",
    "variables": "call get_scopes or get_local_variables for the variables of this stop",
    "thread": "call list_threads for the threads that live now",
}
FIELD: dict[Kind, str] = {"frame": "frame", "variables": "variablesReference", "thread": "thread"}


class Target(Struct, frozen=True):
    """What a handle stands for."""

    connection: int
    epoch: int
    """The connection's count of resumptions when it was told; -1 for what outlives stops (threads)."""
    engine_id: int
    expression: str = ""
    """What it shows, where the engine told how to evaluate it (paging by slices)."""
    size: int | None = None
    frame: int | None = None
    """Our handle of the frame that it was reached from."""


class Handles:
    """All ids that one session has shown."""

    def __init__(self) -> None:
        self._ids = count(1)
        self._targets: dict[tuple[Kind, int], Target] = {}
        self._known: dict[tuple[Kind, int, int, int], int] = {}

    def show(
        self,
        kind: Kind,
        connection: int,
        epoch: int,
        engine_id: int,
        *,
        expression: str = "",
        size: int | None = None,
        frame: int | None = None,
    ) -> int:
        """Return our id; the same again while the stop lasts."""
        key = (kind, connection, epoch, engine_id)
        if key not in self._known:
            self._known[key] = next(self._ids)
        self._targets[kind, self._known[key]] = Target(connection, epoch, engine_id, expression, size, frame)
        return self._known[key]

    def find(self, kind: Kind, shown: int, epochs: dict[int, int]) -> Target:
        """Return what our id `shown` stands for; `epochs` has each living connection's present count.

        Raises:
            StaleHandle: it is of an earlier stop, or was never shown.
        """
        target = self._targets.get((kind, shown))
        if target is None:
            raise StaleHandle(f"no {FIELD[kind]} has the id {shown} in this session", TELL[kind])
        now = epochs.get(target.connection)
        if now is None or (target.epoch >= 0 and target.epoch != now):
            raise StaleHandle(f"the {FIELD[kind]} {shown} belongs to an earlier stop", TELL[kind])
        return target

    def forget(self, connection: int, epoch: int) -> None:
        """Drop what a stop showed; its ids stay known as stale by their number alone."""
        gone = [key for key in self._known if key[1] == connection and key[2] == epoch]
        for key in gone:
            shown = self._known.pop(key)
            self._targets[key[0], shown] = Target(connection, epoch, key[3])
        if len(self._targets) > 50_000:
            for old in list(self._targets)[:25_000]:
                del self._targets[old]
