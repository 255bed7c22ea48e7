"""The permit that every process of ours needs: a judgement bound to what was judged.

Only this folder mints one (`grant`), and `transport.spawn` takes nothing without: so
no path through the code can start a process that no rule has looked at.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from dapwright.core.errors import NotAllowed

_MINT = object()


@dataclass(frozen=True)
class Request:
    """A process that somebody wants started: what rules judge, and what a person is shown."""

    argv: tuple[str, ...]
    cwd: str
    env: Mapping[str, str | None]
    purpose: str
    """`adapter`, `program`, `build`, `trigger`, ..."""
    template: tuple[str, ...] = ()
    """The command with `{port}` and the like where numbers of ours were filled in."""

    @property
    def command(self) -> str:
        """The command line as a rule's pattern sees it."""
        return " ".join(self.template or self.argv)

    @property
    def key(self) -> str:
        """Names this very command line, folder and environment."""
        told = [self.command, self.cwd, sorted((name, value or "", value is None) for name, value in self.env.items())]
        return hashlib.sha256(repr(told).encode("utf-8", "surrogateescape")).hexdigest()[:16]


class Permit:
    """Leave to start one command in one folder with one environment."""

    def __init__(self, request: Request, mint: object) -> None:
        if mint is not _MINT:
            raise NotAllowed("a permit was made outside of the policy")
        self.request = request

    def covers(self, argv: tuple[str, ...], cwd: str, env: Mapping[str, str | None]) -> bool:
        """Tell whether this is the very command that was judged."""
        return (self.request.argv, self.request.cwd, dict(self.request.env)) == (argv, cwd, dict(env))


def grant(request: Request) -> Permit:
    """Mint the permit for a request that the rules allow, or that a person approved."""
    return Permit(request, _MINT)
