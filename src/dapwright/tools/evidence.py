"""What the program did, in one call."""

import os
from collections.abc import Mapping
from typing import Annotated, Any

from dapwright import adapters
from dapwright.core import evidence_text
from dapwright.core.model import TestTarget
from dapwright.evidence import testing
from dapwright.session import telling
from dapwright.tools import About, Caller, tool
from dapwright.tools.breakpoints import Breakpoint, place, wanted_of
from dapwright.tools.launches import environment
from dapwright.tools.stops import StopAnswer, seconds_of


class TestAnswer(StopAnswer):
    """A stop answer, with the failure."""

    __test__ = False
    failure: dict[str, Any] = {}
    rerun: list[str] = []
    test_passed: bool | None = None
    tests: dict[str, int] = {}


@tool(
    title="Debug a test", open_world=True, text=evidence_text.test_text, output=TestAnswer, toolsets=("core", "focused")
)
async def debug_test(
    caller: Caller,
    *,
    test: Annotated[str, About("A test id in any form a runner prints, a file, a folder, or a whole command line.")],
    language: Annotated[str | None, About("Where the file name does not tell.")] = None,
    runner: Annotated[str, About("pytest, unittest, ...; found by itself else.")] = "",
    cwd: Annotated[str | None, About("Working directory.")] = None,
    args: Annotated[list[str], About("More arguments of the runner.")] = [],
    env: Annotated[dict[str, Any], About("Variables to set; null unsets.")] = {},
    breakpoints: Annotated[list[Breakpoint], About("As for set_breakpoint.", terse=True)] = [],
    executable_path: Annotated[str, About("Interpreter.")] = "",
    adapter_launch_config: Annotated[dict[str, Any], About("Keys of the language.")] = {},
    wait: Annotated[bool | float | None, About("Seconds to hold (45).")] = None,
) -> Mapping[str, Any]:
    """A failing test: start here. Runs one test, or the first failing of a file or suite, and stops at the failing
    assertion or exception though the runner catches it, locals alive: `failure` has the message, both operands,
    the exception chain, the program's own frames with their locals. Look on with evaluate_expression. A test that
    passes answers `stopped` with the verdict; one that cannot be collected, the reason."""
    adapter = testing.find_adapter(test, language, adapters)
    testing.check(adapter, caller.sessions.host)
    session = caller.sessions.create(adapter.language, client=caller.client, name=f"test {test[:60]}")
    try:
        folder = os.path.abspath(os.path.expanduser(cwd)) if cwd else os.getcwd()
        target = TestTarget(test, runner, folder, tuple(args), environment(env), executable_path, adapter_launch_config)
        await caller.progress("finding the test's command")
        command = await testing.command_of(session, target)
        session.launch = await testing.launch_of(session, command, stop=True)
        session.notes += command.notes
        for asked in breakpoints:
            await place(session, wanted_of(asked))
        await caller.progress(f"running {test[:80]}")
        await caller.sessions.begin(session, session.launch)
        await session.until(lambda: session.state not in ("starting", "running"), seconds_of(wait, default=44))
        if session.state == "error" and session.error is not None:
            raise session.error
    except BaseException:
        if session.state in ("created", "starting", "error"):
            await caller.sessions.close(session)
        raise
    return await told(session, list(command.rerun))


async def told(session: Any, rerun: list[str]) -> dict[str, Any]:
    """The answer of a test run, wherever it stands now."""
    said = testing.verdict(session)
    session.notes += said["notes"]
    answer = await telling.describe(session, message="the test still runs; call wait_for_stop")
    if session.state == "paused" and (failure := await testing.failure(session)) is not None:
        answer["failure"] = failure
        answer.setdefault("lastStop", {}).setdefault("exceptionInfo", {})
        if failure.get("test"):
            rerun = testing.rerun_of(rerun, str(failure["test"]))
    if session.state == "stopped":
        answer |= {"testPassed": said["passed"], "message": testing.words_of(said)}
        answer |= {"uncollected": said["uncollected"], "outcomes": said["told"]}
        answer.pop("unhitBreakpoints", None) if not session.ledger.shown() else None
    return {**answer, "tests": said["tests"], "rerun": rerun}
