"""The public contract as a file: `python -m dapwright.tools.golden` writes the tool list that ships."""

import json
from typing import Any

from dapwright.policy.settings import ADDRESSING, TOOLSETS, Settings
from dapwright.tools.contract import FILE
from dapwright.tools.registry import every, listed


def contract() -> dict[str, Any]:
    """All tools as told by default, what addressing modes and the focused list change, and which lists have which."""
    told = {arm: {one["name"]: one for one in listed(Settings(toolset="all", addressing=arm))} for arm in ADDRESSING}
    lean = {arm: listed(Settings(toolset="focused", addressing=arm)) for arm in ADDRESSING}
    usual = told["content"]
    return {
        "tools": list(usual.values()),
        "lists": {toolset: [one["name"] for one in listed(Settings(toolset=toolset))] for toolset in TOOLSETS},
        "addressing": {
            arm: {name: one for name, one in told[arm].items() if one != usual.get(name)}
            for arm in ADDRESSING
            if arm != "content"
        },
        "lean": {arm: {one["name"]: one for one in lean[arm] if one != told[arm][one["name"]]} for arm in ADDRESSING},
        "unlisted": sorted(one.name for one in every() if not one.listed),
    }


def golden_text() -> str:
    """The contract as stable, readable JSON."""
    return json.dumps(contract(), indent=1, ensure_ascii=False) + "\n"


def model_bytes(toolset: str) -> int:
    """What a tool list costs a model: the bytes of names, descriptions and input schemas."""
    read = [
        {key: one[key] for key in ("name", "description", "inputSchema")} for one in listed(Settings(toolset=toolset))
    ]
    return len(json.dumps(read, separators=(",", ":")))


def main() -> int:
    """Write the file and tell the sizes of the lists."""
    FILE.write_text(golden_text(), encoding="utf-8")
    for toolset in TOOLSETS:
        print(f"{toolset}: {len(listed(Settings(toolset=toolset)))} tools, {model_bytes(toolset)} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
