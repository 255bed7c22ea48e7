"""What the client asked for: arguments of launch and attach, and what steps pass through."""

import re
from typing import Any

import msgspec

from dapwright.engines.node.scripts import PRELOAD


class Launch(msgspec.Struct, rename="camel"):
    """The arguments of `launch`. `None` in `env` unsets a variable."""

    program: str = ""
    args: list[str] = []
    cwd: str = ""
    env: dict[str, str | None] = {}
    runtime_executable: str = ""
    runtime_args: list[str] = []
    stop_on_entry: bool = False
    just_my_code: bool = True
    skip_files: list[str] = []
    auto_attach_child_processes: bool = True
    source_map_folder: str = ""
    """Where compiled files are looked for; the program's project by default."""
    url: str = ""
    """A page to open in Chromium, instead of a program."""
    web_root: str = ""
    """The folder that the page's server serves."""
    test: bool = False


class Attach(msgspec.Struct, rename="camel"):
    """The arguments of `attach`: a port, a process, or the inspector's own address."""

    port: int | None = None
    host: str = ""
    address: str = ""
    process_id: int | None = None
    websocket_address: str = ""
    cwd: str = ""
    stop_on_entry: bool = False
    just_my_code: bool = True
    skip_files: list[str] = []
    source_map_folder: str = ""
    timeout: int = 10_000
    web_root: str = ""
    path_mappings: list[dict[str, str]] = []


class Skipping(msgspec.Struct):
    """Which scripts a step passes through and a stack marks as not the user's."""

    just_my_code: bool = True
    globs: list[str] = []
    _globs: "re.Pattern[str] | None" = None

    def __post_init__(self) -> None:
        globs = [g for g in self.globs if not g.startswith("<")]
        self._globs = re.compile("|".join(map(glob, globs))) if globs else None

    def skips(self, url: str, path: str) -> bool:
        """Return whether a script is not the user's: Node's own, a package's, or one named in `skipFiles`."""
        if url.startswith("node:") or not (url or path) or path == PRELOAD:
            return True
        if self.just_my_code and "/node_modules/" in (path or url):
            return True
        return bool(self._globs and self._globs.search(path or url))

    def patterns(self) -> list[str]:
        """The same for V8, as regular expressions over addresses (a step into passes through them)."""
        listed = ["^node:", "/node_modules/"] if self.just_my_code else ["^node:"]
        return listed + [glob(g) for g in self.globs if not g.startswith("<")]


def glob(text: str) -> str:
    """Return a regular expression for a glob: `**` crosses folders, `*` and `?` do not; a bare one fits any tail."""
    out = "" if text.startswith("/") else "(?:^|/)"
    at = 0
    while at < len(text):
        if text.startswith("**/", at):
            out, at = out + "(?:.*/)?", at + 3
        elif text.startswith("**", at):
            out, at = out + ".*", at + 2
        elif text[at] == "*":
            out, at = out + "[^/]*", at + 1
        elif text[at] == "?":
            out, at = out + "[^/]", at + 1
        else:
            out, at = out + re.escape(text[at]), at + 1
    return out + "$"


Options = Launch | Attach
Json = dict[str, Any]
