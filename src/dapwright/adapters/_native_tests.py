"""Tests of C and C++: GoogleTest, Catch2 and CTest, as launches of their own binaries."""

import difflib
import fnmatch
import json
import re
from collections.abc import Callable, Generator, Sequence
from typing import Any

from dapwright.adapters._compile import run
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch, Ran, Run, TestCommand, TestTarget, Wording

Commanding = Generator[Run, Ran, TestCommand]
BREAKING = ("--gtest_break_on_failure", "--gtest_catch_exceptions=0")
"""GoogleTest then traps at a failed assertion, its message printed already. Catch2 does the same for `--break`."""

GTEST = re.compile(
    r"Expected equality of these values:\n\s*(.+)\n(?:\s*Which is: (.+)\n)?\s*(.+)(?:\n\s*Which is: (.+))?"
)
GTEST_ACTUAL = re.compile(r"Expected: .*, actual: (.+) vs (.+)")
CATCH = re.compile(r"with expansion:\n\s*(.+?) (?:==|!=|<=|>=|<|>) (.+)")
"""How each runner says what it compared."""


def compare(message: str) -> dict[str, str] | None:
    """The two sides of a failed assertion of GoogleTest or Catch2; CTest runs either, and does not tell which."""
    if found := GTEST.search(message):
        return {"left": (found[2] or found[1]).strip(), "right": (found[4] or found[3]).strip()}
    found = GTEST_ACTUAL.search(message) or CATCH.search(message)
    return {"left": found[1].strip(), "right": found[2].strip()} if found else None


WORDING = Wording(compare)


def command_for(language: str) -> Callable[[TestTarget, Host], Commanding]:
    """The language's `test_command`."""

    def test_command(target: TestTarget, host: Host) -> Commanding:
        runner = target.runner or (yield from _guess(target, host))
        match runner:
            case "gtest" | "googletest":
                return (yield from _gtest(target))
            case "catch2" | "catch":
                return (yield from _catch2(target))
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


def _gtest(target: TestTarget) -> Commanding:
    """A suite, a test, or a parameterized one with or without its instance: as the binary lists them."""
    program, name = _program(target), target.test.replace("::", ".")
    listing = yield Run((program, "--gtest_list_tests"), cwd=target.cwd, purpose="list tests", timeout_seconds=30)
    known = _gtest_names(listing.stdout)
    wanted = name or "*"
    for pattern in (wanted, f"{wanted}.*", f"*/{wanted}/*", f"*/{wanted}.*/*", f"{wanted}/*.*"):
        if any(fnmatch.fnmatchcase(each, one) for each in known for one in pattern.split(":")):
            chosen = f"--gtest_filter={pattern}"
            launch = _launch(target, program, (chosen, *BREAKING))
            return TestCommand(launch, rerun=(program, chosen), filters=("signal",), wording=WORDING)
    raise _unknown(target.test, known)


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


def _unknown(test: str, known: Sequence[str]) -> UsageError:
    near = difflib.get_close_matches(test, known, 5, 0.4) or list(known)[:20]
    return UsageError(
        f"no test is named `{test}`; there are: {', '.join(near) or 'none'}", "pass a name as the binary lists it"
    )


def _catch2(target: TestTarget) -> Commanding:
    """One test case; Catch catches what it throws, so a case that fails by an exception is run to stop at the throw."""
    program = _program(target)
    name = re.sub(r"([,\[\]])", r"\\\1", target.test)
    listing = yield Run((program, "--list-test-names-only"), cwd=target.cwd, purpose="list tests", timeout_seconds=30)
    known = [line.strip() for line in listing.stdout.splitlines() if line.strip()]
    if known and not any(fnmatch.fnmatchcase(each, target.test) or target.test.startswith("[") for each in known):
        raise _unknown(target.test, known)
    tried = yield Run(
        (program, name, "--reporter", "compact"), cwd=target.cwd, purpose="see how it fails", timeout_seconds=20
    )
    thrown = ("throw",) if "unexpected exception" in tried.stdout else ()
    launch = _launch(target, program, (name, "--break"))
    return TestCommand(launch, rerun=(program, name), filters=("signal", *thrown), wording=WORDING)


def _breaking(program: str, cwd: str) -> Generator[Run, Ran, tuple[str, ...]]:
    """The flags by which a test binary stops at a failure, by the framework whose words are in it."""
    for word, flags in ((r"break_on_failure", BREAKING), ("break into debugger on failure", ("--break",))):
        found = yield Run(("grep", "-c", "-a", word, program), cwd=cwd, purpose="find the runner", timeout_seconds=10)
        if found.code == 0:
            return flags
    return ()


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
    breaking = yield from _breaking(program, folder)
    words = (*args, *breaking, *target.args)
    launch = Launch(program=program, args=words, env={**env, **target.env}, cwd=where, test=True)
    return TestCommand(
        launch,
        rerun=(ctest, "--test-dir", folder, "-R", f"^{re.escape(entry['name'])}$", "--output-on-failure"),
        filters=("signal",),
        wording=WORDING,
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
