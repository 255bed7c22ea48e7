"""Which workspace a call is for, of several behind one port. It never guesses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dapwright.core.errors import UsageError
from dapwright.policy.folders import contains

PATHS = frozenset({"scriptPath", "program", "file", "fileFullPath", "cwd", "test", "coreFile", "classesDir"})
"""The arguments that name a path of the workspace, wherever they stand in a call."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """An open workspace: its folder, the tag that its sessions' ids begin with, and whether the folder was named.

    A server that was started without `--workspace` serves its own folder, and whatever is asked
    of it while it is the only one.
    """

    folder: str
    tag: str
    named: bool = False


def paths_of(arguments: Any) -> Iterator[str]:
    """Every path that a call's arguments name, in order; test ids without what follows the file."""
    if isinstance(arguments, Mapping):
        for key, value in arguments.items():
            if key in PATHS and isinstance(value, str):
                yield value.partition("::")[0]
            else:
                yield from paths_of(value)
    elif isinstance(arguments, (list, tuple)):
        for item in arguments:
            yield from paths_of(item)


def by_session(workspaces: Sequence[Workspace], session_id: str) -> Workspace | None:
    """The workspace whose tag a session's id carries."""
    return next((one for one in workspaces if one.tag and session_id.startswith(one.tag)), None)


def by_path(workspaces: Sequence[Workspace], paths: Sequence[str], *, separator: str = "/") -> Workspace | None:
    """The workspace with the deepest folder around the first path that lies in any.

    Raises:
        UsageError: two servers serve that very folder.
    """
    for path in paths:
        around = [one for one in workspaces if contains(one.folder, path, separator=separator)]
        deepest = max((len(one.folder) for one in around), default=0)
        found = [one for one in around if len(one.folder) == deepest]
        if len(found) > 1:
            raise UsageError(f"{len(found)} servers serve `{found[0].folder}`", "end all but one of them")
        if found:
            return found[0]
    return None


def choose(
    workspaces: Sequence[Workspace], *, session_id: str = "", paths: Sequence[str] = (), separator: str = "/"
) -> Workspace | None:
    """The workspace that a call is for; None where nothing in it tells and several are open.

    A session's id decides first: nobody else could serve it. Then the paths, canonical and absolute.

    Raises:
        UsageError: what the call names lies in no open workspace; they are listed.
    """
    if session_id and (owner := by_session(workspaces, session_id)):
        return owner
    if owner := by_path(workspaces, paths, separator=separator):
        return owner
    alone = workspaces[0] if len(workspaces) == 1 else None
    if alone is not None and (not alone.named or not (paths or session_id)):
        return alone
    if paths:
        raise unmatched(f"`{paths[0]}` lies in no open workspace", workspaces)
    if session_id:
        raise unmatched(f"no open workspace has a session `{session_id}`", workspaces)
    return None


def unmatched(message: str, workspaces: Sequence[Workspace]) -> UsageError:
    """The refusal of a call that is for none of the workspaces; it lists them."""
    folders = ", ".join(f"`{one.folder}`" for one in workspaces) or "none"
    return UsageError(f"{message}; open workspaces: {folders}", "name an absolute path in one of them, or a session")
