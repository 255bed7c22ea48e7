"""Random lives of sessions over an adapter that does as it likes: what is always true (a hypothesis state machine)."""

import asyncio
import tempfile
from pathlib import Path

import pytest
import virtual_time
from fake_adapter import Bench, FakeAdapter, written
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from dapwright.engines.mock.faults import ANSWERING, ARRIVING

PROGRAM = """\
total = 0
to add
    total = total + 1
end
repeat 4
    do add
    print total {total}
    sleep 1
end
forever
"""
CODES = set("adapter protocol time-limit wrong-state stale usage not-supported busy no-such-session".split())
MOVES = ("step_over", "step_into", "step_out", "continue_execution", "pause_execution", "restart_debugging")
LOOKS = ("list_threads", "get_stack_trace", "get_scopes", "get_local_variables", "list_debug_sessions", "get_output")
STEPS = ("initialize", "launch", "setBreakpoints", "stackTrace", "variables", "next", "continue", "pause", "disconnect")
DEEDS = sorted({*ARRIVING, *ANSWERING} - {"floods", "sends-64-mb", "endless-header", "our-loop-stalls-long"})
EVENTS = (
    ("stopped", {"reason": "pause", "threadId": 1, "allThreadsStopped": True}),
    ("stopped", {"reason": "breakpoint", "threadId": 2, "allThreadsStopped": False}),
    ("continued", {"threadId": 1}),
    ("continued", {"allThreadsContinued": True}),
    ("thread", {"reason": "exited", "threadId": 1}),
    ("output", {"category": "stdout", "output": "hello\n"}),
    ("initialized", {}),
    ("exited", {"exitCode": 4}),
    ("terminated", {}),
    ("breakpoint", {"reason": "removed", "breakpoint": {"id": 1}}),
)


class Lives(RuleBasedStateMachine):
    """One server, one client; its sessions come and go."""

    def __init__(self) -> None:
        super().__init__()
        self.loop = virtual_time.VirtualLoop()
        asyncio.set_event_loop(self.loop)
        self.failures: list[object] = []
        self.loop.set_exception_handler(lambda _, context: self.failures.append(context))
        self.patch = pytest.MonkeyPatch()
        self.bench = Bench(self.patch)
        self.folder = tempfile.TemporaryDirectory()
        self.script = written(Path(self.folder.name), PROGRAM, "life.mock")

    def run(self, work):
        return self.loop.run_until_complete(work)

    def call(self, tool, **arguments):
        began = self.loop.time()
        told = self.run(self.bench.answer(tool, **arguments)).structured
        assert self.loop.time() - began <= 55, f"{tool} took {self.loop.time() - began}"
        assert told["success"] or told["code"] in CODES, (tool, told)
        if told.get("state") == "paused" and tool != "list_debug_sessions":
            assert told["lastStop"]["reason"], told
        return told

    @rule(step=st.sampled_from(STEPS), deed=st.sampled_from(DEEDS), early=st.booleans())
    def the_next_adapters_misbehave(self, step, deed, early):
        def make():
            fake = FakeAdapter(step, deed)
            fake.initialized_when = "initialize" if early else "launch"
            return fake

        self.bench.make = make

    @rule()
    def the_next_adapters_behave(self):
        self.bench.make = FakeAdapter

    @rule(entry=st.booleans(), wait=st.sampled_from([0, 1, 5]))
    def start(self, entry, wait):
        if len(list(self.bench.sessions)) < 3:
            self.call("start_debugging", language="mock", scriptPath=self.script, stopOnEntry=entry, wait=wait)

    @rule(tool=st.sampled_from(MOVES), which=st.integers(0, 2))
    def move(self, tool, which):
        if found := self.session(which):
            self.call(tool, sessionId=found.id)

    @rule(tool=st.sampled_from(LOOKS), which=st.integers(0, 2))
    def look(self, tool, which):
        found = self.session(which)
        self.call(tool, **({"sessionId": found.id} if found and tool != "list_debug_sessions" else {}))

    @rule(line=st.integers(1, 10), which=st.integers(0, 2), condition=st.sampled_from(["", "total > 1", "nosuch"]))
    def set_breakpoint(self, line, which, condition):
        if found := self.session(which):
            self.call("set_breakpoint", sessionId=found.id, file=self.script, line=line, condition=condition)

    @rule(which=st.integers(0, 2))
    def clear_breakpoints(self, which):
        if found := self.session(which):
            self.call("clear_breakpoints", sessionId=found.id)

    @rule(which=st.integers(0, 2), seconds=st.integers(0, 45))
    def wait(self, which, seconds):
        if found := self.session(which):
            self.call("wait_for_stop", sessionId=found.id, timeout=seconds * 1000)

    @rule(tools=st.lists(st.sampled_from(MOVES + LOOKS), min_size=2, max_size=4), which=st.integers(0, 2))
    def several_at_once(self, tools, which):
        if found := self.session(which):

            async def all_of_them():
                calls = (self.bench.answer(t, sessionId=found.id) for t in tools if t != "list_debug_sessions")
                return await asyncio.gather(*calls)

            for told in self.run(all_of_them()):
                assert not told.is_error or told.structured["code"] in CODES, told.structured

    @rule(tool=st.sampled_from(MOVES), which=st.integers(0, 2), seconds=st.sampled_from([0, 0.5, 3]))
    def cut_off(self, tool, which, seconds):
        if found := self.session(which):

            async def cancelled():
                task = asyncio.create_task(self.bench.answer(tool, sessionId=found.id))
                await asyncio.sleep(seconds)
                task.cancel()
                await asyncio.wait([task])

            self.run(cancelled())

    @rule(event=st.sampled_from(EVENTS))
    def somebody_says(self, event):
        if self.bench.made:
            self.bench.fake.event(*event)
            self.pass_time(0.1)

    @rule()
    def the_adapter_dies(self):
        if self.bench.made:
            self.bench.fake.die()

    @rule(seconds=st.sampled_from([0, 0.5, 2, 30]))
    def pass_time(self, seconds):
        self.run(asyncio.sleep(seconds))

    @rule(which=st.integers(0, 2))
    def close(self, which):
        if found := self.session(which):
            assert self.call("close_debug_session", sessionId=found.id)["success"]

    def session(self, which):
        mine = list(self.bench.sessions)
        return mine[which % len(mine)] if mine else None

    @invariant()
    def what_is_always_true(self):
        assert not self.failures, self.failures
        for session in self.bench.sessions:
            assert not session.mover, "nobody is calling, and somebody holds it"
            if session.stops:
                assert session.state == "paused", (session.state, session.stops)
            if session.state in ("stopped", "error"):
                assert not session.stops
            if session.state == "error":
                assert session.error is not None
            for stop in session.stops:
                assert not stop.connection.running or not stop.all_threads

    def teardown(self):
        self.run(self.bench.close())
        left = asyncio.all_tasks(self.loop)
        assert not left, left
        assert not self.failures, self.failures
        self.patch.undo()
        self.folder.cleanup()
        asyncio.set_event_loop(None)
        self.loop.close()


Lives.TestCase.settings = settings(
    max_examples=60,
    stateful_step_count=30,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    database=None,
    print_blob=False,
)
test_whatever_happens_the_session_says_what_is_true = Lives.TestCase
