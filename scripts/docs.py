"""Write docs/tools.md anew from the server's own tool list; with --check say whether it would change."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tool_list import ROOT, TOOLSETS, tools_of

PAGE = ROOT / "docs" / "tools.md"
HEAD = """# Tools

Written by `make docs` from the server's own answer to `tools/list`: change the tool's signature or docstring,
never this page.
"""


def kind(schema: Mapping[str, Any]) -> str:
    """Return a short name for a JSON schema's type: `integer`, `list of string`, `a | b`."""
    if "enum" in schema:
        return " | ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(kind(part) for part in schema["anyOf"])
    name = schema.get("type", "any")
    if isinstance(name, list):
        return " or ".join(name)
    return f"list of {kind(schema.get('items', {}))}" if name == "array" else str(name)


def cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def chapter(tool: Mapping[str, Any], toolsets: list[str]) -> Iterator[str]:
    """Yield the lines that describe one tool."""
    yield f"## {tool['name']}\n"
    yield str(tool.get("description", "")).strip() + "\n"
    yield f"In the toolsets: {', '.join(toolsets)}.\n"
    properties = tool["inputSchema"].get("properties", {})
    if not properties:
        return
    needed = tool["inputSchema"].get("required", ())
    yield "| argument | type | |\n| --- | --- | --- |"
    for name, schema in properties.items():
        must = "Needed. " if name in needed else ""
        yield f"| `{name}` | {cell(kind(schema))} | {must}{cell(schema.get('description', ''))} |"
    yield ""


def page() -> str:
    """Return the whole page."""
    lists = {toolset: tools_of(toolset) for toolset in TOOLSETS}
    tools = {tool["name"]: tool for listed in lists.values() for tool in listed}
    lines = [HEAD]
    for name, tool in tools.items():
        lines += chapter(tool, [which for which, listed in lists.items() if any(one["name"] == name for one in listed)])
    return "\n".join(lines).rstrip() + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    written = page()
    if options.check:
        same = PAGE.is_file() and PAGE.read_text(encoding="utf-8") == written
        print(f"{PAGE.relative_to(Path.cwd()) if PAGE.is_relative_to(Path.cwd()) else PAGE}: ", end="")
        print("as the server says" if same else "out of date, run `make docs`")
        return 0 if same else 1
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(written, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
