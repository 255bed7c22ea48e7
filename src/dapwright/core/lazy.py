"""Regular expressions that are compiled when they are first used: a start pays for none of them."""

import re
from typing import Any, cast


class _Lazy:
    """Stands in for a pattern; each method becomes the compiled one's when it is first asked for."""

    def __init__(self, text: str, flags: int) -> None:
        self._text, self._flags = text, flags

    def __getattr__(self, name: str) -> Any:
        found = getattr(re.compile(self._text, self._flags), name)  # `re` keeps what it has compiled
        setattr(self, name, found)
        return found


def regex(text: str, flags: int = 0) -> "re.Pattern[str]":
    """Return a pattern as `re.compile` does, compiled at its first use."""
    return cast("re.Pattern[str]", _Lazy(text, flags))
