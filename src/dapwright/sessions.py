"""All sessions of this server: names, limits, and who may use which."""

import asyncio
import json
import os
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextvars import copy_context
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar

from dapwright import adapters, bounds, described, environment, files, guard, host, trust
from dapwright.approvals import ASKER, Approvals
from dapwright.builds import Builds
from dapwright.core import state
from dapwright.core.errors import DapwrightError, NoSuchSession, UsageError, WrongState
from dapwright.core.model import Attach, Launch
from dapwright.failures import Gate
from dapwright.leases import Leases
from dapwright.policy.settings import Settings
from dapwright.session import Session, children, ending, judging, launching, requests, trail
from dapwright.toolchains import Toolchains
from dapwright.watchers import Change, Watcher, Watchers

T = TypeVar("T")
MAX_SESSIONS = 100
GOODBYE_SECONDS = 30.0
"""How long they wait for one that said goodbye: some do so to reconnect, and name their session again."""
ENDED_KEPT = 50
"""How many ended sessions stay readable, so that a long-lived server does not grow."""

NAMELESS = "stateless"
"""The client of all calls over stateless HTTP: it has no session of its own, each call names one."""


def now() -> float:
    """Milliseconds since the epoch."""
    return time.time() * 1000


class Sessions:
    """Makes, finds and ends sessions. One a server."""

    def __init__(self, settings: Settings, *, tag: str = "", workspace: str = "") -> None:
        self.settings = settings
        self.workspace = workspace or os.getcwd()
        self.approvals = Approvals(settings, self.workspace)
        self.gate = Gate(settings, self.workspace)
        self.toolchains = Toolchains(self.approvals, host.machine())
        self.builds = Builds()
        files.confine(settings.roots)
        environment.clean(settings.clean_env)
        self.host = host.machine()
        self.tag = tag
        personal = described.personal_folder(os.environ)
        adapters.bring(described.Brought(Path(self.workspace), personal, trusted=self._trusts))
        self._numbers = count(1)
        self._all: dict[str, Session] = {}
        self._watchers = Watchers()
        self._warming: dict[str, asyncio.Task[bool]] = {}
        self._leases = Leases(self._expire)
        self.mirrors = self._watchers.mirrors

    def _trusts(self) -> bool:
        text = trust.read(self.workspace)
        return self.settings.trust == "workspace" or (bool(text) and trust.is_trusted(self.workspace, text))

    def watch(self, watcher: Watcher) -> Callable[[], None]:
        """Have every change told, until the function that is returned is called."""
        return self._watchers.add(watcher)

    def _changed(self, session: Session, what: Change | Literal["state"]) -> None:
        self._watchers.tell(session.id, what, known=session.id in self._all)

    def titles(self) -> Mapping[str, str]:
        """The sessions that can be read, by id."""
        return {session.id: f"{session.name} ({session.state})" for session in self}

    def output_text(self, session_id: str) -> str:
        """All that is kept of what a session's program printed."""
        return self._named(session_id).transcript.text()

    def audit_text(self, session_id: str) -> str:
        """Every call that named the session, and every stop, as JSON lines."""
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in self._named(session_id).audit)

    def _named(self, session_id: str) -> Session:
        if session_id not in self._all:
            raise NoSuchSession(f"there is no session `{session_id}`", "see list_debug_sessions")
        return self._all[session_id]

    def __iter__(self) -> Iterator[Session]:
        return iter(list(self._all.values()))

    def create(self, language: str, *, client: str, name: str = "", executable: str = "", warm: bool = True) -> Session:
        """Make a session; its adapter starts beside, so that the launch finds it warm.

        Raises:
            UsageError: no such language, or too many sessions.
            SetupError: this machine lacks the language's toolchain.
        """
        adapter = adapters.find(language)
        if self.settings.languages and adapter.language not in self.settings.languages:
            raise UsageError(f"`{language}` is switched off here", "languages: " + ", ".join(self.settings.languages))
        if sum(session.live for session in self) >= MAX_SESSIONS:
            raise UsageError(f"{MAX_SESSIONS} sessions are open", "close one with close_debug_session")
        self._check_executable(executable)
        number = next(self._numbers)
        session = Session(
            f"{self.tag}s{number}",
            name=name or f"{adapter.language} {number}",
            adapter=adapter,
            host=self.host,
            client=client,
            clock=now,
        )
        session.executable = os.path.expanduser(executable)
        session.addressing = self.settings.addressing
        session.explicit = self.settings.variables == "explicit"
        session.mark = f"{guard.OWNER}:{session.id};"  # closed, so that the mark of s1 does not begin that of s10
        session.abandon = ending.abandon
        session.ask, session.judge, session.finish = self.approvals.ask, judging.judge, ending.finish
        session.effects, session.builds = self.approvals.effects, self.builds
        session.request = children.requested
        session.on_change = self._changed
        self._all[session.id] = session
        self._forget_old()
        if warm:
            self._warming[session.id] = self._beside(session, self._warm(session), "warm")
        self._changed(session, "sessions")
        return session

    def _check_executable(self, executable: str) -> None:
        path = os.path.expanduser(executable)
        if path and not (os.path.exists(path) if os.path.dirname(path) else self.host.which(path)):
            raise UsageError(f"there is no `{executable}`", "pass the path of an existing one as `executablePath`")

    async def _warm(self, session: Session) -> bool:
        """Whether all is well; else the launch under way has to clear up, which knows what it has started itself."""
        try:
            await launching.warm(session)
        except DapwrightError:
            if session.state != "created":
                return False
            await ending.abandon(session)  # the launch will meet the same failure, and tell it
        return True

    async def begin(self, session: Session, what: Launch | Attach) -> None:
        """Start a launch or an attachment; it goes on beside whoever waits for it."""
        if session.state not in ("created", "stopped", "error"):
            again = "call restart_debugging to run it again"
            raise WrongState(f"session {session.id} is {session.state} already", again)
        trail.touch(session)
        await self._approve(session, what)
        if isinstance(what, Launch):
            session.launch, session.attachment = what, None
        else:
            session.launch, session.attachment = None, what
        session.launched_at = time.time() if isinstance(what, Launch) else 0.0
        session.happened("begun")
        self._beside(session, self._begin(session, what), "begin")

    def _beside(self, session: Session, work: Coroutine[Any, Any, T], name: str) -> asyncio.Task[T]:
        """Start a task beside the call: it asks nobody, so a warm start is left where the policy would ask."""
        context = copy_context()
        context.run(ASKER.set, None)
        context.run(bounds.SERVED.set, None)
        return context.run(session.tasks.start, work, name)

    async def _approve(self, session: Session, what: Launch | Attach) -> None:
        """Have the whole of a launch judged before any of it begins; its plan is kept for the start."""
        if isinstance(what, Attach):
            await self.approvals.ask_all([requests.joining(session.adapter.language, what)])
        if self.approvals.any:
            plan = await launching.make_plan(session, what)
            await self.approvals.ask_all(requests.of_plan(plan, what))
            session.prepared = (what, plan)

    async def _begin(self, session: Session, what: Launch | Attach) -> None:
        try:
            await launching.begin(session, what, self._warming.pop(session.id, None))
        except DapwrightError as failure:
            session.fail(failure)

    def get(self, identity: str | None, *, client: str, ended: bool = False) -> Session:
        """Return the session of that id, or the only live one of this client; with `ended`, else the last one.

        Raises:
            NoSuchSession: no such session, none live, or several.
        """
        found = self._find(identity, client=client, ended=ended)
        self._leases.end(found.id)
        trail.touch(found)
        return found

    def _find(self, identity: str | None, *, client: str, ended: bool) -> Session:
        mine = [s for s in self if s.client == client]
        if identity and self.builds.find(identity, client=client):
            said = "make the call that it is for again to go on waiting; close_debug_session cancels it"
            raise NoSuchSession(f"`{identity}` is a build, no session", said)
        if identity and (said := self._leases.lost(identity)):
            raise NoSuchSession(said, "start it again with start_debugging")
        open_ones = ", ".join(f"{s.id} ({s.state})" for s in mine) or "none"
        if identity:
            found = self._all.get(identity)
            if found is None or found not in mine:
                raise NoSuchSession(f"there is no session `{identity}`", f"sessions: {open_ones}")
            return found
        if client == NAMELESS:
            raise NoSuchSession("over stateless HTTP the session must be named", f"sessions: {open_ones}")
        live = [s for s in mine if s.live and not s.evidence]
        if len(live) == 1:
            return live[0]
        if not live and ended and (over := [s for s in mine if not s.evidence]):
            return over[-1]
        if not live:
            said = "; ".join(filter(None, ["no session is live", self.lost(client)]))
            raise NoSuchSession(said, "make one with start_debugging or create_debug_session")
        names = ", ".join(s.id for s in live)
        raise NoSuchSession(f"{len(live)} sessions are live", f"name one as `sessionId`: {names}")

    def hand_over(self, identity: str, client: str, present: Sequence[str]) -> None:
        """Give a session to the client that names it, unless its own client is still there."""
        found = self._all.get(identity)
        if found is not None and found.client != client and found.client not in present:
            found.client = client

    def folder(self, identity: str | None, *, client: str) -> str:
        """The folder that relative paths are taken against: the session's `cwd`, else the server's."""
        try:
            launch = self.get(identity, client=client, ended=True).launch
        except NoSuchSession:
            if identity:
                raise
            launch = None
        return launch.cwd if launch is not None else os.getcwd()

    def mine(self, client: str) -> list[Session]:
        """The sessions of one client."""
        return [session for session in self if session.client == client]

    async def close(self, session: Session | None = None) -> None:
        """End a session and forget it; without one, end them all: the server goes."""
        if session is None:
            self._leases.end_all()
            await asyncio.gather(*(self.close(one) for one in self), self.builds.close(), return_exceptions=True)
            return
        await ending.close(session)
        self._all.pop(session.id, None)
        self._warming.pop(session.id, None)
        self._changed(session, "sessions")

    def leave(self, client: str, *, seconds: float | None = None, goodbye: bool = False) -> None:
        """A client has gone: its sessions end (launched) or are released (attached), unless it comes back in time."""
        if client == NAMELESS:
            return
        seconds = self.settings.lease if seconds is None else seconds
        why = f"its client had gone for {seconds:g} s"
        if goodbye:
            seconds = min(GOODBYE_SECONDS, seconds)
            why = f"its client had said goodbye, and nobody named it within {seconds:g} s"
        self._leases.begin(client, seconds, why)

    def arrive(self, client: str) -> None:
        """A client is there (again): what it has stays."""
        self._leases.end(client)

    def answered(self, session: Session) -> None:
        """A call that had to do with a session is over: the lease of a nameless one counts from here."""
        if session.client == NAMELESS and session.id in self._all:
            seconds = self.settings.lease
            self._leases.begin(session.id, seconds, f"no call had named it for {seconds:g} s")

    async def _expire(self, holder: str, why: str) -> None:
        await self.builds.release(holder)
        for session in self.mine(holder) or [one for one in self if one.id == holder]:
            if session.live:
                ended = "released" if session.attachment is not None else "ended"
                self._leases.lose(session.id, session.client, f"session `{session.id}` was {ended}: {why}")
            else:
                self._leases.lose(session.id, session.client, f"session `{session.id}` was forgotten: {why}")
            await self.close(session)

    def lost(self, client: str) -> str:
        """What became of the sessions that a client lost by being away, "" where there are none."""
        return self._leases.lost_of(client)

    async def restart(self, session: Session) -> None:
        """Run the last launch again, its breakpoints kept."""
        state.require(session.state, "restart")
        assert session.launch is not None
        launch = session.launch
        await ending.reset(session)
        await self.begin(session, launch)

    def _forget_old(self) -> None:
        over = [session for session in self if not session.live]
        for session in over[:-ENDED_KEPT]:
            del self._all[session.id]
