"""Toolchains that are lacking: which commands bring them, asked for and run within bounded time.

Whoever runs them has asked before (`dapwright setup`, or a tool that met the lack): each is judged
by the rules for processes like any other, and an `allow` of theirs spares nobody the question.
"""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count

from dapwright import guard, transport
from dapwright.approvals import Approvals
from dapwright.core import parts
from dapwright.core.adapter import Adapter
from dapwright.core.errors import SetupError
from dapwright.core.model import Host, Ran, Run
from dapwright.core.parts import Part
from dapwright.policy.permit import Permit, Request

SECONDS = 900.0
"""How long one command may take: a Delve is built from its source, with all that it needs."""
SHOWN = 1500
"""Characters of a failing command's last words that an error quotes."""

_numbers = count(1)

Progress = Callable[[str], Awaitable[None]]


class Toolchains:
    """Installs what languages lack; one server installs a language once at a time."""

    def __init__(self, approvals: Approvals, host: Host) -> None:
        self._approvals = approvals
        self._host = host
        self._running: dict[str, asyncio.Task[None]] = {}

    async def lacking(self, adapter: Adapter) -> tuple[Part, ...]:
        """The parts that a language lacks here, its tools asked where there are some."""
        if adapter.installs is None:
            return ()
        finding = adapter.installs(self._host)
        try:
            wanted = next(finding)
            while True:
                wanted = finding.send(await self._look(wanted))
        except StopIteration as found:
            lacking: tuple[Part, ...] = found.value
            return lacking

    async def _look(self, wanted: Run) -> Ran:
        permit = await self._approvals.ask(Request(wanted.argv, wanted.cwd, wanted.env, wanted.purpose))
        return await ran(permit, wanted.timeout_seconds)

    def requests(self, lacking: tuple[Part, ...]) -> list[Request]:
        """The commands that bring the parts, to be judged and asked for."""
        return [Request(argv, "", {}, "install") for argv in parts.commands(lacking, self._host)]

    def judge(self, requests: list[Request]) -> None:
        """Refuse what a rule denies.

        Raises:
            NotAllowed: with the rule.
        """
        self._approvals.judge(requests)

    async def offer(self, adapter: Adapter, missing: str, progress: Progress, seconds: float) -> None:
        """Offer to install what is missing, and do it where the person accepts; return when it is there.

        Raises:
            NotAllowed: a rule or the person refused.
            SetupError: nobody can be asked, it failed, or it takes longer than `seconds`: then it goes on.
        """
        task = self._running.get(adapter.language)
        if task is None:
            requests = self.requests(await self.lacking(adapter))
            question = f"{adapter.display_name} cannot be debugged here: {missing}. Install what is missing?"
            permits = await self._approvals.confirm(question, requests) if requests else None
            if permits is None:
                raise SetupError(missing, by_hand(adapter, requests))
            task = asyncio.get_running_loop().create_task(self._install(adapter, permits))
            self._running[adapter.language] = task
        await progress(f"installing the toolchain of {adapter.display_name}")
        await asyncio.wait([task], timeout=seconds)
        if not task.done():
            raise SetupError(
                f"the toolchain of {adapter.display_name} is being installed", "it goes on; call again in a minute"
            )
        self._running.pop(adapter.language, None)
        task.result()

    async def _install(self, adapter: Adapter, permits: list[Permit]) -> None:
        for permit in permits:
            done = await ran(permit, SECONDS)
            if done.code != 0:
                words = (done.stderr.strip() or done.stdout.strip())[-SHOWN:]
                raise SetupError(
                    f"`{permit.request.command}` failed with exit code {done.code}: {words}", adapter.setup
                )


def by_hand(adapter: Adapter, requests: list[Request]) -> str:
    """What to do where nobody was asked: our own command, where it has something to run, and what it would run."""
    if not requests:
        return adapter.setup
    commands = ", then ".join(f"`{request.command}`" for request in requests)
    return f"run `dapwright setup {adapter.language}`, which asks first, or {commands}"


async def ran(permit: Permit, seconds: float) -> Ran:
    """Run a permitted command to its end, its input empty.

    Raises:
        SetupError: it cannot be started, or did not end within `seconds`.
    """
    request = permit.request
    process = await transport.spawn(
        request.argv, cwd=request.cwd, env=request.env, permit=permit, mark=f"{guard.OWNER}:setup{next(_numbers)};"
    )
    heard: dict[int, bytearray] = {1: bytearray(), 2: bytearray()}
    for fd, kept in heard.items():
        process.listen(fd, kept.extend)
    process.close_input()
    try:
        code = await asyncio.wait_for(asyncio.shield(process.ended), seconds)
    except TimeoutError:
        raise SetupError(f"`{request.command}` did not end within {seconds:g} s", "run it by hand once") from None
    finally:
        await process.kill() if process.running else process.close()
    return Ran(code, heard[1].decode(errors="replace"), heard[2].decode(errors="replace"))
