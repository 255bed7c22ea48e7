"""How a test of JavaScript or TypeScript is run: node:test, jest, vitest or mocha.

The runner catches every failure, so the engine's filter `test-failure` stops where one is thrown
and nothing of the program's own catches it. Tests run in one process, one file at a time.
"""

import json
import posixpath
import re
from collections.abc import Generator, Iterator

from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch, Ran, Run, TestCommand, TestTarget

FAILURES = ("test-failure",)
SCRIPTS = {
    "jest": "jest/bin/jest.js",
    "vitest": "vitest/vitest.mjs",
    "mocha": "mocha/bin/mocha.js",
}
ORDER = ("vitest", "jest", "mocha")


def test_command(target: TestTarget, host: Host) -> Generator[Run, Ran, TestCommand]:
    """Plan a run of one test file, or of the tests in it that a name chooses (`file::name`)."""
    path, _, name = target.test.partition("::")
    file = posixpath.join(target.cwd, path) if target.cwd else path
    runner = target.runner.removeprefix("node:") or _runner(file, host)
    if runner in ("test", "node"):
        return _node_test(target, file, name)
    if runner not in SCRIPTS:
        raise UsageError(f"there is no test runner `{runner}`", "use `node:test`, `jest`, `vitest` or `mocha`")
    script = _installed(runner, file, host)
    if not script:
        raise SetupError(f"`{runner}` is not installed for `{path}`", f"`npm install --save-dev {runner}`")
    home = script[: script.index("/node_modules/")]
    options = _options(runner, file, name)
    launch = Launch(
        program=script,
        args=(*options, *target.args),
        cwd=target.cwd or home,
        env=target.env,
        executable=target.executable,
        test=True,
        config=target.config,
    )
    count = r"^\s*(\d+) (?:passing|failing)" if runner == "mocha" else ""
    return TestCommand(launch, ("npx", runner, *options, *target.args), FAILURES, count=count)
    yield


test_command.__test__ = False  # type: ignore[attr-defined]


def _node_test(target: TestTarget, file: str, name: str) -> TestCommand:
    """node:test runs in the file's own process: `node file` is the run."""
    flags = [f"--test-name-pattern={re.escape(name)}"] if name else []
    given = target.config.get("runtimeArgs") or []
    config = {**target.config, "runtimeArgs": [*given, *flags]}
    launch = Launch(
        program=file,
        args=target.args,
        cwd=target.cwd or posixpath.dirname(file),
        env=target.env,
        executable=target.executable,
        test=True,
        config=config,
    )
    return TestCommand(launch, ("node", *flags, file, *target.args), FAILURES, count=r"^\W+ tests (\d+)$")


def _options(runner: str, file: str, name: str) -> tuple[str, ...]:
    named = re.escape(name) if name else ""
    if runner == "jest":
        base = ("--runInBand", "--coverage=false", "--testTimeout=600000", "--runTestsByPath", file)
        return base + (("--testNamePattern", named) if named else ())
    if runner == "vitest":
        base = ("run", "--no-file-parallelism", "--testTimeout=0", "--coverage.enabled=false", file)
        return base + (("--testNamePattern", named) if named else ())
    return ("--timeout", "0", *(("--grep", named) if named else ()), file)


def _runner(file: str, host: Host) -> str:
    """What the file imports says it; else what its package depends on; else what is installed; else node:test."""
    text = host.read(file)
    if re.search(r"""['"]node:test['"]""", text):
        return "test"
    for runner, module in (("vitest", "vitest"), ("jest", "@jest/globals"), ("mocha", "mocha")):
        if re.search(rf"""['"]{module}['"]""", text):
            return runner
    for folder in _above(file):
        wanted = _depends(host.read(posixpath.join(folder, "package.json")))
        for runner in ORDER:
            if runner in wanted:
                return runner
    return next((r for r in ORDER if _installed(r, file, host)), "test")


def _depends(text: str) -> set[str]:
    try:
        package = json.loads(text) if text else {}
    except ValueError:
        return set()
    if not isinstance(package, dict):
        return set()
    listed = [package.get(key) or {} for key in ("dependencies", "devDependencies")]
    return {name for part in listed if isinstance(part, dict) for name in part}


def _installed(runner: str, file: str, host: Host) -> str:
    for folder in _above(file):
        script = posixpath.join(folder, "node_modules", SCRIPTS[runner])
        if host.is_file(script):
            return script
    return ""


def _above(file: str) -> Iterator[str]:
    folder = posixpath.dirname(file)
    while True:
        yield folder
        if posixpath.dirname(folder) == folder:
            return
        folder = posixpath.dirname(folder)
