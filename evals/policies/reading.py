"""What an agent reads, counted."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from mcp_client import Refused, Server


@dataclass
class Seen:
    """Everything that one policy has read of one program."""

    wanted: str
    """The betraying value."""
    calls: int = 0
    texts: list[str] = field(default_factory=list)
    characters: int = 0
    seconds: float = 0.0

    def read(self, text: str, other: str = "") -> None:
        """Count an answer by its larger form."""
        self.calls += 1
        self.texts += [text, other]
        self.characters += max(len(text), len(other))

    @property
    def shown(self) -> bool:
        """Whether the value was read as a whole word: `3` is not in `13`, `x3`, `3.5` or `file.py:3`."""
        forms = (self.wanted, json.dumps(self.wanted, ensure_ascii=False)[1:-1])
        whole = re.compile(r"(?<![\w.:])(?:" + "|".join(map(re.escape, forms)) + r")(?![\w]|\.\d)")
        return any(whole.search(text) for text in self.texts)

    def ask(self, server: Server, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; its answer counts by the larger of the two forms in which a client may show it."""
        try:
            told = server.call(tool, **arguments)
        except Refused as refused:
            self.read(str(refused))
            return {}
        text = "\n".join(part.get("text", "") for part in server.raw.get("content", []))
        self.read(text, json.dumps(told, ensure_ascii=False, separators=(",", ":")))
        return told
