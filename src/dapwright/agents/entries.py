"""A server's entry added to the text of a configuration; every other entry stays as it is."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

NAME = "dapwright"


class Unreadable(Exception):
    """The file is not what we can add to without risk: the person has to do it."""


class Taken(Exception):
    """The file has an entry of our name that says something else."""


def add_to_json(text: str, key: str, entry: Mapping[str, Any]) -> str:
    """Return `text` with our entry in its table `key`; the same text where it has it already.

    Raises:
        Unreadable: no plain JSON object (comments, say, which would be lost).
        Taken: there is another entry of our name.
    """
    try:
        data = json.loads(text, object_pairs_hook=_no_doubles) if text.strip() else {}
    except ValueError as wrong:
        raise Unreadable(f"it is not plain JSON ({wrong})") from None
    if not isinstance(data, dict) or not isinstance(data.setdefault(key, {}), dict):
        raise Unreadable(f"its `{key}` is not a table")
    if NAME in data[key]:
        if data[key][NAME] == entry:
            return text
        raise Taken
    data[key][NAME] = dict(entry)
    return json.dumps(data, indent=_indent(text), ensure_ascii=False) + "\n"


def add_to_toml(text: str, key: str, entry: Mapping[str, Any]) -> str:
    """Return `text` with our table put at its end, checked by reading it again; else as `add_to_json`.

    Raises:
        Unreadable: no TOML, or its servers are written in a way that a table cannot be added to.
        Taken: there is another entry of our name.
    """
    try:
        before = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise Unreadable(f"it is not TOML ({wrong})") from None
    servers = before.get(key, {})
    if not isinstance(servers, dict):
        raise Unreadable(f"its `{key}` is not a table")
    if NAME in servers:
        if servers[NAME] == entry:
            return text
        raise Taken
    gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
    added = text + gap + toml_table(key, entry)
    try:
        after = tomllib.loads(added)
    except tomllib.TOMLDecodeError:
        raise Unreadable(f"its `{key}` is written in one line") from None
    if after != before | {key: servers | {NAME: dict(entry)}}:
        raise Unreadable("a table at its end would change another one")
    return added


def toml_table(key: str, entry: Mapping[str, Any]) -> str:
    """Return the entry as a table; strings, lists of them and numbers read alike in JSON and TOML."""
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in entry.items()]
    return "\n".join([f"[{key}.{NAME}]", *lines]) + "\n"


def json_table(key: str, entry: Mapping[str, Any]) -> str:
    """Return the entry as a whole JSON file would have it."""
    return json.dumps({key: {NAME: dict(entry)}}, indent=2, ensure_ascii=False) + "\n"


def _indent(text: str) -> int | str:
    found = re.search(r"\n([ \t]+)\S", text)
    return found[1] if found else 2


def _no_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name stands there twice")
    return dict(pairs)
