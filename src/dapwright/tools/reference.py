"""docs/tools.md, made of the registry: `python -m dapwright.tools.reference FILE` writes it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dapwright.policy.settings import Settings
from dapwright.tools.registry import Tool, every, find, listed

INTRODUCTION = """\
# Tools

Made from the tools themselves by `make docs`; do not edit it here. Names in bold are required. \
Lists: `core` is the default, `focused` the shortest, `native` adds memory and reverse execution.
"""
HINTS = {
    "readOnlyHint": "reads only",
    "destructiveHint": "may change or end what runs",
    "idempotentHint": "twice is as once",
    "openWorldHint": "reaches beyond this machine's debugger",
}


def reference() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for one in listed(Settings(toolset="all")):
        parts.append("\n".join(_section(find(one["name"]), one)))
    unlisted = [f"`{one.name}`" for one in every() if not one.listed]
    if unlisted:
        parts.append(f"## Understood though not listed\n\n{', '.join(unlisted)}.\n")
    return "\n".join(parts)


def _section(tool: Tool, told: dict[str, Any]) -> Iterator[str]:
    yield f"## {tool.name}\n"
    yield told["description"] + "\n"
    hints = [text for key, text in HINTS.items() if tool.hints[key]]
    yield f"*{tool.title}*; lists: {', '.join(tool.toolsets)}{''.join('; ' + one for one in hints)}.\n"
    schema = told["inputSchema"]
    if not schema["properties"]:
        return
    yield "| argument | type | meaning |"
    yield "| --- | --- | --- |"
    for name, part in schema["properties"].items():
        shown = f"**`{name}`**" if name in schema.get("required", ()) else f"`{name}`"
        default = f" (default `{str(part['default']).lower()}`)" if "default" in part else ""
        yield f"| {shown} | {_type(part)}{default} | {_cell(part.get('description', ''))} |"
    yield ""


def _type(part: dict[str, Any]) -> str:
    if "anyOf" in part:
        return " or ".join(_type(one) for one in part["anyOf"])
    if "enum" in part:
        return ", ".join(f"`{one}`" for one in part["enum"])
    kind = part.get("type", "any")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array" and "items" in part:
        return "list of " + _type(part["items"])
    if kind == "object" and "properties" in part:
        return "{" + ", ".join(part["properties"]) + "}"
    return str(kind)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(reference(), encoding="utf-8")
