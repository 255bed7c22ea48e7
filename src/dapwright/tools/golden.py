"""The public contract as a file: `python -m dapwright.tools.golden FILE` writes the tool list."""

import json
import sys
from pathlib import Path
from typing import Any

from dapwright.policy.settings import ADDRESSING, TOOLSETS, Settings
from dapwright.tools import ALL, listed


def contract() -> dict[str, Any]:
    """All tools as told by default, which lists have them, and what the other addressing modes change."""
    tools = {one["name"]: one for one in listed(Settings(toolset="all"))}
    arms = {
        arm: {
            one["name"]: one for one in listed(Settings(toolset="all", addressing=arm)) if one != tools.get(one["name"])
        }
        for arm in ADDRESSING
        if arm != "content"
    }
    lists = {toolset: [one["name"] for one in listed(Settings(toolset=toolset))] for toolset in TOOLSETS}
    unlisted = sorted(one.name for one in ALL.values() if not one.listed)
    return {"tools": list(tools.values()), "lists": lists, "addressing": arms, "unlisted": unlisted}


def golden_text() -> str:
    """The contract as stable, readable JSON."""
    return json.dumps(contract(), indent=1, ensure_ascii=False) + "\n"


def model_bytes(toolset: str) -> int:
    """What a tool list costs a model: the bytes of names, descriptions and input schemas."""
    read = [
        {key: one[key] for key in ("name", "description", "inputSchema")} for one in listed(Settings(toolset=toolset))
    ]
    return len(json.dumps(read, separators=(",", ":")))


def main(arguments: list[str]) -> int:
    """Write the golden file and tell the sizes of the lists."""
    if len(arguments) != 1:
        print("usage: python -m dapwright.tools.golden FILE", file=sys.stderr)
        return 2
    path = Path(arguments[0])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(golden_text(), encoding="utf-8")
    for toolset in TOOLSETS:
        print(f"{toolset}: {len(listed(Settings(toolset=toolset)))} tools, {model_bytes(toolset)} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
