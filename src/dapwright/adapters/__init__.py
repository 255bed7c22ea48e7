"""The languages we can debug. A module here that defines ADAPTER is one of them."""

import pkgutil
from difflib import get_close_matches
from functools import cache
from importlib import import_module

from dapwright.core.errors import UsageError
from dapwright.core.model import Adapter


@cache
def names() -> tuple[str, ...]:
    """The languages' names, without importing one."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")))


@cache
def every() -> dict[str, Adapter]:
    """All adapters by language; imports each, so only who lists them calls this."""
    found: dict[str, Adapter] = {}
    for name in names():
        module = import_module(f"{__name__}.{name}")
        adapters: tuple[Adapter, ...] = getattr(module, "ADAPTERS", ()) or (module.ADAPTER,)
        found |= {adapter.language: adapter for adapter in adapters}
    return found


def find(language: str) -> Adapter:
    """The adapter of a language, by its name or one of its other names.

    Raises:
        UsageError: there is none; the known ones are listed.
    """
    wanted = language.strip().lower()
    if wanted in names():
        module = import_module(f"{__name__}.{wanted}")
        if hasattr(module, "ADAPTER"):
            adapter: Adapter = module.ADAPTER
            return adapter
    for known in every().values():
        if wanted == known.language or wanted in known.aliases:
            return known
    near = get_close_matches(wanted, list(every()), 1)
    raise UsageError(
        f"`{language}` is not a language that dapwright debugs",
        (f"did you mean `{near[0]}`? " if near else "") + "languages: " + ", ".join(every()),
    )


def of_file(path: str) -> Adapter | None:
    """The adapter that a file's name speaks for; None where it does not tell."""
    if path.endswith((".py", ".pyw")):
        return find("python")
    return next((a for a in every().values() if a.extensions and path.lower().endswith(a.extensions)), None)
