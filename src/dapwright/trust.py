"""The workspaces whose own rules the person trusts: a list in the user's configuration, by folder and by content.

Trust is in the text of `.dapwright.toml` as it was when the person looked: a change takes it away.
"""

import hashlib
import os
import sys
from contextlib import suppress
from pathlib import Path

import msgspec

from dapwright.core.errors import SetupError

NAME = ".dapwright.toml"
LARGEST = 256 * 1024


def read(folder: str) -> str:
    """The text of a workspace's own file, "" where it has none.

    Raises:
        SetupError: there is one, and it cannot be read: nothing may be started then.
    """
    path = Path(folder) / NAME
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise SetupError(f"`{path}` is larger than {LARGEST} bytes", "a person has to mend it")
        return data.decode()
    except (FileNotFoundError, NotADirectoryError):
        return ""
    except (OSError, UnicodeDecodeError) as wrong:
        raise SetupError(
            f"`{path}` cannot be read, so nothing is started: {wrong}", "a person has to mend it"
        ) from None


def is_trusted(folder: str, text: str) -> bool:
    """Whether the person trusts this folder's file as it is."""
    return _load().get(os.path.realpath(folder)) == digest(text)


def record(folder: str, text: str) -> None:
    """Trust a folder's file as it is."""
    _save({**_load(), os.path.realpath(folder): digest(text)})


def forget(folder: str) -> bool:
    """Trust a folder no more; whether it was trusted."""
    known = _load()
    found = known.pop(os.path.realpath(folder), None)
    _save(known)
    return found is not None


def digest(text: str) -> str:
    """Names a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def store() -> Path:
    """Where the list is kept."""
    if sys.platform == "win32":
        base = os.environ.get("APPDATA") or str(Path.home())
    else:
        base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "dapwright" / "trusted.json"


def _load() -> dict[str, str]:
    with suppress(OSError, msgspec.MsgspecError):
        return msgspec.json.decode(store().read_bytes(), type=dict[str, str])
    return {}


def _save(known: dict[str, str]) -> None:
    import tempfile  # late: only a change of the list pays for it

    path = store()
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor, beside = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(known))
    Path(beside).replace(path)
