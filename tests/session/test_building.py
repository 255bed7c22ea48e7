"""What a session does with its builds: the steps that were done are kept with the one that goes on."""

import asyncio
import sys

import pytest
from waits import until, within

from dapwright import bounds
from dapwright.core.errors import BuildPending
from dapwright.core.model import Run
from dapwright.policy.settings import Settings
from dapwright.session import building, launching, telling
from dapwright.sessions import Sessions

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the builds are shell scripts")


@pytest.fixture
async def sessions():
    made = Sessions(Settings())
    yield made
    await made.close()


@pytest.fixture
def steps(tmp_path):
    """A quick step that counts itself, and one that waits for the file `gate`."""
    quick = Run(("sh", "-c", "echo once >> count.txt"), str(tmp_path))
    slow = Run(("sh", "-c", "echo linking; until [ -e gate ]; do sleep 0.02; done"), str(tmp_path), purpose="compile")
    return quick, slow


async def call(sessions, steps, seconds):
    """One call that runs the steps in a session of its own, which is gone afterwards; the session."""
    bounds.SERVED.set(bounds.Served(asyncio.get_running_loop().time() + seconds, lambda said: None))
    session = sessions.create("mock", client="a", warm=False)
    try:
        for step in steps:
            assert (await building.run(session, step)).code == 0
        building.check(session, bounds.left(44))
    finally:
        await sessions.close(session)
    return session


async def test_a_pending_call_keeps_the_steps_that_were_done(sessions, steps, tmp_path):
    with pytest.raises(BuildPending, match="still building"):
        await asyncio.create_task(call(sessions, steps, 0.4))
    (tmp_path / "gate").touch()
    await within(asyncio.create_task(call(sessions, steps, 20)))
    assert (tmp_path / "count.txt").read_text() == "once\n"
    assert not list(sessions.builds), "each was served once"
    await within(asyncio.create_task(call(sessions, steps, 20)))
    assert (tmp_path / "count.txt").read_text() == "once\nonce\n"


async def test_a_long_build_that_leaves_no_time_to_run_is_used_by_the_next_call(sessions, steps, tmp_path, monkeypatch):
    monkeypatch.setattr(building, "WORTH_SECONDS", 0.0)
    with pytest.raises(BuildPending, match="left this call no time to run it") as left:
        await asyncio.create_task(call(sessions, steps[:1], building.RUN_SECONDS - 1))
    assert str(left.value.facts["sessionId"]).startswith("build")
    await within(asyncio.create_task(call(sessions, steps[:1], 20)))
    assert (tmp_path / "count.txt").read_text() == "once\n"


async def test_a_short_build_is_no_reason_to_ask_for_another_call(sessions, steps):
    await within(asyncio.create_task(call(sessions, steps[:1], building.RUN_SECONDS - 1)))


async def test_a_session_that_builds_says_how_far_it_is(sessions, steps):
    session = sessions.create("mock", client="a", warm=False)
    session.happened("begun")
    task = session.tasks.start(launching.run(session, steps[1]), "build")
    await until(lambda: session.build is not None and session.build.last == "linking")
    said = telling.waiting(session)
    assert "still building" in said and "last line `linking`" in said and "close_debug_session" in said
    build = session.build
    await sessions.close(session)
    assert task.cancelled() and build.over and session.build is None


async def test_a_build_outlives_a_session_of_which_it_is_kept(sessions, steps, tmp_path):
    session = sessions.create("mock", client="a", warm=False)
    session.happened("begun")
    session.tasks.start(launching.run(session, steps[1]), "build")
    build = await until(lambda: session.build)
    with pytest.raises(BuildPending):
        building.check(session, 0)
    await sessions.close(session)
    assert not build.over and [one.id for one in sessions.builds] == [build.id]
    (tmp_path / "gate").touch()
    await until(lambda: build.over)
    assert (await build.task).code == 0


async def test_a_client_that_does_not_come_back_keeps_no_build(sessions, steps):
    with pytest.raises(BuildPending):
        await asyncio.create_task(call(sessions, steps, 0.4))
    (build,) = [one for one in sessions.builds if not one.over]
    sessions.leave("b", seconds=0)
    await asyncio.sleep(0)
    assert not build.over, "another has gone"
    sessions.leave("a", seconds=0)
    await until(lambda: not list(sessions.builds) and build.over)
    assert build.task.cancelled()
