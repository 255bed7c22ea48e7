"""Go tests, as launches of a package's own test binary."""

import re
from collections.abc import Generator

from dapwright.core.errors import UsageError
from dapwright.core.model import Host, Launch, Ran, Run, TestCommand, TestTarget

FAILING = ("testing.(*common).Fail",)
"""Each of Error, Errorf, Fatal, FailNow and testify's assertions comes through it, after its message is printed."""


def pattern(name: str) -> str:
    """`-test.run` for exactly one test and its subtests: `TestX/a b` is `^TestX$/^a_b$`."""
    return "/".join(f"^{re.escape(part.replace(' ', '_'))}$" for part in name.split("/")) if name else "."


def test_command(target: TestTarget, host: Host) -> Generator[Run, Ran, TestCommand]:
    """The package that has the test, run for that test alone.

    Raises:
        UsageError: no package has it.
    """
    place, _, name = target.test.rpartition("::")
    if not place and (target.test.endswith(".go") or target.test.startswith(("./", "/"))):
        place, name = target.test, ""
    folder = _folder(place, name, target.cwd, host)
    args = ("-test.v", f"-test.run={pattern(name)}", *target.args)
    launch = Launch(
        program=folder, args=args, env=target.env, cwd=folder, test=True, config={**target.config, "mode": "test"}
    )
    rerun = ("go", "test", "-run", pattern(name), folder)
    return TestCommand(launch, rerun=rerun, functions=FAILING)
    yield  # a generator that asks nothing: which package has a test is read from its sources


def _folder(place: str, name: str, cwd: str, host: Host) -> str:
    if place:
        path = place if place.startswith("/") else f"{cwd}/{place.removeprefix('./')}".rstrip("/")
        return path.rpartition("/")[0] if path.endswith(".go") else path
    top = name.split("/")[0]
    wanted = re.compile(rf"^func {re.escape(top)}\(", re.M)
    here = [path for path in host.glob(f"{cwd}/*_test.go") if wanted.search(host.read(path))]
    found = here or [path for path in host.glob(f"{cwd}/**/*_test.go") if wanted.search(host.read(path))]
    folders = sorted({path.rpartition("/")[0] for path in found})
    if len(folders) == 1:
        return folders[0]
    if not folders:
        if host.glob(f"{cwd}/*_test.go"):
            return cwd  # a suite's method, or a test made by a generator: the runner knows
        raise UsageError(f"no `func {top}` in the *_test.go files below `{cwd}`", "pass the package's folder as `cwd`")
    raise UsageError(f"`{top}` is in several packages: {', '.join(folders)}", f"pass `FOLDER::{name}`")
