"""Boost.Test's cases and suites, as launches of their own binary."""

from collections.abc import Generator

from dapwright.adapters._catch2 import unknown
from dapwright.adapters._native_words import WORDING
from dapwright.core.model import Launch, Ran, Run, TestCommand, TestTarget

FAILED = ("first_failed_assertion",)
"""Boost.Test has no trap at a failure, but calls this empty function for debuggers, its message printed already."""
COUNT = r"Running (\d+) test cases?\.\.\."
FIRST = "1"
"""It calls that after passed assertions too, as long as one of the case has failed (1.74, results_collector.ipp)."""
QUIET = ("--color_output=no", "--catch_system_errors=no")
"""Its own signal handlers would hide where a crash was."""


def command(target: TestTarget, program: str) -> Generator[Run, Ran, TestCommand]:
    """One case or suite (`suite/case`), run once beforehand: what fails by an exception is run to stop at the throw.

    Raises:
        UsageError: the binary lists no such case or suite.
    """
    listing = yield _asked(target, (program, "--list_content=HRF"))
    known = _names(listing.stderr + listing.stdout)
    name = target.test.replace("::", "/")
    found = [each for each in known if each == name] or [each for each in known if each.endswith("/" + name)]
    if name and not found:
        raise unknown(target.test, known)
    chosen = (f"--run_test={','.join(found)}",) if name else ()
    told = yield _asked(target, (program, *chosen, "--log_format=XML", *target.args))
    launch = Launch(
        program=program,
        args=(*chosen, *QUIET, *target.args),
        env=target.env,
        cwd=target.cwd,
        config=target.config,
        test=True,
    )
    filters = ("signal", "throw") if "<Exception " in told.stdout else ("signal",)
    return TestCommand(
        launch,
        rerun=(program, *chosen),
        filters=filters,
        count=COUNT,
        wording=WORDING,
        functions=FAILED,
        calls=FIRST,
    )


def _asked(target: TestTarget, words: tuple[str, ...]) -> Run:
    return Run(words, cwd=target.cwd, env=target.env, purpose="see the tests and how they fail", timeout_seconds=20)


def _names(listing: str) -> list[str]:
    """`suite/case` of each line of the listing, four spaces a level; `*` marks what is enabled."""
    names: list[str] = []
    path: tuple[str, ...] = ()
    for line in listing.splitlines():
        word = line.strip().partition(": ")[0].rstrip("*")
        if word:
            path = (*path[: (len(line) - len(line.lstrip())) // 4], word)
            names.append("/".join(path))
    return names
