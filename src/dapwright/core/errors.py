"""Everything that dapwright refuses or fails with.

    DapwrightError          code, hint
    |-- UsageError          the call is wrong; the agent can mend it
    |   |-- NoSuchSession   no session has that id, or none is live
    |   |-- WrongState      e.g. locals asked of a running program
    |   |-- Busy            another call moves this session
    |   |-- StaleHandle     an id of an earlier stop
    |   |-- AnchorNotFound  no line has the text
    |   |-- AnchorAmbiguous several lines have it
    |   |-- ContentMismatch the line says something else than expected
    |   |-- NotSupported    this language's engine cannot do it
    |   `-- NotAllowed      the policy, or the person asked, said no
    |       `-- ApprovalPending  the person has not answered yet
    |-- SetupError          this machine lacks something; the hint installs it
    |-- BuildError          the program does not compile, in the compiler's words
    |-- BuildPending        its build goes on beyond the call: told as an answer, no failure
    |-- AdapterError        the debugger said no, in its own words
    |-- TimeLimit           an evaluation used up its time limit
    `-- ProtocolError       the debugger broke the protocol, or died

A wait that passes is not here: "still running" is an answer. Anything else that
is raised is our own bug, and is told as internal.
"""

from collections.abc import Mapping
from typing import Any, ClassVar


class DapwrightError(Exception):
    """A failure that an agent is told: what is wrong (`str`), and what to do next (`hint`).

    `by_line`: the hint where breakpoints are addressed by their lines alone.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, hint: str = "", *, by_line: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint
        self.facts: Mapping[str, Any] = {}
        """Fields of the failed answer beside the usual ones, e.g. the frame that it was asked in."""
        self.by_line = hint if by_line is None else by_line


class UsageError(DapwrightError):
    """The call is wrong, and the agent can mend it."""

    code = "usage"


class NoSuchSession(UsageError):
    """No session has that id, or none is live."""

    code = "no-such-session"


class WrongState(UsageError):
    """The session is in a state that forbids the call."""

    code = "wrong-state"


class Busy(UsageError):
    """Another call moves this session."""

    code = "busy"


class StaleHandle(UsageError):
    """An id of an earlier stop, or of another session."""

    code = "stale"


class AnchorNotFound(UsageError):
    """No line has the text."""

    code = "anchor-not-found"


class AnchorAmbiguous(UsageError):
    """Several lines have the text."""

    code = "anchor-ambiguous"


class ContentMismatch(UsageError):
    """The line says something else than expected."""

    code = "content-mismatch"


class NotSupported(UsageError):
    """This language's engine cannot do it."""

    code = "not-supported"


class NotAllowed(UsageError):
    """The policy, or the person asked, said no."""

    code = "not-allowed"


class ApprovalPending(NotAllowed):
    """The person was asked and has not answered yet; nothing was started."""

    code = "approval_pending"


class SetupError(DapwrightError):
    """This machine lacks something; the hint installs it."""

    code = "setup"


class BuildError(DapwrightError):
    """The program does not compile; the message holds the compiler's words."""

    code = "build"


class BuildPending(DapwrightError):
    """The build that a call needs goes on beyond it; the same call again goes on waiting.

    `tools.answers` alone makes it an answer: a time limit that passes is no failure.
    """

    code = "building"


class AdapterError(DapwrightError):
    """The debugger said no, in its own words."""

    code = "adapter"


class TimeLimit(DapwrightError):
    """An evaluation used up its time limit."""

    code = "time-limit"


class ProtocolError(DapwrightError):
    """The debugger broke the protocol, or died."""

    code = "protocol"
