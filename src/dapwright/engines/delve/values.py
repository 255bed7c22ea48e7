"""Delve's variables as text, written as Go writes them. Pure."""

import json
from typing import Any

Json = dict[str, Any]

INTERFACE, MAP, POINTER, SLICE, STRING, STRUCT = 20, 21, 22, 23, 24, 25
ARRAY, CHANNEL, FUNCTION = 17, 18, 19
"""Kinds, numbered as Go's `reflect.Kind`."""


def show(variable: Json, *, bare: bool = False) -> str:
    """A variable's value in one line; with `bare` without its type, which stands beside it already."""
    if variable.get("unreadable"):
        return f"<unreadable: {variable['unreadable']}>"
    kind, children = variable.get("kind", 0), variable.get("children") or []
    name = "" if bare else short(str(variable.get("type") or ""))
    match kind:
        case 24:
            return _string(variable)
        case 22:
            return _pointer(variable, children)
        case 20:
            return _interface(variable, children)
        case 21:
            return name + _map(variable, children)
        case 17 | 23:
            if kind == SLICE and not variable.get("base") and not variable.get("len"):
                return "nil"
            return name + _listed([show(each, bare=True) for each in children], variable)
        case 25:
            fields = [f"{each['name']}: {show(each)}" for each in children]
            return name + _listed(fields, variable)
        case 18 | 19:
            return short(str(variable.get("value") or variable.get("type") or "")) or "nil"
    return str(variable.get("value", ""))


def short(name: str) -> str:
    """A type without the path of its package: `*example.test/cart.Cart` is `*cart.Cart`."""
    head = name[: len(name) - len(name.lstrip("*[]0123456789"))]
    return head + name[len(head) :].rpartition("/")[2] if "{" not in name else name


def _listed(parts: list[str], variable: Json) -> str:
    more = int(variable.get("len") or 0) - len(parts)
    return "{" + ", ".join([*parts, *([f"... {more} more"] if more > 0 else [])]) + "}"


def _string(variable: Json) -> str:
    text = str(variable.get("value", ""))
    more = int(variable.get("len") or 0) - len(text.encode("utf-8", "replace"))
    return json.dumps(text, ensure_ascii=False) + (f"... {more} more" if more > 0 else "")


def _pointer(variable: Json, children: list[Json]) -> str:
    target = children[0] if children else {}
    if not target.get("addr"):
        return "nil"
    if target.get("onlyAddr"):
        return f"({short(str(variable.get('type')))}) {target['addr']:#x}"
    return "&" + show(target)


def _interface(variable: Json, children: list[Json]) -> str:
    held = children[0] if children else {}
    if not held or (not held.get("kind") and not held.get("addr")):
        return "nil"
    return show(held)


def _map(variable: Json, children: list[Json]) -> str:
    if not variable.get("base") and not children:
        return "{}" if variable.get("len") is not None else "nil"
    pairs = zip(children[::2], children[1::2], strict=False)
    parts = [f"{show(key)}: {show(value, bare=True)}" for key, value in pairs]
    return _listed(parts, variable)


def fields(variable: Json) -> dict[str, str] | None:
    """The fields of a struct, or of the one that a pointer leads to, as text; None of anything else."""
    if variable.get("kind") == POINTER:
        children = variable.get("children") or [{}]
        variable = children[0]
    if variable.get("kind") != STRUCT or variable.get("onlyAddr"):
        return None
    return {str(each["name"]): show(each) for each in variable.get("children") or []}
