"""The tool list as it ships (`contract.json`, written by `golden`): told without reading one tool."""

from pathlib import Path
from typing import Any

import msgspec

from dapwright.policy.settings import Settings
from dapwright.tools.registry import REGISTERED, listed

FILE = Path(__file__).with_name("contract.json")


def tool_list(settings: Settings) -> list[dict[str, Any]]:
    """The tools that a server with these settings tells: from the registry once it is read, before that from the file.

    A test holds the two equal.
    """
    return listed(settings) if REGISTERED else shipped(settings)


def shipped(settings: Settings) -> list[dict[str, Any]]:
    """The tools that these settings list, as the file has them."""
    contract = msgspec.json.decode(FILE.read_bytes())
    known = {one["name"]: one for one in contract["tools"]}
    known |= contract["addressing"].get(settings.addressing, {})
    if settings.toolset == "focused":
        known |= contract["lean"].get(settings.addressing, {})
    return [known[name] for name in contract["lists"][settings.toolset]]
