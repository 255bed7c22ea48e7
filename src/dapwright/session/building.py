"""The builds that a session needs: run or joined, told while they go on, and kept for the call that comes back."""

import asyncio

from dapwright import bounds
from dapwright.builds import Build
from dapwright.core.errors import BuildPending
from dapwright.core.model import Ran, Run
from dapwright.policy.permit import Request
from dapwright.session.session import Session

PURPOSES = ("build", "compile", "fetch JUnit's launcher")
"""The steps of a plan that may take minutes, and whose outcome does not depend on who asks."""
RUN_SECONDS = 8.0
"""What a call needs at least for the run itself, once its build is done."""
WORTH_SECONDS = 15.0
"""A build as long as this is no step to be made again for nothing."""


async def run(session: Session, wanted: Run) -> Ran:
    """Run a step of a build to its end, or join the one that runs.

    Raises:
        BuildPending: the time of the call that waits is up; the build goes on.
    """
    permit = await session.ask(Request(wanted.argv, wanted.cwd, wanted.env, wanted.purpose))

    def hear(build: Build) -> None:
        session.build = build
        session.building = build.command
        bounds.tell(build.words())
        session.pulse()

    try:
        ran, build, stale = await session.builds.run(permit, wanted=wanted, client=session.client, hear=hear)
    except BuildPending:
        _keep(session)
        raise
    finally:
        session.building, session.build = "", None
    session.built.append(build)
    if stale:
        session.warnings.append(f"`{stale}` changed while it was built: what runs may lack that change")
    return ran


def _keep(session: Session) -> None:
    """Have the steps that were done serve the call that comes back, too."""
    for build in session.built:
        session.builds.keep(build, session.client)


def check(session: Session, left: float) -> None:
    """End a call whose session still builds, or whose build left it no time to run (`left` seconds).

    The session is closed then, and the same call again finds the build.

    Raises:
        BuildPending: with what to do.
    """
    if session.build is not None and session.state == "starting" and left <= 0:
        pending = session.build.pending()
        session.builds.keep(session.build, session.client)
        _keep(session)
        raise pending
    took = sum(build.seconds for build in session.built)
    between = session.state == "starting" and left <= 0 and session.main is None  # one step done, the next not begun
    long = session.state == "created" and left < RUN_SECONDS and took >= WORTH_SECONDS
    if session.built and (between or long):
        _keep(session)
        last = session.built[-1]
        done = BuildPending(
            f"built in {took:.0f} s, which left this call no time to run it; "
            "make the same call again: it uses this build"
        )
        done.facts = {"sessionId": last.id, "build": last.facts()}
        raise done


def given_up(session: Session, broken: BaseException) -> bool:
    """Whether the call that began a launch was cancelled while it still builds: nobody wants that build then."""
    return isinstance(broken, asyncio.CancelledError) and session.state == "starting" and session.build is not None
