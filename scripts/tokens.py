"""Print what the tool lists and the golden answers cost a model; exit with 1 where a limit is broken.

Tokens are counted as a quarter of the characters: close enough to compare, and the same everywhere.
"""

import json
import sys
from typing import Any

from tool_list import ROOT, TOOLSETS, tools_of

SEEN = ("name", "description", "inputSchema")
"""What of a tool clients show a model."""
LIMITS = {"core": 28_000, "focused": 9_000}
"""Bytes."""
ANSWERS = ROOT / "tests" / "golden" / "answers"
BRIEF_JSON, BRIEF_TEXT = 5_000, 4_000
"""Characters of a brief answer's two forms."""


def size(tools: list[dict[str, Any]]) -> int:
    seen = [{key: tool[key] for key in SEEN if key in tool} for tool in tools]
    return len(json.dumps(seen, separators=(",", ":"), ensure_ascii=False).encode())


def main() -> int:
    fine = True
    print(f"{'tool list':32}{'tools':>8}{'bytes':>9}{'tokens':>9}{'limit':>9}")
    for toolset in TOOLSETS:
        tools = tools_of(toolset)
        cost, limit = size(tools), LIMITS.get(toolset)
        fine = fine and not (limit and cost > limit)
        print(f"{toolset:32}{len(tools):8}{cost:9}{cost // 4:9}{limit or '':>9}")
    print(f"\n{'golden answer':57}{'chars':>8}{'tokens':>9}{'limit':>9}")
    for path in sorted(ANSWERS.rglob("*")):
        if path.suffix not in (".json", ".txt"):
            continue
        cost = len(path.read_text(encoding="utf-8"))
        limit = BRIEF_JSON if path.suffix == ".json" else BRIEF_TEXT
        print(f"{path.relative_to(ANSWERS)!s:57}{cost:8}{cost // 4:9}{limit:9}{'  OVER' if cost > limit else ''}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
