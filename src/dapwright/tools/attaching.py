"""Attaching: what to attach to, and holding until it stands."""

import os
from typing import Annotated, Any

import msgspec

from dapwright.core.errors import UsageError
from dapwright.core.model import Attach
from dapwright.session import Session, running, telling
from dapwright.tools import About, Caller
from dapwright.tools.launches import PathMapping, exceptions
from dapwright.tools.stops import seconds_of
from dapwright.tools.words import Detail

TARGETS = ("websocketAddress", "vmServiceUri", "vmServiceInfoFile", "deviceId", "listen")


class AttachArguments(msgspec.Struct, rename="camel", kw_only=True):
    """What to attach to, and how."""

    port: Annotated[int | None, About("Debug port.")] = None
    host: Annotated[str, About("Its host.", rare=True)] = "127.0.0.1"
    process_id: Annotated[int | None, About("Process id.", alias=("pid",))] = None
    timeout: Annotated[int, About("Milliseconds for the connection.", rare=True, least=1)] = 20_000
    verify_timeout: Annotated[int, About("Milliseconds until threads are seen.", rare=True, least=1)] = 20_000
    source_paths: Annotated[list[str], About("Folders of sources.", rare=True)] = []
    path_mappings: Annotated[
        list[PathMapping], About("Where sources lie elsewhere: [{local, remote}].", shallow=True, rare=True)
    ] = []
    stop_on_entry: Annotated[bool, About("false leaves it running.")] = True
    just_my_code: Annotated[bool, About("Pass over library code.", rare=True)] = True
    break_on_exceptions: Annotated[
        str | list[str] | None, About("`none`, `uncaught`, `all`, or class names.", rare=True)
    ] = None
    adapter_config: Annotated[dict[str, Any], About("Keys of the adapter.", rare=True)] = {}
    wait: Annotated[bool | float | None, About("Hold for a stop: seconds, true: 45.", rare=True, least=0)] = None
    detail: Detail = "brief"

    @property
    def names_target(self) -> bool:
        """Something is named to attach to; a host alone is not."""
        return (
            self.port is not None or self.process_id is not None or any(key in self.adapter_config for key in TARGETS)
        )


def attach_of(asked: AttachArguments, executable: str) -> Attach:
    """Return what to join, checked.

    Raises:
        UsageError: nothing is named, or a number is out of its range.
    """
    if not asked.names_target:
        raise UsageError("nothing says what to attach to", "pass `port` or `processId`")
    if asked.port is not None and not 0 < asked.port < 65536:
        raise UsageError(f"{asked.port} is no port", "pass one from 1 to 65535")
    if asked.process_id is not None and asked.process_id <= 0:
        raise UsageError(f"{asked.process_id} is no process id", "pass a positive one")
    if asked.process_id == os.getpid():
        raise UsageError(f"process {asked.process_id} is this debug server itself", "pass the id of your program")
    return Attach(
        host=asked.host,
        port=asked.port,
        process_id=asked.process_id,
        executable=executable,
        cwd=os.getcwd(),
        source_paths=tuple(asked.source_paths),
        path_mappings=tuple((pair.local, pair.remote) for pair in asked.path_mappings),
        stop_on_entry=asked.stop_on_entry,
        just_my_code=asked.just_my_code,
        exceptions=exceptions(asked.break_on_exceptions, "none"),
        timeout_ms=asked.timeout,
        config=asked.adapter_config,
    )


async def attach(caller: Caller, session: Session, asked: AttachArguments) -> dict[str, Any]:
    """Attach a session to what was named, and answer where the program is."""
    target: Attach = attach_of(asked, session.executable)
    with session.moving("attach_to_process"):
        await caller.sessions.begin(session, target)
        return await attached(caller, session, asked, target)


async def attached(caller: Caller, session: Session, asked: AttachArguments, target: Attach) -> dict[str, Any]:
    """Hold until an attachment stands, and leave the program paused or running as was asked."""
    await caller.progress("attaching")
    await session.until(lambda: session.state != "starting" or bool(session.invitation), 44)
    await session.until(lambda: not session.judging, running.HOLD_SECONDS)  # a stop on entry is on its way
    if target.stop_on_entry and session.adapter.joins_paused:  # a pause that overtook its stop would be left over
        await session.until(lambda: session.state != "running", running.HOLD_SECONDS)
    if session.state == "running" and target.stop_on_entry:
        await running.pause(session)
        await session.until(lambda: session.state != "running", running.HOLD_SECONDS)
        await leave_prologue(session)
    elif session.state == "running" and asked.wait:
        await session.until(lambda: session.state != "running", seconds_of(asked.wait, default=0))
    if session.state == "error" and session.error is not None:
        raise session.error
    return await telling.describe(session, detail=asked.detail)


async def leave_prologue(session: Session) -> None:
    """Go on to the first line of a program that was paused before it: an engine calls that line 0.

    A thread that waits in the platform's own code has no line there either: it stays, since it may wait for ever.
    """
    stop = session.stop
    if session.state != "paused" or stop is None or stop.reason != "pause":
        return
    frames = await stop.connection.frames(stop, 1)
    if frames and frames[0].line == 0 and not session.adapter.internal_frame(frames[0]):
        await running.step(session, "over")
        await session.until(lambda: session.state != "running", running.HOLD_SECONDS)
