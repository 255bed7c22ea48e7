"""The calls that are open, each answered exactly once: by the loop, or by a thread should the loop be stuck."""

import faulthandler
import sys
import threading
import time
from collections.abc import Callable

from dapwright.server.protocol import Id, Request

LAST_SECONDS = 55.0
"""After this a call is answered without the loop; the tool's own ceiling is 50 s."""

Key = tuple[type, Id]


class Watchdog:
    """Holds each open call's last deadline. Thread-safe; `expired` runs in the watchdog's thread."""

    def __init__(self, expired: Callable[[Request], None], *, seconds: float = LAST_SECONDS) -> None:
        self._expired = expired
        self._seconds = seconds
        self._open: dict[Key, tuple[Request, float]] = {}
        self._changed = threading.Condition()
        self._started = False

    def open(self, request: Request, *, endless: bool = False) -> bool:
        """Note a request; False where its id is in use. `endless` ones (streams) have no deadline."""
        deadline = float("inf") if endless else time.monotonic() + self._seconds
        with self._changed:
            if key_of(request.id) in self._open:
                return False
            self._open[key_of(request.id)] = (request, deadline)
            if not self._started:
                self._started = True
                threading.Thread(target=self._watch, name="watchdog", daemon=True).start()
            return True

    def close(self, request: Request) -> bool:
        """Take a request out, to answer it; False where it has been answered, or cancelled, already."""
        with self._changed:
            held = self._open.get(key_of(request.id))
            if held is None or held[0] is not request:
                return False
            del self._open[key_of(request.id)]
            return True

    def _watch(self) -> None:
        # New deadlines are never earlier than those that are held, so nobody has to wake this thread.
        while True:
            with self._changed:
                now = time.monotonic()
                late = [request for request, deadline in self._open.values() if deadline <= now]
                soonest = min((deadline for _, deadline in self._open.values()), default=now + self._seconds)
                if not late:
                    self._changed.wait(min(max(soonest - now, 0.001), self._seconds))
            for request in late:
                if self.close(request):
                    faulthandler.dump_traceback(file=sys.__stderr__ or sys.stderr)
                    self._expired(request)


def key_of(id: Id | None) -> Key:
    """Ids are told apart by type too: 1 and "1" are two."""
    return type(id), id if id is not None else ""
