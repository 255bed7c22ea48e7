"""The failures that open the gate, one small file a workspace, shared by servers and by a harness's hooks."""

import contextlib
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from dapwright.policy import gate
from dapwright.policy.settings import Settings


class Gate:
    """What is known of one workspace's failures, and what follows from it."""

    def __init__(self, settings: Settings, folder: str) -> None:
        self._settings = settings
        self.path = state_folder() / f"{hashlib.sha256(os.path.realpath(folder).encode()).hexdigest()[:24]}.json"

    @property
    def holds_sessions(self) -> bool:
        """Whether an evidence tool may leave its session open; under `off` it ends it before it answers."""
        return self._settings.gate != "off"

    def admit(self, hypothesis: str = "") -> None:
        """Let an interactive session begin, or refuse it with what to do first. To be called before any effect.

        Raises:
            NotAllowed: the gate is closed.
        """
        if self._settings.gate == "always":
            return
        if hypothesis.strip():
            self.failed("hypothesis", hypothesis.strip())
        gate.require_open(self._settings, self.read(), now=time.time())

    def failed(self, kind: str, name: str) -> None:
        """Count a failing run: of a `test` (by its id), a `run` (by its program), or a `crash`."""
        self._change(lambda state: gate.failed(state, kind, name, now=time.time()))

    def passed(self, name: str) -> None:
        """Forget the failures of a test or program that is well now."""
        self._change(lambda state: gate.passed(state, name, now=time.time()))

    def read(self) -> gate.State:
        """What is kept; nothing where the file is missing or broken."""
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode(self.path.read_bytes(), type=gate.State)
        return gate.State()

    def _change(self, change: Callable[[gate.State], gate.State]) -> None:
        import tempfile  # late: a server that counts nothing does not pay for it

        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _locked(self.path):
            descriptor, beside = tempfile.mkstemp(dir=self.path.parent)
            with os.fdopen(descriptor, "wb") as file:
                file.write(msgspec.json.encode(change(self.read())))
            Path(beside).replace(self.path)


def state_folder() -> Path:
    """Where the files are."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "dapwright" / "gate"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "dapwright" / "gate"


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a file for a change: a hook and a server may count at once."""
    if sys.platform == "win32":
        yield  # a count may get lost there when two write at once: no more than that
        return
    import fcntl

    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
