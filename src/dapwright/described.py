"""The adapters that users bring: read from the user's configuration folder and from the workspace."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NoReturn

from msgspec.structs import replace

from dapwright import adapters, files
from dapwright.core import described
from dapwright.core.adapter import Adapter
from dapwright.core.errors import DapwrightError, NotAllowed
from dapwright.core.model import Attach, Host, Launch, Planning

WORKSPACE = ".dapwright.toml"
PERSONAL = "config.toml"


def personal_folder(environment: Mapping[str, str]) -> Path:
    """The user's configuration folder of ours."""
    if sys.platform == "win32":
        return Path(environment.get("APPDATA") or Path.home() / "AppData" / "Roaming") / "dapwright"
    return Path(environment.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "dapwright"


class Brought:
    """What the files describe now; a file is read again only when it has changed.

    A workspace may not bring a command to run by itself: until `trusted()`, its languages
    are listed and refused, and hide none of ours.
    """

    def __init__(self, workspace: Path, personal: Path, trusted: Callable[[], bool]) -> None:
        self._files = (personal / PERSONAL, workspace / WORKSPACE)
        self._trusted = trusted
        self._read: dict[Path, tuple[tuple[int, int], dict[str, Adapter], DapwrightError | None]] = {}

    def adapters(self) -> Mapping[str, Adapter]:
        """The languages by name; a file that cannot be understood brings none."""
        personal, workspace = self._files
        found = dict(self._look(personal)[0])
        trusted = self._trusted()
        for name, adapter in self._look(workspace)[0].items():
            if trusted:
                found[name] = adapter
            elif name not in found and name not in adapters.ours():
                found[name] = distrusted(adapter, workspace)
        return found

    def problem(self) -> DapwrightError | None:
        """Why a file cannot be understood; None where all can."""
        return next((wrong for file in self._files if (wrong := self._look(file)[1]) is not None), None)

    def _look(self, file: Path) -> tuple[dict[str, Adapter], DapwrightError | None]:
        try:
            status = os.stat(file)
        except OSError:
            return {}, None
        stamp = (status.st_mtime_ns, status.st_size)
        if file not in self._read or self._read[file][0] != stamp:
            self._read[file] = (stamp, *_understood(file))
        return self._read[file][1:]


def _understood(file: Path) -> tuple[dict[str, Adapter], DapwrightError | None]:
    try:
        return described.read(files.read(str(file)).text, str(file)), None
    except DapwrightError as wrong:
        return {}, wrong


def distrusted(adapter: Adapter, file: Path) -> Adapter:
    """The same language, which says why it does not run."""
    reason = f"`{adapter.language}` is described by `{file}`, and this workspace is not trusted to bring commands"
    hint = "the person can trust it: start the server with DAPWRIGHT_TRUST=workspace, or run `dapwright trust`"

    def refuse() -> NoReturn:
        raise NotAllowed(reason, hint)

    def plan(launch: Launch, host: Host) -> Planning:
        refuse()
        yield

    def attach(target: Attach, host: Host) -> Planning:
        refuse()
        yield

    return replace(
        adapter,
        plan=plan if adapter.plan else None,
        attach=attach if adapter.attach else None,
        check=lambda host: reason,
        check_attach=lambda host: reason,
        setup=hint,
        installs=None,
        extensions=(),
        aliases=(),
    )
