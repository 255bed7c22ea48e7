"""Builds that outlast a call: joined, kept, served once, made again after an edit, ended with all their processes."""

import asyncio
import os
import shlex
import signal
import sys
from pathlib import Path

import pytest
from processes import alive, marked
from waits import until, until_blocking, within

from dapwright import bounds, builds, freshness
from dapwright.builds import Builds, Heard
from dapwright.core.errors import BuildError, BuildPending, SetupError
from dapwright.core.model import Run
from dapwright.policy.permit import Request, grant
from dapwright.transport import marked as carrying

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the builds are shell scripts")


class Bench:
    """A folder with a scripted build, and callers who want it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.builds = Builds()
        self.told: list[str] = []
        self.gate = folder / "gate"
        (folder / "main.c").write_text("int main() { return 0; }\n")

    def script(self, text: str) -> Run:
        """A build that says that it began, waits for its gate, and goes on with `text`."""
        gate = shlex.quote(str(self.gate))
        wait = f"echo begun >> begun.txt; echo compiling; until [ -e {gate} ]; do sleep 0.02; done; "
        return Run(("sh", "-c", wait + text), str(self.folder))

    async def a_tick_later(self) -> None:
        """Wait until a build that begins now is dated later than the source."""
        await until(lambda: freshness.now() > (self.folder / "main.c").stat().st_ctime)

    @property
    def begun(self) -> int:
        """How many builds were begun."""
        log = self.folder / "begun.txt"
        return len(log.read_text().split()) if log.exists() else 0

    async def call(self, wanted: Run, *, client="a", seconds: float | None = None):
        """Want it as one call of a client that has so many seconds."""
        if seconds is not None:
            now = asyncio.get_running_loop().time()
            bounds.SERVED.set(bounds.Served(now + seconds, self.told.append))
        permit = grant(Request(wanted.argv, wanted.cwd, wanted.env, wanted.purpose))
        hear = lambda build: bounds.tell(build.words())  # noqa: E731
        return await self.builds.run(permit, wanted=wanted, client=client, hear=hear)

    def start(self, wanted: Run, **how):
        """The same as a task, with a context of its own."""
        return asyncio.create_task(self.call(wanted, **how))

    async def pend(self, wanted: Run, **how) -> str:
        """A call whose time is up while it builds; what it is told."""
        with pytest.raises(BuildPending) as left:
            await self.start(wanted, **{"seconds": 0.3, **how})
        return str(left.value)


@pytest.fixture
async def bench(tmp_path):
    one = Bench(tmp_path)
    await one.a_tick_later()
    yield one
    await one.builds.close()


async def test_two_callers_share_one_build(bench):
    wanted = bench.script("echo made; exit 3")
    calls = [bench.start(wanted, client=client) for client in "ab"]
    await until(lambda: bench.begun)
    calls.append(bench.start(wanted, client="c"))
    await asyncio.sleep(0)
    bench.gate.touch()
    for ran, _, stale in await within(asyncio.gather(*calls)):
        assert (ran.code, ran.stdout, stale) == (3, "compiling\nmade\n", "")
    assert bench.begun == 1 and not list(bench.builds)


async def test_another_environment_is_another_build(bench):
    wanted = bench.script("echo $LEVEL")
    bench.gate.touch()
    one, other = await within(
        asyncio.gather(*(bench.call(Run(wanted.argv, wanted.cwd, {"LEVEL": level})) for level in "12"))
    )
    assert one[0].stdout.split()[-1] == "1" and other[0].stdout.split()[-1] == "2" and bench.begun == 2


async def test_a_call_whose_time_is_up_says_so_and_the_next_one_joins(bench):
    wanted = bench.script("echo made")
    said = await bench.pend(wanted)
    assert "still building" in said and "0 s so far, last line `compiling`" in said and "same call again" in said
    again = bench.start(wanted, seconds=5)
    await asyncio.sleep(0)
    bench.gate.touch()
    ran, build, _ = await within(again)
    assert ran.code == 0 and bench.begun == 1 and build.id in said


async def test_a_result_that_nobody_waited_for_serves_the_next_call_once(bench):
    wanted = bench.script("echo broken >&2; exit 1")
    await bench.pend(wanted)
    (build,) = bench.builds
    bench.gate.touch()
    await until(lambda: build.over)
    ran, _, _ = await within(bench.start(wanted, seconds=5))
    assert (ran.code, ran.stderr, bench.begun) == (1, "broken\n", 1)
    await within(bench.start(wanted, seconds=5))
    assert bench.begun == 2, "it was served once"


async def test_another_client_is_not_served_what_was_kept(bench):
    wanted = bench.script("true")
    await bench.pend(wanted)
    (build,) = bench.builds
    bench.gate.touch()
    await until(lambda: build.over)
    await within(bench.start(wanted, client="b"))
    assert bench.begun == 2


@pytest.mark.parametrize("when", ["while it ran", "after it ended"])
async def test_a_source_that_changed_meanwhile_is_built_again(bench, when):
    wanted = bench.script("cat main.c")
    await bench.pend(wanted)
    (build,) = bench.builds
    if when == "after it ended":
        bench.gate.touch()
        await until(lambda: build.over)
    (bench.folder / "main.c").write_text("edited\n")
    await bench.a_tick_later()
    call = bench.start(wanted, seconds=5)
    bench.gate.touch()
    ran, _, stale = await within(call)
    assert ran.stdout.endswith("edited\n") and bench.begun == 2 and not stale


async def test_what_a_build_writes_itself_does_not_make_it_endless(bench):
    wanted = bench.script("echo generated > made.c; echo object > made.o")
    await bench.pend(wanted)
    (build,) = bench.builds
    bench.gate.touch()
    await until(lambda: build.over)
    _, _, stale = await within(bench.start(wanted, seconds=5))
    assert bench.begun == 2 and stale.endswith("made.c"), "built again once, then taken, and told"


async def test_progress_is_told_while_it_waits(bench, monkeypatch):
    monkeypatch.setattr(builds, "EVERY_SECONDS", 0.05)
    await bench.pend(bench.script("true"))
    assert len(bench.told) >= 3 and "last line `compiling`" in bench.told[-1]


FAMILY = "sleep 600 & setsid sleep 600 & sh -c 'trap \"\" TERM INT; sleep 600' & wait"
"""Children of every kind: one in a session of its own, one deaf to signals."""


def processes(bench) -> list[int]:
    """What runs with the build's mark."""
    return [pid for build in bench.builds for pid in carrying(build.mark) if alive(pid)]


linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks at the process table of Linux")


@linux
@pytest.mark.parametrize("end", ["cancelled call", "cancelled by id", "client gone", "server end", "nobody came"])
async def test_the_end_of_a_build_is_the_end_of_its_processes(bench, end, monkeypatch):
    bench.gate.touch()
    wanted = bench.script(FAMILY)
    monkeypatch.setattr(builds, "KEPT_SECONDS", 0.3 if end == "nobody came" else 60)
    call = bench.start(wanted, seconds=30 if end == "cancelled call" else 0.4)
    found = await until(lambda: seen if len(seen := processes(bench)) >= 5 else None)
    (build,) = bench.builds
    if end == "cancelled call":
        call.cancel()
    with pytest.raises((BuildPending, asyncio.CancelledError)):
        await call
    if end == "cancelled by id":
        assert await bench.builds.release("a", build.id) is build
    elif end == "client gone":
        await bench.builds.release("a")
    elif end == "server end":
        await bench.builds.close()
    await until(lambda: not any(map(alive, found)))
    assert not list(bench.builds) and not marked(str(bench.gate))


async def test_a_cancelled_call_leaves_a_build_that_another_waits_for(bench):
    wanted = bench.script("echo made")
    leaving, staying = bench.start(wanted, client="a"), bench.start(wanted, client="b")
    await until(lambda: bench.begun)
    leaving.cancel()
    await asyncio.wait([leaving])
    bench.gate.touch()
    assert (await within(staying))[0].code == 0 and bench.begun == 1


async def test_a_cancelled_call_leaves_a_build_that_is_kept_for_another(bench):
    wanted = bench.script("echo made")
    await bench.pend(wanted, client="a")
    other = bench.start(wanted, client="b")
    await asyncio.sleep(0)
    other.cancel()
    await asyncio.wait([other])
    bench.gate.touch()
    assert (await within(bench.start(wanted, client="a")))[0].code == 0 and bench.begun == 1


async def test_whoever_waits_is_told_that_it_was_cancelled(bench):
    call = bench.start(bench.script("true"))
    await until(lambda: bench.begun)
    await bench.builds.close()
    with pytest.raises(BuildError, match="was cancelled"):
        await within(call)


async def test_a_call_cancelled_before_the_process_is_there_leaves_none(bench):
    wanted = bench.script("true")
    call = bench.start(wanted)
    while not list(bench.builds):
        await asyncio.sleep(0)
    (build,) = bench.builds
    call.cancel()
    await asyncio.wait([call])
    await until(lambda: not [pid for pid in carrying(build.mark) if alive(pid)])
    assert not list(bench.builds)


@linux
@pytest.mark.parametrize("steps", [1, 2, 3, 5, 9])
async def test_a_start_cancelled_half_way_leaves_no_children(bench, steps):
    bench.gate.touch()
    call = bench.start(bench.script(FAMILY))
    for _ in range(steps):
        await asyncio.sleep(0)
    if steps > 2:  # the loop has not heard of the start yet, and the children are there
        until_blocking(lambda: len(processes(bench)) >= 5)
    found = processes(bench)
    assert found or steps <= 2
    call.cancel()
    await within(asyncio.wait([call]))
    await until(lambda: not any(map(alive, found)))
    assert not list(bench.builds) and not marked(str(bench.gate))


async def test_a_build_that_is_killed_is_told_with_its_signal(bench):
    call = bench.start(bench.script("true"))
    found = await until(lambda: processes(bench) if bench.begun else None)
    os.killpg(os.getpgid(found[0]), signal.SIGKILL)
    assert (await within(call))[0].code == -signal.SIGKILL


async def test_a_hung_build_ends_at_its_limit(bench, monkeypatch):
    monkeypatch.setattr(builds, "LIMIT_SECONDS", 0.3)
    with pytest.raises(BuildError, match=r"did not end within 0\.3 s"):
        await within(bench.call(bench.script("true")))
    assert not list(bench.builds)


async def test_a_command_that_is_not_there_fails_for_all_who_wait(bench):
    wanted = Run(("/no/such/compiler",), str(bench.folder))
    for failed in await within(asyncio.gather(*(bench.call(wanted) for _ in "ab"), return_exceptions=True)):
        assert isinstance(failed, SetupError)
    assert not list(bench.builds)


async def test_a_daemon_that_a_build_leaves_ends_with_it(bench):
    bench.gate.touch()
    wanted = bench.script("setsid sleep 600 > /dev/null 2>&1 & echo $! > daemon")
    await within(bench.call(wanted))
    pid = int((bench.folder / "daemon").read_text())
    await until(lambda: not alive(pid))


def test_a_stream_that_is_too_long_keeps_its_two_ends(monkeypatch):
    monkeypatch.setattr(builds, "MOST_BYTES", 20)
    heard = Heard()
    for number in range(100):
        heard.take(b"%03d " % number)
    assert heard.text() == "000 001 00\n... (cut)\n7 098 099 "
