"""What an installation would write: decided as a whole before anything is written."""

import difflib
import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from dapwright.agents import entries
from dapwright.agents.clients import Client, Places

HERE = Path(__file__).parent
SKILL = HERE / "skill"
SUBAGENT = HERE / "subagent" / "dapwright-debugger.md"


@dataclass(frozen=True)
class Change:
    """One file: what becomes of it, its text now and then, and what the person should know."""

    path: Path
    act: Literal["write", "same", "keep"]
    before: str = ""
    after: str = ""
    note: str = ""

    def shown(self) -> str:
        """The difference as a person reads it: a new file whole, else what changes."""
        if not self.before:
            return "".join(f"+{line}" for line in self.after.splitlines(keepends=True))
        lines = difflib.unified_diff(self.before.splitlines(keepends=True), self.after.splitlines(keepends=True), n=1)
        return "".join(line for line in lines if not line.startswith(("---", "+++")))


def changes(client: Client, places: Places, argv: Sequence[str], *, update: bool = False) -> Iterator[Change]:
    """Yield what installing for one agent would do; `update` writes our own files anew where they differ."""
    yield server_entry(client, places, argv)
    if client.skills is not None:
        folder = client.skills(places) / entries.NAME
        for page in sorted(SKILL.glob("*.md")):
            yield own_file(folder / page.name, page.read_text(encoding="utf-8"), update=update)
    if client.subagents is not None:
        yield own_file(client.subagents(places) / SUBAGENT.name, SUBAGENT.read_text(encoding="utf-8"), update=update)


def server_entry(client: Client, places: Places, argv: Sequence[str]) -> Change:
    """The change of the agent's configuration; a file that cannot be added to safely is kept, with what to add."""
    path, entry = client.file(places), client.entry(argv)
    is_toml = path.suffix == ".toml"
    wanted = (entries.toml_table if is_toml else entries.json_table)(client.key, entry)
    try:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        after = (entries.add_to_toml if is_toml else entries.add_to_json)(before, client.key, entry)
    except entries.Taken:
        return Change(path, "keep", note=f"it has another entry `{entries.NAME}`; ours would be:\n{wanted}")
    except (entries.Unreadable, UnicodeDecodeError, OSError) as wrong:
        return Change(path, "keep", note=f"{wrong}; add this by hand:\n{wanted}")
    return Change(path, "same" if before == after else "write", before, after)


def own_file(path: Path, text: str, *, update: bool) -> Change:
    """The change of a file that is ours by its name."""
    try:
        before = path.read_text(encoding="utf-8") if path.exists() else ""
    except (OSError, UnicodeDecodeError) as wrong:
        return Change(path, "keep", note=str(wrong))
    if before == text:
        return Change(path, "same", before, text)
    if before and not update:
        return Change(path, "keep", note="it differs from ours; `--update` writes it anew")
    return Change(path, "write", before, text)


def write(change: Change) -> None:
    """Write a file whole or not at all, keeping its permissions and a link that leads to it.

    Raises:
        OSError: it cannot be written; nothing of it changed.
    """
    path = change.path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
            file.write(change.after)
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
