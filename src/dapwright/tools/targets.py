"""What an evidence tool runs: a script, a module, or a test, in a session of its own."""

import os
from typing import Annotated, Any

import msgspec

from dapwright import adapters
from dapwright.core.errors import UsageError
from dapwright.core.model import TestTarget
from dapwright.evidence import testing
from dapwright.session import Session
from dapwright.tools import About, Caller
from dapwright.tools.launches import LaunchArguments, environment, launch_of


class Target(msgspec.Struct, rename="camel", kw_only=True):
    """What to run and how."""

    script_path: Annotated[str | None, About("What to run.", alias=("program",))] = None
    module: Annotated[str | None, About("Instead: a Python module.", rare=True)] = None
    test: Annotated[str | None, About("Instead: a test, as for debug_test.")] = None
    args: Annotated[list[str], About("Its arguments.")] = []
    env: Annotated[dict[str, Any], About("Variables to set; null unsets.", rare=True)] = {}
    cwd: Annotated[str | None, About("Working directory.")] = None
    language: Annotated[str | None, About("Where the file name does not tell.", rare=True)] = None
    executable_path: Annotated[str, About("Interpreter.", rare=True)] = ""


def target_of(given: dict[str, Any], name: str) -> Target:
    """A target that was given as an object.

    Raises:
        UsageError: a key or a value of it is wrong.
    """
    known = [field.encode_name for field in msgspec.structs.fields(Target)]
    if unknown := [key for key in given if key not in known]:
        raise UsageError(f"`{name}.{unknown[0]}` is not known", "keys: " + ", ".join(known))
    try:
        return msgspec.convert(given, Target, strict=False)
    except msgspec.ValidationError as wrong:
        raise UsageError(f"`{name}` is wrong: {wrong}", "keys: " + ", ".join(known)) from None


def folder_of(cwd: str | None) -> str:
    """A working directory, absolute; the server's own where none is given."""
    return os.path.abspath(os.path.expanduser(cwd)) if cwd else os.getcwd()


async def session_for(caller: Caller, target: Target, name: str, *, stop: bool = False, warm: bool = True) -> Session:
    """Make a session with its launch decided, not begun.

    Raises:
        UsageError: nothing, or more than one thing, is to be run.
    """
    if sum(map(bool, (target.script_path, target.module, target.test))) != 1:
        raise UsageError(
            "nothing, or more than one thing, is to be run", "pass one of `scriptPath`, `module` and `test`"
        )
    adapter = testing.find_adapter(target.test or target.script_path or "", target.language, adapters)
    await caller.need(adapter)
    session = caller.sessions.create(
        adapter.language, client=caller.client, name=name, executable=target.executable_path, warm=warm
    )
    try:
        await _decide(session, target, stop=stop)
    except BaseException:
        await caller.sessions.close(session)
        raise
    return session


async def _decide(session: Session, target: Target, *, stop: bool) -> None:
    if target.test is None:
        what = LaunchArguments(
            script_path=target.script_path, module=target.module, args=target.args, env=target.env, cwd=target.cwd
        )
        session.launch, warnings = launch_of(what, session.adapter, session.executable)
        session.warnings += warnings
        return
    wanted = TestTarget(
        target.test, "", folder_of(target.cwd), tuple(target.args), environment(target.env), session.executable
    )
    command = await testing.command_of(session, wanted)
    session.launch = await testing.launch_of(session, command, stop=stop)
