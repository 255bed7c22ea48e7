"""PHP values as text."""

import xml.etree.ElementTree as ET

from dapwright.engines.php.dbgp import NAMES, text_of

SHOWN = 5
"""Items of an array, or properties of an object, that stand in its own line."""
LONGEST = 60
PLAIN = {"null": "null", "uninitialized": "uninitialized"}


def name_of(known: ET.Element) -> str:
    """A property's own name; Xdebug gives it as an element where it is no plain text."""
    child = known.find("d:name", NAMES)
    return text_of(child) if child is not None else known.get("name", "")


def full_name(known: ET.Element) -> str:
    """The expression that reaches a property, for Xdebug and for PHP: `$a["b"]->c`."""
    child = known.find("d:fullname", NAMES)
    return text_of(child) if child is not None else known.get("fullname", "")


def content(known: ET.Element) -> str:
    """A scalar's text."""
    child = known.find("d:value", NAMES)
    return text_of(child if child is not None else known)


def type_of(known: ET.Element) -> str:
    """Its type; an object's class."""
    return known.get("classname") or known.get("type") or ""


def length(known: ET.Element) -> int:
    """How many children it has."""
    return int(known.get("numchildren", "0"))


def children(known: ET.Element) -> list[ET.Element]:
    """The children that came with it."""
    return known.findall("d:property", NAMES)


def show(known: ET.Element, *, inner: bool = False) -> str:
    """A value as a person would write it, containers cut after a few items."""
    kind = known.get("type", "")
    match kind:
        case "string":
            return string(known)
        case "bool":
            return "true" if content(known) == "1" else "false"
        case "array":
            return container(known, f"array({length(known)})", inner)
        case "object":
            return container(known, known.get("classname", "object"), inner)
        case "int":
            return content(known)
        case "float":
            text = content(known)
            return text + ".0" if text.lstrip("-").isdigit() else text
    return PLAIN.get(kind, content(known) or kind)


def string(known: ET.Element) -> str:
    """A string in quotes; what Xdebug cut is counted."""
    text = content(known)
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    missing = int(known.get("size", "0") or 0) - len(text.encode("utf-8", "replace"))
    return f'"{escaped}"' + (f" ... ({missing} bytes more)" if missing > 0 and escaped else "")


def container(known: ET.Element, label: str, inner: bool) -> str:
    """An array or object by its first items."""
    mine = children(known)
    if inner or not mine:
        return label
    is_array = known.get("type") == "array"
    parts: list[str] = []
    for child in mine[:SHOWN]:
        value = show(child, inner=True)
        value = value if len(value) <= LONGEST else value[:LONGEST] + "..."
        name = name_of(child)
        if is_array:
            parts.append(f"{name} => {value}" if name.lstrip("-").isdigit() else f"'{name}' => {value}")
        else:
            parts.append(f"{name}: {value}")
    more = ", ..." if length(known) > len(parts) else ""
    inside = ", ".join(parts) + more
    return f"{label} [{inside}]" if is_array else f"{label} {{{inside}}}"
