"""A revision of the project beside the working tree: checked out into a folder of its own, gone afterwards."""

import contextlib
import os
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass

from dapwright.core.calls import Call
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Ran, Run
from dapwright.session import Session, launching

SECONDS = 30.0
LINKED = (".venv", "venv", "env", "node_modules")
"""What a project keeps beside its sources and not among them: the revision's program needs it too."""
NO_HOOKS = ("-c", "core.hooksPath=" + os.devnull, "-c", "core.fsmonitor=false")


@dataclass(frozen=True)
class Tree:
    """A revision checked out: where the working tree is, and where this one."""

    root: str
    folder: str
    commit: str

    def place(self, path: str) -> str:
        """The path of the same file in the revision; one that lies elsewhere is itself."""
        absolute = os.path.realpath(path)
        inside = os.path.commonpath([self.root, absolute]) == self.root
        return os.path.join(self.folder, os.path.relpath(absolute, self.root)) if inside else path

    def strangers(self, calls: Iterable[Call]) -> list[str]:
        """Files of the working tree that ran though the revision was asked for (an editable installation)."""
        linked = tuple(os.path.join(self.root, name) + os.sep for name in LINKED)
        files = {call.file for call in calls}
        return sorted(f for f in files if f.startswith(self.root + os.sep) and not f.startswith(linked))

    def rename(self, calls: Iterable[Call]) -> None:
        """Have calls speak of the working tree's paths, so that the folder alone makes no difference."""
        for call in calls:
            call.file = call.file.replace(self.folder, self.root)
            call.arguments = {name: text.replace(self.folder, self.root) for name, text in call.arguments.items()}
            call.value = call.value.replace(self.folder, self.root)
            self.rename(call.calls)


@contextlib.asynccontextmanager
async def checked_out(session: Session, folder: str, revision: str) -> AsyncIterator[Tree]:
    """Check a revision out below the folder for temporary files; `session` is who asks for its processes.

    Raises:
        UsageError: the folder is in no git repository, or the repository has no such revision.
        SetupError: git is not installed, or refuses.
    """
    if not revision or revision.startswith("-"):
        raise UsageError(f"`{revision}` is no revision", "name one as git does: `HEAD~1`, a branch, a commit")
    if session.host.which("git") is None:
        raise SetupError("git is not installed, and `revision` needs it", "install git, or leave `revision` out")
    found = await _git(session, folder, "rev-parse", "--show-toplevel")
    if found.code:
        raise UsageError(f"`{folder}` is in no git repository: {_words(found)}", "leave `revision` out, or pass `cwd`")
    root = os.path.realpath(found.stdout.strip())
    named = await _git(session, root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
    if named.code:
        raise UsageError(f"the repository has no revision `{revision}`", "`git log --oneline` lists some")
    commit = named.stdout.strip()
    place = os.path.realpath(tempfile.mkdtemp(prefix="dapwright-revision-"))
    tree = os.path.join(place, os.path.basename(root))
    try:
        made = await _git(session, root, "worktree", "add", "--detach", "--quiet", tree, commit)
        if made.code:
            raise SetupError(f"git does not check `{revision}` out: {_words(made)}", "try `git worktree add` by hand")
        _link(root, tree)
        yield Tree(root, tree, commit)
    finally:
        try:
            await _git(session, root, "worktree", "remove", "--force", tree)
        finally:
            shutil.rmtree(place, ignore_errors=True)


def _link(root: str, tree: str) -> None:
    for name in LINKED:
        if os.path.isdir(os.path.join(root, name)) and not os.path.lexists(os.path.join(tree, name)):
            os.symlink(os.path.join(root, name), os.path.join(tree, name))


async def _git(session: Session, folder: str, *words: str) -> Ran:
    return await launching.run(
        session, Run(("git", *NO_HOOKS, *words), folder, purpose="look at a revision", timeout_seconds=SECONDS)
    )


def _words(ran: Ran) -> str:
    return (ran.stderr or ran.stdout).strip()[:300]
