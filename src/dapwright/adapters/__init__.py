"""The languages we can debug: modules here that define ADAPTER, TOML files here, and what users bring."""

import pkgutil
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from typing import Protocol

from dapwright.core.adapter import Adapter
from dapwright.core.errors import DapwrightError, UsageError


class Source(Protocol):
    """Where users' own languages come from."""

    def adapters(self) -> Mapping[str, Adapter]:
        """The languages by name, as far as they can be understood."""

    def problem(self) -> DapwrightError | None:
        """Why a description cannot be understood."""


_sources: list[Source] = []


def bring(source: Source) -> None:
    """Take languages from `source` too, which is asked each time; one of ours gives way to one of the same name."""
    _sources[:] = [source]


def brought() -> Mapping[str, Adapter]:
    """The languages that users describe, by name."""
    return _sources[0].adapters() if _sources else {}


def _tell_problem() -> None:
    """What is not found may stand in a description that is not understood: tell that instead."""
    problem = _sources[0].problem() if _sources else None
    if problem is not None:
        raise problem


@cache
def names() -> tuple[str, ...]:
    """The languages' modules, without importing one."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")))


@cache
def ours() -> Mapping[str, Adapter]:
    """The adapters that come with dapwright; imports each."""
    found: dict[str, Adapter] = {}
    for name in names():
        module = import_module(f"{__name__}.{name}")
        adapters: tuple[Adapter, ...] = getattr(module, "ADAPTERS", ()) or (module.ADAPTER,)
        found |= {adapter.language: adapter for adapter in adapters}
    for adapter in described().values():
        found.setdefault(adapter.language, adapter)
    return found


@cache
def described() -> Mapping[str, Adapter]:
    """The languages that need no code: TOML files beside this one."""
    from importlib.resources import files  # late: only who lists languages pays for it

    from dapwright.core import described

    found: dict[str, Adapter] = {}
    for file in sorted(files(__name__).iterdir(), key=lambda one: one.name):
        if file.name.endswith(".toml"):
            found |= described.read(file.read_text("utf-8"), file.name)
    return found


def every() -> dict[str, Adapter]:
    """All adapters by language, ours by name and then the users'; only who lists them calls this."""
    return dict(sorted(ours().items())) | dict(brought())


def find(language: str) -> Adapter:
    """The adapter of a language, by its name or one of its other names.

    Raises:
        UsageError: there is none; the known ones are listed.
    """
    wanted = language.strip().lower()
    if (theirs := brought().get(wanted)) is not None:
        return theirs
    if wanted in names():
        module = import_module(f"{__name__}.{wanted}")
        if hasattr(module, "ADAPTER"):
            adapter: Adapter = module.ADAPTER
            return adapter
    known = every()
    for one in known.values():
        if wanted == one.language or wanted in one.aliases:
            return one
    _tell_problem()
    near = get_close_matches(wanted, list(known), 1)
    raise UsageError(
        f"`{language}` is not a language that dapwright debugs",
        (f"did you mean `{near[0]}`? " if near else "") + "languages: " + ", ".join(known),
    )


def of_file(path: str) -> Adapter | None:
    """The adapter that a file's name speaks for; None where it does not tell."""
    lowered = path.lower()
    for theirs in brought().values():
        if theirs.extensions and lowered.endswith(theirs.extensions):
            return theirs
    if lowered.endswith((".py", ".pyw")):
        return find("python")
    found = next((a for a in ours().values() if a.extensions and lowered.endswith(a.extensions)), None)
    if found is None:
        _tell_problem()
    return found
