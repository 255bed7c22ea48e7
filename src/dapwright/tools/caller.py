"""Who calls a tool: how to reach its sessions, tell it of progress, and ask the person behind it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from dapwright.core.errors import SetupError
from dapwright.policy.settings import Settings

if TYPE_CHECKING:
    from dapwright.core.adapter import Adapter
    from dapwright.sessions import Sessions

Action = Literal["accept", "decline", "cancel", "unavailable"]


class Reply(msgspec.Struct, frozen=True):
    """What a person answered; `unavailable` where the client cannot ask anybody."""

    action: Action
    content: Mapping[str, Any] = {}


class InputRequired(BaseException):
    """Ends a call of the stateless era with a question; the client calls again with the answer.

    Not an `Exception`, so that no tool takes it for a failure. All asking comes before all effects,
    hence running the tool again from its start is harmless.
    """

    def __init__(self, key: str, message: str, schema: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.key = key
        self.message = message
        self.schema = schema


INSTALL_SECONDS = 40.0
"""How long a call waits for an installation; a longer one goes on."""

Tell = Callable[[str], None]
Ask = Callable[[str, Mapping[str, Any]], Awaitable[Reply]]


async def _ask_nobody(message: str, schema: Mapping[str, Any]) -> Reply:
    return Reply("unavailable")


class Caller:
    """One call of one tool.

    `client` is the id of the connection that calls; `deadline` is the loop's time (seconds) by which
    the call is cut off; `doing` is what a call that is cut off says it was at.
    """

    def __init__(
        self,
        *,
        sessions: Sessions,
        settings: Settings,
        client: str = "local",
        deadline: float = float("inf"),
        tell: Tell | None = None,
        ask: Ask | None = None,
    ) -> None:
        self.sessions = sessions
        self.settings = settings
        self.client = client
        self.deadline = deadline
        self.doing = ""
        self._tell = tell
        self._ask = ask or _ask_nobody

    async def progress(self, message: str) -> None:
        """Say what is going on; the client is told if it asked to be, and so is a reader of a cut-off call."""
        self.say(message)

    def say(self, message: str) -> None:
        """The same, for what does not wait."""
        self.doing = message
        if self._tell is not None:
            self._tell(message)

    async def need(self, adapter: Adapter, *, attaching: bool = False) -> None:
        """Have a language's toolchain here: where it is missing, the person is asked to have it installed.

        Before any effect of the call, like all asking.

        Raises:
            SetupError: it is missing still; the hint says how it is installed.
        """
        check = adapter.check_attach if attaching else adapter.check
        if missing := check(self.sessions.host):
            await self.sessions.toolchains.offer(adapter, missing, self.progress, INSTALL_SECONDS)
            if still := check(self.sessions.host):
                raise SetupError(f"{still}, though its installation succeeded", adapter.setup)

    async def ask_person(self, message: str, schema: Mapping[str, Any] | None = None) -> Reply:
        """Ask the person behind the client; `schema` describes the fields of a form, none for yes or no.

        Ask before any effect: in the stateless era the tool is run again with the answer.
        """
        return await self._ask(message, schema or {"type": "object", "properties": {}})
