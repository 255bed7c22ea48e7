"""V8's remote objects as text and DAP variables. Pure.

Values are shown as a JavaScript programmer writes them; nothing of the program runs for it:
V8's previews hold what is needed, and a getter stays a getter until somebody asks for it.
"""

import re
from typing import Any

Remote = dict[str, Any]

LONGEST = 1 << 20
"""Characters of one value at most; what is cut says so."""
_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$]*\Z")
_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "'": "\\'", "\\": "\\\\"}
_ESCAPED = re.compile(r"[\n\r\t'\\]")


def quote(text: str) -> str:
    """Return `text` as a JavaScript string in single quotes."""
    return "'" + _ESCAPED.sub(lambda found: _ESCAPES[found[0]], text) + "'"


def clip(text: str) -> str:
    """Cut a text that nobody could read, saying so."""
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}… ({len(text)} characters)"


def render(value: Remote) -> str:
    """Return a remote object as one line of text (an error: its name and message)."""
    kind, sub = value.get("type"), value.get("subtype")
    if kind == "string":
        return clip(quote(value.get("value", "")))
    if kind == "undefined":
        return "undefined"
    if sub == "null":
        return "null"
    if kind in ("number", "boolean", "bigint"):
        return str(value.get("unserializableValue") or _plain(value.get("value")))
    if kind == "symbol":
        return clip(value.get("description", "Symbol()"))
    if kind == "function":
        return function_head(value.get("description", ""))
    if sub == "error":
        return clip(error_head(value.get("description", "Error")))
    if preview := value.get("preview"):
        return clip(show_preview(preview))
    return clip(value.get("description") or value.get("className") or "Object")


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    return str(value)


def function_head(description: str) -> str:
    """`f name(a, b)` for a function's source, `class Name` for a class."""
    line = description.lstrip()
    if line.startswith("class"):
        return line.partition("{")[0].strip()
    head = line.partition("{")[0].split("=>")[0].strip()
    if "=>" in line.partition("{")[0]:
        return f"{head} => …"
    head = re.sub(r"^(async\s+)?function\b\s*(\*?)\s*", r"\1\2", head)
    return "f " + (head or "()")


def error_head(description: str) -> str:
    """The name and message of an error, without its stack."""
    lines = description.split("\n")
    end = next((i for i, line in enumerate(lines) if re.match(r"\s+at\s", line)), len(lines))
    return "\n".join(lines[:end])


def show_preview(preview: Remote) -> str:
    """Return an object's preview: `Item {name: 'pen'}`, `(2) [1, 2]`, `Map(1) {'a' => 1}`."""
    name, sub = preview.get("description", "Object"), preview.get("subtype")
    more = ["…"] if preview.get("overflow") else []
    if sub in ("date", "regexp", "node", "generator") or preview.get("type") == "function":
        return str(name)
    if entries := preview.get("entries"):
        shown = [(f"{show_preview(e['key'])} => " if "key" in e else "") + show_preview(e["value"]) for e in entries]
        return f"{name} {{{', '.join(shown + more)}}}"
    if preview.get("type") not in ("object", None):
        return quote(str(name)) if preview.get("type") == "string" else str(name)
    properties = preview.get("properties", [])
    if sub == "typedarray":
        properties = [p for p in properties if p["name"].isdigit()]
    if sub in ("array", "typedarray"):
        items = [_property(p) if p["name"].isdigit() else f"{p['name']}: {_property(p)}" for p in properties]
        sized = re.fullmatch(r"(.*)\((\d+)\)", str(name))
        head = f"({sized[2]}) " if sized and sized[1] == "Array" else f"{name} "
        return f"{head}[{', '.join(items + more)}]"
    shown = [f"{p['name']}: {_property(p)}" for p in properties]
    if sub == "promise":
        shown = [f"<{_value_of(properties, '[[PromiseState]]')}>"] + [
            p for p in shown if not p.startswith("[[PromiseState]]") and not p.endswith("]]: undefined")
        ]
    head = "" if name == "Object" else f"{name} "
    return f"{head}{{{', '.join(shown + more)}}}" if shown or more or sub != "error" else str(name)


def _value_of(properties: list[Remote], name: str) -> str:
    return next((str(p.get("value", "")) for p in properties if p["name"] == name), "")


def _property(shown: Remote) -> str:
    if shown.get("type") == "accessor":
        return "(...)"
    if inner := shown.get("valuePreview"):
        return show_preview(inner)
    if shown.get("type") == "string":
        return quote(str(shown.get("value", "")))
    if shown.get("type") == "function":
        return "f"
    text = str(shown.get("value", ""))
    return re.sub(r"^Array(\(\d+\))$", r"\1 […]", text) if shown.get("subtype") == "array" else text


def type_name(value: Remote) -> str:
    """`number`, `string`, a class's name, ..."""
    if value.get("subtype") == "null":
        return "null"
    if value.get("type") == "object":
        return str(value.get("className") or "Object")
    return str(value.get("type", ""))


def member(parent: str, name: str) -> str:
    """Return the expression for a property of `parent`; "" where there is none."""
    if not parent:
        return ""
    if _IDENTIFIER.match(name):
        return f"{parent}.{name}"
    if name.startswith("#"):
        return f"{parent}.{name}"
    return f"{parent}[{name}]" if name.isdigit() else f"{parent}[{quote(name)}]"


def indexed_count(value: Remote) -> int | None:
    """How many elements an array, typed array, Map or Set holds, by its description."""
    if value.get("subtype") not in ("array", "typedarray", "map", "set"):
        return None
    found = re.search(r"\((\d+)\)\Z", value.get("description", ""))
    return int(found[1]) if found else None


def argument(value: Remote) -> Remote:
    """Return a remote object as a call's argument."""
    if "objectId" in value:
        return {"objectId": value["objectId"]}
    if "unserializableValue" in value:
        return {"unserializableValue": value["unserializableValue"]}
    return {"value": value["value"]} if "value" in value else {}


def failure(details: Remote) -> str:
    """The words of `exceptionDetails`: `TypeError: ...`, or the thrown value."""
    thrown = details.get("exception")
    if thrown is None:
        return str(details.get("text", "failed"))
    return render(thrown) if thrown.get("subtype") == "error" else f"thrown: {render(thrown)}"
