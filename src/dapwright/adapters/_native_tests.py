"""Tests of C and C++: GoogleTest, Catch2 and CTest, as launches of their own binaries."""

import json
import re
from collections.abc import Callable, Generator
from typing import Any

from dapwright.adapters._compile import run
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch, Ran, Run, TestCommand, TestTarget

Commanding = Generator[Run, Ran, TestCommand]
BREAKING = ("--gtest_break_on_failure", "--gtest_catch_exceptions=0")
"""GoogleTest then traps at a failed assertion, its message printed already. Catch2 does the same for `--break`."""


def command_for(language: str) -> Callable[[TestTarget, Host], Commanding]:
    """The language's `test_command`."""

    def test_command(target: TestTarget, host: Host) -> Commanding:
        runner = target.runner or (yield from _guess(target, host))
        match runner:
            case "gtest" | "googletest":
                return _gtest(target)
            case "catch2" | "catch":
                return _catch2(target)
            case "ctest" | "cmake":
                return (yield from _ctest(target, host))
            case _:
                raise UsageError(f"`{runner}` is no test runner for {language}", "pass `gtest`, `catch2` or `ctest`")

    return test_command


def _program(target: TestTarget) -> str:
    program = target.executable or str(target.config.get("program", ""))
    if not program:
        raise UsageError(
            "which test binary to run is not said",
            "pass it as adapterLaunchConfig.program, or run in a CMake build folder (`cwd`) with tests",
        )
    return program


def _guess(target: TestTarget, host: Host) -> Generator[Run, Ran, str]:
    """CTest in a build folder, else what the binary says that it is."""
    if not (target.executable or target.config.get("program")):
        return "ctest"
    listed = yield Run((_program(target), "--help"), cwd=target.cwd, purpose="find the test runner", timeout_seconds=20)
    return "gtest" if "--gtest_filter" in listed.stdout else "catch2"


def _launch(target: TestTarget, program: str, args: tuple[str, ...]) -> Launch:
    return Launch(
        program=program, args=(*args, *target.args), env=target.env, cwd=target.cwd, config=target.config, test=True
    )


def _gtest(target: TestTarget) -> TestCommand:
    program, name = _program(target), target.test.replace("::", ".")
    wanted = f"--gtest_filter={name if '.' in name else f'{name}.*'}" if name else "--gtest_filter=*"
    return TestCommand(
        _launch(target, program, (wanted, *BREAKING)),
        rerun=(program, wanted),
        filters=("signal",),
    )


def _catch2(target: TestTarget) -> TestCommand:
    program = _program(target)
    name = re.sub(r"([,\[\]])", r"\\\1", target.test)
    return TestCommand(_launch(target, program, (name, "--break")), rerun=(program, name), filters=("signal",))


def _ctest(target: TestTarget, host: Host) -> Commanding:
    folder = next((f for f in (target.cwd, f"{target.cwd}/build") if host.is_file(f"{f}/CTestTestfile.cmake")), "")
    if not folder:
        raise UsageError(f"`{target.cwd}` is no CMake build folder with tests", "pass the build folder as `cwd`")
    ctest, cmake = host.which("ctest"), host.which("cmake")
    if ctest is None or cmake is None:
        raise SetupError("there is no ctest", "apt-get install cmake")

    yield from run(Run((cmake, "--build", folder), cwd=folder, purpose="build"), folder)
    listing = yield Run((ctest, "--show-only=json-v1"), cwd=folder, purpose="list tests", timeout_seconds=60)
    entry = _entry(json.loads(listing.stdout or "{}"), target.test)
    program, *args = entry["command"]
    properties = {each["name"]: each["value"] for each in entry.get("properties", ())}
    env = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", ()))
    where = str(properties.get("WORKING_DIRECTORY", folder))
    breaking = BREAKING if any(word.startswith("--gtest") for word in args) else ()
    words = (*args, *breaking, *target.args)
    launch = Launch(program=program, args=words, env={**env, **target.env}, cwd=where, test=True)
    return TestCommand(
        launch,
        rerun=(ctest, "--test-dir", folder, "-R", f"^{re.escape(entry['name'])}$", "--output-on-failure"),
        filters=("signal",),
    )


def _entry(listing: dict[str, Any], name: str) -> dict[str, Any]:
    tests = [each for each in listing.get("tests", ()) if each.get("command")]
    exact = [each for each in tests if each["name"] == name]
    near = exact or [each for each in tests if name in each["name"]]
    if len(near) != 1:
        names = ", ".join(each["name"] for each in (near or tests)[:20])
        raise UsageError(
            f"{len(near)} tests are named `{name}`: {names}"
            if near
            else f"no test is named `{name}`; there are: {names}",
            "pass the whole name of one",
        )
    found: dict[str, Any] = near[0]
    return found
