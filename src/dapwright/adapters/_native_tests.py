"""Tests of C and C++: GoogleTest, Catch2, doctest, Boost.Test and CTest, as launches of their own binaries."""

import fnmatch
import json
import re
from collections.abc import Callable, Generator
from typing import Any

from dapwright.adapters import _boost, _catch2, _doctest
from dapwright.adapters._compile import run
from dapwright.adapters._native_words import WORDING
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch, Ran, Run, TestCommand, TestTarget

Commanding = Generator[Run, Ran, TestCommand]
BREAKING = ("--gtest_break_on_failure", "--gtest_catch_exceptions=0")
"""GoogleTest then traps at a failed assertion, its message printed already. Catch2 does the same for `--break`."""

WRITTEN = ("{}.*", "*/{}", "*/{}/*", "*/{}.*/*", "{}/*.*", "*.{}", "*.{}/*")
"""What a name may stand for beside itself: a suite, a parameterized test or a typed suite (all of its instances, or
one), a test without its suite."""
FILTER = "--gtest_filter="
RAN = r"^\[=+\] (\d+) tests? from .* ran\."


def command_for(language: str) -> Callable[[TestTarget, Host], Commanding]:
    """The language's `test_command`."""

    def test_command(target: TestTarget, host: Host) -> Commanding:
        runner = target.runner or (yield from _guess(target, host))
        match runner:
            case "gtest" | "googletest":
                return (yield from _gtest(target))
            case "catch2" | "catch":
                return (yield from _catch2.command(target, _program(target)))
            case "doctest":
                return (yield from _doctest.command(target, _program(target)))
            case "boost":
                return (yield from _boost.command(target, _program(target)))
            case "ctest" | "cmake":
                return (yield from _ctest(target, host))
            case _:
                known = "pass `gtest`, `catch2`, `doctest`, `boost` or `ctest`"
                raise UsageError(f"`{runner}` is no test runner for {language}", known)

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
    words = {"gtest": "--gtest_filter", "doctest": "[doctest]", "boost": "Boost.Test"}
    return next((name for name, word in words.items() if word in listed.stdout + listed.stderr), "catch2")


def _launch(target: TestTarget, program: str, args: tuple[str, ...]) -> Launch:
    return Launch(
        program=program, args=(*args, *target.args), env=target.env, cwd=target.cwd, config=target.config, test=True
    )


def _gtest(target: TestTarget) -> Commanding:
    """A suite, a test, or a parameterized one with or without its instance: as the binary lists them."""
    program, name = _program(target), target.test.replace("::", ".")
    listing = yield Run((program, "--gtest_list_tests"), cwd=target.cwd, purpose="list tests", timeout_seconds=30)
    known = _gtest_names(listing.stdout)
    wanted = name or "*"
    for pattern in (wanted, *(each.format(wanted) for each in WRITTEN)):
        if found := [each for each in known if any(fnmatch.fnmatchcase(each, one) for one in pattern.split(":"))]:
            disabled = ("--gtest_also_run_disabled_tests",) if all("DISABLED_" in each for each in found) else ()
            chosen = (FILTER + pattern, *disabled)
            return TestCommand(
                _launch(target, program, (*chosen, *BREAKING)),
                rerun=(program, *chosen),
                filters=("signal",),
                count=RAN,
                wording=WORDING,
            )
    raise _catch2.unknown(target.test, known)


def _gtest_names(listing: str) -> list[str]:
    """`Suite.Test` of each line that `--gtest_list_tests` prints below its suite's."""
    names, suite = [], ""
    for line in listing.splitlines():
        word = line.partition("#")[0].rstrip()
        if line.startswith("  "):
            names.append(suite + word.strip())
        elif word.endswith("."):
            suite = word
    return names


def _breaking(program: str, cwd: str) -> Generator[Run, Ran, tuple[tuple[str, ...], bool]]:
    """The flags by which a test binary stops at a failure, by the framework whose words are in it; and whether it is
    Boost.Test, which has a function instead. doctest needs neither: it traps where it sees a debugger."""
    for word, flags in (
        ("break_on_failure", BREAKING),
        ("break into debugger on failure", ("--break",)),
        (_boost.FAILED[0], _boost.QUIET),
    ):
        found = yield Run(("grep", "-c", "-a", word, program), cwd=cwd, purpose="find the runner", timeout_seconds=10)
        if found.code == 0:
            return flags, flags is _boost.QUIET
    return (), False


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
    breaking, by_function = yield from _breaking(program, folder)
    words = (*args, *breaking, *target.args)
    named = "|".join(f"^{re.escape(each)}$" for each in entry.get("names", [entry["name"]]))
    launch = Launch(program=program, args=words, env={**env, **target.env}, cwd=where, test=True)
    return TestCommand(
        launch,
        rerun=(ctest, "--test-dir", folder, "-R", named, "--output-on-failure"),
        filters=("signal",),
        wording=WORDING,
        functions=_boost.FAILED if by_function else (),
        calls=_boost.FIRST if by_function else "",
    )


def _entry(listing: dict[str, Any], name: str) -> dict[str, Any]:
    """The test of that name, by CTest's or by GoogleTest's own (CMake names a parameter by its value, not its number).

    Several are one run where they are a GoogleTest binary's: a suite, all of a parameterized test's instances.
    """
    tests = [each for each in listing.get("tests", ()) if each.get("command")]
    own = name.replace("::", ".")
    exact = [each for each in tests if each["name"] == name] or [each for each in tests if _filter(each) == own]
    near = exact or [each for each in tests if name in each["name"] or own in _filter(each)]
    if len(near) == 1:
        found: dict[str, Any] = near[0]
        return found
    if near and all(_filter(each) for each in near) and len({each["command"][0] for each in near}) == 1:
        program, *words = near[0]["command"]
        chosen = FILTER + ":".join(map(_filter, near))
        rest = [word for word in words if not word.startswith(FILTER)]
        return {**near[0], "command": [program, chosen, *rest], "names": [each["name"] for each in near]}
    names = ", ".join(each["name"] for each in (near or tests)[:20])
    raise UsageError(
        f"{len(near)} tests are named `{name}`: {names}" if near else f"no test is named `{name}`; there are: {names}",
        "pass the whole name of one",
    )


def _filter(entry: dict[str, Any]) -> str:
    return next((word[len(FILTER) :] for word in entry["command"] if word.startswith(FILTER)), "")
