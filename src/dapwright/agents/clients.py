"""The agents that we know how to configure: where each keeps its servers, skills and subagents."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SECONDS = 60
"""A client's limit for one call, where it can be told: the longest wait of ours is 45 s, the ceiling 50 s."""


@dataclass(frozen=True)
class Places:
    """The folders that configurations lie in."""

    workspace: Path
    home: Path
    codex: Path
    """`CODEX_HOME`, by default `~/.codex`."""


@dataclass(frozen=True)
class Client:
    """One agent. `key` is the table of servers in its file; `signs` are files that tell of it here."""

    name: str
    title: str
    command: str
    file: Callable[[Places], Path]
    key: str
    entry: Callable[[Sequence[str]], Mapping[str, Any]]
    signs: Callable[[Places], tuple[Path, ...]]
    skills: Callable[[Places], Path] | None = None
    subagents: Callable[[Places], Path] | None = None

    def is_here(self, places: Places) -> bool:
        """Whether the agent's command or files are on this machine or in this workspace."""
        return bool(shutil.which(self.command)) or any(sign.exists() for sign in self.signs(places))


def plain(argv: Sequence[str]) -> dict[str, Any]:
    """The entry that most clients take."""
    return {"command": argv[0], "args": list(argv[1:])}


CLIENTS: Mapping[str, Client] = {
    client.name: client
    for client in (
        Client(
            name="claude",
            title="Claude Code",
            command="claude",
            file=lambda at: at.workspace / ".mcp.json",
            key="mcpServers",
            entry=plain,
            signs=lambda at: (at.workspace / ".claude", at.workspace / "CLAUDE.md", at.home / ".claude.json"),
            skills=lambda at: at.workspace / ".claude" / "skills",
            subagents=lambda at: at.workspace / ".claude" / "agents",
        ),
        Client(
            name="codex",
            title="Codex",
            command="codex",
            file=lambda at: at.codex / "config.toml",
            key="mcp_servers",
            entry=lambda argv: plain(argv) | {"tool_timeout_sec": SECONDS},
            signs=lambda at: (at.codex,),
            skills=lambda at: at.codex / "skills",
        ),
        Client(
            name="vscode",
            title="VS Code",
            command="code",
            file=lambda at: at.workspace / ".vscode" / "mcp.json",
            key="servers",
            entry=lambda argv: {"type": "stdio"} | plain(argv),
            signs=lambda at: (at.workspace / ".vscode",),
        ),
        Client(
            name="cursor",
            title="Cursor",
            command="cursor",
            file=lambda at: at.workspace / ".cursor" / "mcp.json",
            key="mcpServers",
            entry=plain,
            signs=lambda at: (at.workspace / ".cursor", at.home / ".cursor"),
        ),
    )
}
"""The known agents by name."""
