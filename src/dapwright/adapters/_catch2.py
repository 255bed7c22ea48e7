"""Catch2's test cases, their sections and tags, as launches of their own binary."""

import difflib
import html
import re
from collections.abc import Generator, Iterator, Sequence

from dapwright.adapters._native_words import WORDING
from dapwright.core.errors import UsageError
from dapwright.core.model import Launch, Ran, Run, TestCommand, TestTarget

COUNT = r"(?:assertions? in |^test cases: +)(\d+)"
SEPARATORS = ("::", "/", " > ")
"""What people write between a case and its section; each may be part of a name too."""
ENTERED = re.compile(r"<(?:TestCase|Section) name=\"([^\"]*)\"|</(?:TestCase|Section)>|(<Exception\b)")
"""What its XML reporter tells of a run, picked out of whatever the program itself prints between."""

Asking = Generator[Run, Ran, TestCommand]


def command(target: TestTarget, program: str) -> Asking:
    """One test case (`case`, `case/section`), or a tag's: run once beforehand.

    Catch catches what is thrown, so what fails by an exception is run to stop at the throw. Sections are listed
    nowhere, so that run also tells whether the wanted one was entered: else Catch passes without it.
    """
    known = yield from _listed(target, program)
    spec, sections = _read(target.test, known)
    if known and spec is None:
        spec = target.test
        if not (yield from _listed(target, program, spec)):
            raise unknown(target.test, known)
    chosen = (spec if spec is not None else _escape(target.test), *(word for name in sections for word in ("-c", name)))
    paths, thrown = _entered((yield from _tried(target, program, chosen)))
    if sections and paths and not any(path[1:] == sections for path in paths):
        paths, _ = _entered((yield from _tried(target, program, chosen[:1])))
        raise unknown(target.test, ["/".join(path) for path in paths])
    launch = Launch(
        program=program,
        args=(*chosen, "--break", *target.args),
        env=target.env,
        cwd=target.cwd,
        config=target.config,
        test=True,
    )
    filters = ("signal", "throw") if thrown else ("signal",)
    return TestCommand(launch, rerun=(program, *chosen), filters=filters, count=COUNT, wording=WORDING)


def _listed(target: TestTarget, program: str, *spec: str) -> Generator[Run, Ran, list[str]]:
    words = (program, *spec, "--list-test-names-only")
    listing = yield Run(words, cwd=target.cwd, purpose="list tests", timeout_seconds=30)
    return [line.strip() for line in listing.stdout.splitlines() if line.strip()]


def _tried(target: TestTarget, program: str, chosen: Sequence[str]) -> Generator[Run, Ran, str]:
    words = (program, *chosen, *target.args, "--reporter", "xml")
    told = yield Run(words, cwd=target.cwd, env=target.env, purpose="see how it fails", timeout_seconds=20)
    return told.stdout


def _read(test: str, known: Sequence[str]) -> tuple[str | None, tuple[str, ...]]:
    """A case's name as Catch takes it, and its sections; None where it is no case's."""
    if test in known:
        return _escape(test), ()
    for case in sorted(known, key=len, reverse=True):
        for mark in SEPARATORS:
            if test.startswith(case + mark):
                return _escape(case), tuple(test[len(case + mark) :].split(mark))
    return None, ()


def _escape(name: str) -> str:
    return re.sub(r"([\\,\[\]])", r"\\\1", name)


def _entered(told: str) -> tuple[list[tuple[str, ...]], bool]:
    """The cases and sections that a run entered, each as its path, and whether an exception ended one."""
    paths: dict[tuple[str, ...], None] = {}
    thrown = False
    for path, failed in _walk(told):
        thrown = thrown or failed
        if path:
            paths[path] = None
    return list(paths), thrown


def _walk(told: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    path: tuple[str, ...] = ()
    for found in ENTERED.finditer(told):
        if found[1] is not None:
            path = (*path, html.unescape(found[1]))
            yield path, False
        elif found[2]:
            yield (), True
        else:
            path = path[:-1]


def unknown(test: str, known: Sequence[str]) -> UsageError:
    """A test that the binary does not list, with the nearest that it does."""
    near = list(dict.fromkeys((*difflib.get_close_matches(test, known, 5, 0.4), *known)))[:20]
    return UsageError(
        f"no test is named `{test}`; there are: {', '.join(near) or 'none'}", "pass a name as the binary lists it"
    )
