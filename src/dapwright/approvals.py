"""What may be started, judged and asked for: the one place that turns a rule's `ask` into a question to the person.

All asking comes before all effects: a launch is judged as a whole, its adapter and its
program in one question, before anything of it is started.
"""

import shlex
import time
from collections.abc import Awaitable, Callable, Sequence
from contextvars import ContextVar
from typing import Any

from dapwright import trust
from dapwright.core import redact
from dapwright.core.errors import NotAllowed
from dapwright.patience import KEPT_SECONDS, Patience
from dapwright.policy import approval
from dapwright.policy.permit import Permit, Request, grant
from dapwright.policy.settings import Rule, Settings

AskPerson = Callable[[str, Any], Awaitable[Any]]
ASKER: ContextVar[AskPerson | None] = ContextVar("asker", default=None)
"""How the call that is served now asks its person; nobody is asked outside of a call."""
EFFECT = "change of the program"
FORM = {
    "type": "object",
    "properties": {"approve": {"type": "boolean", "title": "Allow it?"}},
    "required": ["approve"],
}


class Approvals:
    """Judges requests by the person's rules and the workspace's."""

    def __init__(self, settings: Settings, folder: str) -> None:
        self._settings = settings
        self._folder = folder
        self._approved: dict[str, float] = {}
        """Until when an approval is kept (monotonic seconds), by the request's key."""
        self._patience = Patience()

    @property
    def any(self) -> bool:
        """Whether there is any rule at all."""
        return bool(self._settings.approve or self._workspace()[0])

    def _workspace(self) -> tuple[tuple[Rule, ...], bool]:
        text = trust.read(self._folder)
        rules = approval.read_rules(text) if text else ()
        trusted = bool(rules) and (self._settings.trust == "workspace" or trust.is_trusted(self._folder, text))
        return rules, trusted

    async def ask(self, request: Request, *, unmatched: str = "allow") -> Permit:
        """Permit one process, asking the person where a rule says so; `unmatched` is the verdict where none speaks.

        Raises:
            NotAllowed: a rule or the person refuses it, or nobody can be asked.
        """
        await self.ask_all([request], unmatched=unmatched)
        return grant(request)

    async def ask_all(
        self, requests: Sequence[Request], *, unmatched: str = "allow", besides: Sequence[Request] = ()
    ) -> None:
        """Have several requests judged, with one question for all that need one; `besides` are allowed unmatched.

        Raises:
            NotAllowed: one is refused.
        """
        wanted = [*((one, unmatched) for one in requests), *((one, "allow") for one in besides)]
        open_ones: list[Request] = []
        for (request, free), rule in zip(wanted, self.judge([one for one, _ in wanted]), strict=True):
            verdict = free if rule is approval.FREE else rule.verdict
            if verdict == "ask" and not self._is_approved(request) and request not in open_ones:
                open_ones.append(request)
        if open_ones and not await self._agreed(question(open_ones), open_ones):
            raise NotAllowed(
                f"`{shown(open_ones[0])}` needs the person's approval, and this client cannot ask",
                f"the person can add the rule `allow: {open_ones[0].command}` to `DAPWRIGHT_APPROVE`",
            )

    async def confirm(self, why: str, requests: Sequence[Request]) -> list[Permit] | None:
        """Permits for what the person must agree to, whatever rule allows it; None where nobody can be asked.

        Raises:
            NotAllowed: a rule or the person refuses it.
        """
        self.judge(requests)
        agreed = await self._agreed(f"{why}\n{question(requests)}", requests)
        return [grant(request) for request in requests] if agreed else None

    def judge(self, requests: Sequence[Request]) -> list[Rule]:
        """The rule for each.

        Raises:
            NotAllowed: one of them is denied.
        """
        rules, trusted = self._workspace()
        judged = [approval.judge(one, self._settings.approve, rules, trusted=trusted) for one in requests]
        for request, rule in zip(requests, judged, strict=True):
            if rule.verdict == "deny":
                raise NotAllowed(
                    f"`{shown(request)}` is denied by the rule `deny: {rule.pattern}`",
                    "do not look for a way around it; ask the person who runs the server",
                )
        return judged

    async def effects(self, changes: Sequence[Sequence[str]]) -> None:
        """Have code that is to run in the program judged as commands: `evaluate EXPRESSION`, `assign NAME = VALUE`.

        Raises:
            NotAllowed: one is refused.
        """
        if changes and self.any:
            await self.ask_all([Request(tuple(words), "", {}, EFFECT) for words in changes])

    def _is_approved(self, request: Request) -> bool:
        return self._approved.get(request.key, 0.0) > time.monotonic()

    async def _agreed(self, message: str, requests: Sequence[Request]) -> bool:
        """Ask the person; False where nobody can be asked, an error where the answer is no."""
        asker = ASKER.get()

        async def put() -> Any:
            return await asker(message, FORM) if asker is not None else None

        reply = await self._patience.answer(message, put)
        if reply is None or reply.action == "unavailable":
            return False
        if reply.action != "accept" or reply.content.get("approve") is not True:
            said = "declined" if reply.action in ("accept", "decline") else "did not approve"
            raise NotAllowed(f"the person {said}: `{shown(requests[0])}`", "do not try again; ask what to do")
        until = time.monotonic() + KEPT_SECONDS
        self._approved = {key: end for key, end in self._approved.items() if end > time.monotonic()}
        self._approved |= {request.key: until for request in requests}
        return True


def question(requests: Sequence[Request]) -> str:
    """What a person is shown: each command as it will run, its folder and what is set in its environment."""
    lines = ["An agent wants to start:"]
    for request in requests:
        lines.append(f"- {request.purpose}: {shown(request)}")
        if request.cwd:
            lines.append(f"  in {request.cwd}")
        for name, value in sorted(request.env.items()):
            told = "(unset)" if value is None else redact.value(name, value)
            lines.append(f"  with {name}={told}")
    return "\n".join([*lines, "request " + "-".join(request.key[:8] for request in requests)])


def shown(request: Request) -> str:
    """A command line as a shell would take it, without secrets."""
    return redact.text(shlex.join(request.template or request.argv))
