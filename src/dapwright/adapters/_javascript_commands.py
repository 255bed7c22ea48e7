"""Programs of JavaScript that are no file: a project's folder, an npm script, a package's tool."""

import json
import posixpath
from typing import Any

from msgspec.structs import replace

from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch

RUNNERS = ("npm", "npx", "pnpm", "pnpx", "yarn", "bunx")
MAINS = ("index.js", "index.mjs", "index.cjs", "index.ts", "server.js")


def runnable(launch: Launch, host: Host) -> tuple[Launch, list[str]]:
    """Return a launch of a file, or of a runner with its words, for one of a folder or a `module`; notes of it.

    Raises:
        UsageError: nothing of that name is there; what is, is listed.
        SetupError: the runner is not installed.
    """
    if launch.module:
        return _command(launch, host)
    if not host.is_dir(launch.program):
        return launch, []
    folder = launch.program
    if launch.executable or launch.config.get("runtimeExecutable"):
        return replace(launch, program="", cwd=launch.cwd or folder), []
    package = _package(folder, host)
    if "start" in _scripts(package):
        return _run(launch, host, ["npm", "start", "--"], folder), [f"`npm start` of `{folder}`"]
    for name in (package.get("main"), *MAINS):
        path = posixpath.normpath(posixpath.join(folder, name)) if isinstance(name, str) and name else ""
        if path and host.is_file(path):
            return replace(launch, program=path, cwd=launch.cwd or folder), [f"`{name}` of `{folder}`"]
    raise UsageError(
        f"`{folder}` has no `start` script, no `main` and no `index.js`",
        f"pass a file of it as `scriptPath`, or a script as `module`: {_listed(package)}",
    )


def _command(launch: Launch, host: Host) -> tuple[Launch, list[str]]:
    words = launch.module.split()
    folder = launch.cwd
    if words[0] in RUNNERS:
        return _run(launch, host, words, folder), []
    home = _home(folder, host)
    package = _package(home, host) if home else {}
    if launch.module in _scripts(package):
        return _run(launch, host, ["npm", "run", launch.module, "--"], home), []
    if home and host.is_file(posixpath.join(home, "node_modules", ".bin", words[0])):
        return _run(launch, host, ["npx", "--no-install", *words], home), []
    raise UsageError(
        f"`{launch.module}` is neither a script of `{home or folder}/package.json` nor a tool installed there",
        f'pass `module: "npm run <script>"` with the project\'s folder as `cwd`: {_listed(package)}',
    )


def _run(launch: Launch, host: Host, words: list[str], folder: str) -> Launch:
    if host.which(words[0]) is None:
        raise SetupError(f"there is no `{words[0]}` on PATH", "install it, or pass a file as `scriptPath`")
    given = [*words[1:], *launch.args]
    arguments = given[:-1] if given and given[-1] == "--" else given
    config = {**launch.config, "runtimeExecutable": words[0], "runtimeArgs": arguments}
    return replace(launch, program="", module="", args=(), cwd=launch.cwd or folder, executable="", config=config)


def _home(folder: str, host: Host) -> str:
    """The nearest folder above with a package.json, "" where there is none."""
    while folder:
        if host.is_file(posixpath.join(folder, "package.json")):
            return folder
        above = posixpath.dirname(folder)
        folder = above if above != folder else ""
    return ""


def _package(folder: str, host: Host) -> dict[str, Any]:
    try:
        read = json.loads(host.read(posixpath.join(folder, "package.json")) or "{}")
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def _scripts(package: dict[str, Any]) -> dict[str, Any]:
    found = package.get("scripts")
    return found if isinstance(found, dict) else {}


def _listed(package: dict[str, Any]) -> str:
    return ", ".join(f"`{name}`" for name in _scripts(package)) or "its package.json has no scripts"
