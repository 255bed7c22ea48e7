"""doctest's test cases, their subcases and suites, as launches of their own binary.

doctest traps at a failed assertion by itself where a debugger watches, its message printed already.
"""

import html
import re
from collections.abc import Generator

from dapwright.adapters._catch2 import unknown
from dapwright.adapters._native_words import WORDING
from dapwright.core.model import Launch, Ran, Run, TestCommand, TestTarget

COUNT = r"test cases: +(\d+) \|"
LISTED = re.compile(r'<TestCase name="([^"]*)"(?: testsuite="([^"]*)")?')
ENTERED = re.compile(r'<SubCase name="([^"]*)"|</SubCase>')
SEPARATORS = ("::", "/", " > ")


def command(target: TestTarget, program: str) -> Generator[Run, Ran, TestCommand]:
    """One case (`case`, `suite/case`, `case/subcase`) or a suite, run once beforehand.

    doctest catches what is thrown, so what fails by an exception is run to stop at the throw. It passes without a
    filter's subcase, so that run also tells whether the wanted one was entered.

    Raises:
        UsageError: the binary has no such case, suite or subcase.
    """
    listing = yield _asked(target, program, ("--list-test-cases",))
    known = [(html.unescape(name), html.unescape(suite)) for name, suite in LISTED.findall(listing.stdout)]
    chosen, subcases = _read(target.test, known)
    if not chosen and target.test:
        raise unknown(target.test, [name for name, _ in known])
    told = yield _asked(target, program, (*chosen, *target.args))
    if subcases and subcases not in (entered := _entered(told.stdout)):
        whole = yield _asked(target, program, tuple(word for word in chosen if not word.startswith("--subcase")))
        entered = _entered(whole.stdout)
        if subcases not in entered:
            raise unknown(target.test, ["/".join(path) for path in entered])
    launch = Launch(
        program=program,
        args=(*chosen, "--no-colors", *target.args),
        env=target.env,
        cwd=target.cwd,
        config=target.config,
        test=True,
    )
    filters = ("signal", "throw") if "<Exception " in told.stdout else ("signal",)
    return TestCommand(launch, rerun=(program, *chosen), filters=filters, count=COUNT, wording=WORDING)


def _asked(target: TestTarget, program: str, words: tuple[str, ...]) -> Run:
    words = (program, *words, "--reporters=xml")
    return Run(words, cwd=target.cwd, env=target.env, purpose="see the tests and how they fail", timeout_seconds=20)


def _read(test: str, known: list[tuple[str, str]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The filters that choose a test, and the path of its subcases; no filters where there is none of that name."""
    if any(name == test for name, _ in known):
        return (_filter("test-case", test),), ()
    if test and any(suite == test for _, suite in known):
        return (_filter("test-suite", test),), ()
    for name, suite in sorted(known, key=lambda each: len(each[0]), reverse=True):
        for mark in SEPARATORS:
            if suite and test == suite + mark + name:
                return (_filter("test-suite", suite), _filter("test-case", name)), ()
            if test.startswith(name + mark):
                path = tuple(test[len(name + mark) :].split(mark))
                return (_filter("test-case", name), _filter("subcase", *path)), path
    return (), ()


def _filter(kind: str, *names: str) -> str:
    """A filter of whole names; a comma would part two of them, so any character may stand there."""
    return f"--{kind}=" + ",".join(name.replace(",", "?") for name in names)


def _entered(told: str) -> list[tuple[str, ...]]:
    """The subcases that a run entered, each as its path."""
    paths: dict[tuple[str, ...], None] = {}
    path: tuple[str, ...] = ()
    for found in ENTERED.finditer(told):
        path = (*path, html.unescape(found[1])) if found[1] is not None else path[:-1]
        paths[path] = None
    return [each for each in paths if each]
