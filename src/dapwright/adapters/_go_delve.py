"""Which Delve fits this machine's Go, and what installs one that does."""

import re
from collections.abc import Generator, Mapping
from typing import Any

from dapwright.core.errors import SetupError
from dapwright.core.model import Host, Ran, Run
from dapwright.core.parts import Installing, Part

PAIR = Part(
    "Go, and a Delve that fits it", ("apt-get install golang delve", "brew install go delve"), "https://go.dev/dl"
)
DELVE = "go install github.com/go-delve/delve/cmd/dlv@"
INSTALL = DELVE + "latest"
OLDEST = {20: 18, 21: 19, 22: 19, 23: 21, 24: 21, 25: 22, 26: 24, 27: 25}
"""The oldest Go that each Delve takes, both by their minor versions; the newest is its own number (its compat.go)."""


_SAID: dict[tuple[tuple[str, ...], float], Ran] = {}
"""What programs told of themselves, as long as they are the same: three processes a launch cost more than its rest."""


def said(argv: tuple[str, ...], host: Host, purpose: str) -> Generator[Run, Ran, Ran]:
    """Ask a tool about its last word, or about itself; asked once for each time that file was written."""
    path = argv[-1] if host.is_file(argv[-1]) else argv[0]
    key = (argv, host.modified(path))
    if key in _SAID:
        return _SAID[key]
    ran = yield Run(argv, cwd="", purpose=purpose, timeout_seconds=20)
    if ran.code == 0 and key[1]:
        _SAID[key] = ran
    return ran


def dlv_candidates(host: Host) -> list[str]:
    """The Delves of this machine: PATH, then where `go install` puts it."""
    roots = [
        host.env.get("GOBIN") or "",
        *(f"{path}/bin" for path in (host.env.get("GOPATH") or "").split(":") if path),
    ]
    places = [f"{root}/dlv" for root in [*roots, f"{host.home}/go/bin"] if root]
    found = [host.which("dlv"), *(path for path in places if host.is_file(path))]
    return list(dict.fromkeys(path for path in found if path))


def minor(text: str) -> int:
    """20 for `Version: 1.20.2` and for `go version go1.20.4 ...`; 0 where it cannot be read."""
    found = re.search(r"(?:Version: |go)1\.(\d+)", text)
    return int(found[1]) if found else 0


def find(host: Host, config: Mapping[str, Any]) -> Generator[Run, Ran, tuple[str, int, str]]:
    """The Delve that fits this machine's Go, with its minor version, and a note.

    Raises:
        SetupError: there is none, or all are older than the Go.
    """
    go = host.which("go")
    release = (yield from said((go, "version"), host, "find go")).stdout if go else ""
    seen: list[str] = []
    for path in [str(config["dlvPath"])] if config.get("dlvPath") else dlv_candidates(host):
        told = (yield from said((path, "version"), host, "find Delve")).stdout
        if fits(minor(told), minor(release)):
            return path, minor(told), f"debugger: {path} 1.{minor(told)}"
        seen.append(f"`{path}` is 1.{minor(told)}")
    version = minor(release)
    hint = f"`dapwright setup go` installs one that fits, or: {DELVE}{fitting(version)}"
    if not seen:
        raise SetupError("there is no Delve (`dlv`)", hint)
    raise SetupError(f"no Delve here fits Go 1.{version}: {', '.join(seen)}", hint)


def fits(delve: int, go: int) -> bool:
    """Whether a Delve takes a Go, by their minor versions (0: unknown, and taken).

    With a newer Go all locals are empty, an older one it refuses.
    """
    return not (delve and go) or OLDEST.get(delve, 0) <= go <= delve


def fitting(go: int) -> str:
    """The version of Delve to install for a Go's minor version: there was none from 1.10 to 1.19."""
    return "latest" if not go or go >= OLDEST[max(OLDEST)] else f"v1.{max(go, min(OLDEST))}"


def installs(host: Host) -> Installing:
    """Delve, where none here fits the Go; Go too, where there is none."""
    go = host.which("go")
    if go is None:
        return (PAIR,)
    try:
        yield from find(host, {})
    except SetupError as lacking:
        release = (yield from said((go, "version"), host, "find go")).stdout
        return (Part("Delve", (DELVE + fitting(minor(release)),), why=str(lacking)),)
    return ()
