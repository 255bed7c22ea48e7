"""Ask a real server for its tool list, the way a client does."""

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "bench"))

from mcp_client import Server  # noqa: E402

TOOLSETS = ("core", "focused", "native", "all")


def tools_of(toolset: str) -> list[dict[str, Any]]:
    """Return the tools that `dapwright serve` lists for a toolset, as they came over the wire."""
    plain = {name: "" for name in os.environ if name.startswith("DAPWRIGHT_")}
    with tempfile.TemporaryDirectory(prefix="dapwright-tools-") as folder:
        argv = [sys.executable, "-m", "dapwright", "serve", "--toolset", toolset]
        with Server(argv, cwd=Path(folder), env=plain) as server:
            tools: list[dict[str, Any]] = server.request("tools/list", {})["tools"]
            return tools
