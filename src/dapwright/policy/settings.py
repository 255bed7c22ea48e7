"""The settings of a server's life, read once from the environment and the flags."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from dapwright.core.errors import UsageError

ADDRESSING = ("content", "assert", "line")
TOOLSETS = ("core", "focused", "native", "all")
VERDICTS = ("allow", "ask", "deny")


class Rule(msgspec.Struct, frozen=True):
    """One line of `DAPWRIGHT_APPROVE`: what to say to a command line that matches."""

    verdict: str
    pattern: str


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What the person who started the server decided; it never changes afterwards.

    `gate` is `always`, `after-failures` (with `gate_failures`) or `off`; `timeout` is in milliseconds;
    `lease` is how many seconds a client's sessions wait for it over HTTP, once it has gone.
    An empty `roots` allows every folder, an empty `languages` every language.
    """

    addressing: str = "content"
    redact: bool = True
    variables: str = "open"
    gate: str = "always"
    gate_failures: int = 1
    roots: tuple[str, ...] = ()
    approve: tuple[Rule, ...] = ()
    trust: str = ""
    toolset: str = "core"
    languages: tuple[str, ...] = ()
    timeout: int | None = None
    lease: float = 600.0
    mirror_evaluate: bool = True
    clean_env: bool = False


def _choice(*allowed: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in allowed:
            raise ValueError("one of " + ", ".join(f"`{one}`" for one in allowed))
        return text

    return read


def _switch(text: str) -> bool:
    lowered = text.lower()
    if lowered in ("1", "true", "yes", "on"):
        return True
    if lowered in ("0", "false", "no", "off"):
        return False
    raise ValueError("`1` or `0`")


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in re.split(r"[\s,]+", text.lower()) if name)


def _rules(text: str) -> tuple[Rule, ...]:
    rules = []
    for line in filter(None, map(str.strip, text.splitlines())):
        verdict, colon, pattern = line.partition(":")
        if verdict.strip() not in VERDICTS or not colon or not pattern.strip():
            raise ValueError("lines of the form `allow: pattern`, `ask: pattern` or `deny: pattern`")
        rules.append(Rule(verdict.strip(), pattern.strip()))
    return tuple(rules)


def _milliseconds(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise ValueError("a positive number of milliseconds")
    return int(text)


def _seconds(text: str) -> float:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise ValueError("a positive number of seconds")
    return float(text)


def _gate(text: str) -> dict[str, Any]:
    name, colon, count = text.partition(":")
    if name in ("always", "off") and not colon:
        return {"gate": name}
    if name == "after-failures" and (not colon or (count.isdigit() and int(count) > 0)):
        return {"gate": name, "gate_failures": int(count or 1)}
    raise ValueError("`always`, `after-failures`, `after-failures:2` or `off`")


READERS: Mapping[str, Callable[[str], Any]] = {
    "addressing": _choice(*ADDRESSING),
    "redact": _switch,
    "variables": _choice("open", "explicit"),
    "gate": _gate,
    "roots": str,
    "approve": _rules,
    "trust": _choice("workspace"),
    "toolset": _choice(*TOOLSETS),
    "languages": _names,
    "timeout": _milliseconds,
    "lease": _seconds,
    "mirror_evaluate": _switch,
    "clean_env": _switch,
}
"""One reader a setting; a `ValueError` says what is wanted."""


def variable(name: str) -> str:
    """The environment variable of a setting: `toolset` -> `DAPWRIGHT_TOOLSET`."""
    return "DAPWRIGHT_" + name.upper()


def read_settings(
    environment: Mapping[str, str], flags: Mapping[str, str | None] | None = None, *, separator: str = ":"
) -> Settings:
    """Read the settings; a flag wins over the environment, an empty value counts as absent.

    `separator` parts the folders of `roots`, as the platform's PATH does.

    Raises:
        UsageError: a value is none of the allowed ones.
    """
    found: dict[str, Any] = {}
    for name, read in READERS.items():
        text = (flags or {}).get(name) or environment.get(variable(name), "").strip()
        if not text:
            continue
        try:
            value = read(text)
        except ValueError as wanted:
            message = f"`{variable(name)}` is `{text}`; it takes {wanted}"
            raise UsageError(message, f"set `{variable(name)}` to one of these, or leave it out") from None
        if name == "roots":
            value = tuple(folder for folder in value.split(separator) if folder)
        found.update(value if name == "gate" else {name: value})
    return Settings(**found)
