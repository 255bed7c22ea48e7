"""The command line for a program: which Node, and how TypeScript is run."""

import asyncio
import re
import shutil
from pathlib import Path

from dapwright.core.errors import SetupError
from dapwright.engines.node.compiled import Compiled, project
from dapwright.engines.node.options import Launch

TYPESCRIPT = (".ts", ".tsx", ".mts", ".cts", ".jsx")
NO_NODE = "install Node.js 18 or newer (`apt-get install nodejs`, `brew install node`), or name a `runtimeExecutable`"


async def command(ask: Launch, compiled: Compiled) -> tuple[list[str], str, list[str]]:
    """Return (argv, the file whose first statement is the entry, notes).

    A TypeScript program without a `runtimeExecutable` is run by tsx, else ts-node, else by what
    was compiled of it, else by Node itself where it strips types.

    Raises:
        SetupError: no node, or nothing here runs TypeScript.
    """
    node = ask.runtime_executable or shutil.which("node") or ""
    if not node:
        raise SetupError("there is no `node` on PATH", NO_NODE)
    program = str(Path(ask.cwd or ".") / ask.program) if ask.program else ""
    if program and not Path(program).exists():
        raise SetupError(f"there is no program `{program}`", "name an existing file as `program`")
    if is_deno(node):
        return _deno(node, ask, program), _real(program), []
    head = [node, *ask.runtime_args]
    if ask.runtime_executable or not program.endswith(TYPESCRIPT) or _has_loader(ask.runtime_args):
        tail = [program, *ask.args] if program else list(ask.args)
        return head + tail, _real(program), []
    return await _typescript(ask, head, program, compiled)


async def _typescript(
    ask: Launch, head: list[str], program: str, compiled: Compiled
) -> tuple[list[str], str, list[str]]:
    version = await node_version(head[0])
    real = _real(program)
    tsx = _tool("tsx", program)
    if tsx and version >= (20, 6):
        loader = (tsx.parent / "loader.mjs").as_uri()
        return [*head, "--import", loader, program, *ask.args], real, [f"run by tsx (`{tsx}`)"]
    if tsx:
        return [*head, str(tsx), program, *ask.args], real, [f"run by tsx (`{tsx}`)"]
    ts_node = _tool("ts-node", program)
    if ts_node:
        register = str(ts_node.parent.parent / "register" / "transpile-only.js")
        return [*head, "--require", register, program, *ask.args], real, [f"run by ts-node (`{ts_node}`)"]
    compiled.scan(project(real))
    for script in compiled.scripts:
        if real in script.sources(ask.cwd):
            return [*head, script.path, *ask.args], script.path, [f"`{script.path}` runs, which was compiled of it"]
    if (version >= (22, 18) and version[0] != 23) or version >= (23, 6):
        return [*head, program, *ask.args], real, ["Node itself strips the types"]
    if version >= (22, 6):
        return [*head, "--experimental-strip-types", program, *ask.args], real, ["Node itself strips the types"]
    raise SetupError(
        f"nothing here runs TypeScript (`{program}`)", "`npm install -g tsx`, or compile it and run the result"
    )


def is_deno(runtime: str) -> bool:
    """Return whether a runtime is Deno: it loads no preload of ours, and tells its inspector on standard error."""
    return Path(runtime).stem.lower() == "deno"


def _deno(deno: str, ask: Launch, program: str) -> list[str]:
    words = (
        ask.runtime_args if ask.runtime_args and not ask.runtime_args[0].startswith("-") else ["run", *ask.runtime_args]
    )
    tail = [program, *ask.args] if program else list(ask.args)
    flag = "--inspect-brk" if ask.stop_on_entry else "--inspect-wait"
    return [deno, words[0], f"{flag}=127.0.0.1:0", *words[1:], *tail]


def _has_loader(arguments: list[str]) -> bool:
    return any(re.match(r"(--import|--require|-r|--loader|--experimental-loader)\b", a) for a in arguments)


def _real(program: str) -> str:
    return str(Path(program).resolve()) if program else ""


def _tool(name: str, program: str) -> Path | None:
    """Return the script behind a command: the nearest `node_modules/.bin` wins over PATH."""
    for folder in Path(program).resolve().parents:
        local = folder / "node_modules" / ".bin" / name
        if local.exists():
            return local.resolve()
    found = shutil.which(name)
    return Path(found).resolve() if found else None


async def node_version(node: str) -> tuple[int, ...]:
    """Return a Node's version; (0,) where it does not tell."""
    try:
        process = await asyncio.create_subprocess_exec(
            node, "--version", stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
        )
        async with asyncio.timeout(10):
            out, _ = await process.communicate()
    except (OSError, TimeoutError):
        return (0,)
    found = re.match(r"v(\d+)\.(\d+)\.(\d+)", out.decode("ascii", "replace"))
    return tuple(map(int, found.groups())) if found else (0,)
