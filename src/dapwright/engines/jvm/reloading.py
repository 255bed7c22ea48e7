"""Changed classes put into the running program."""

import os
from collections.abc import Sequence

from dapwright.core.errors import UsageError
from dapwright.engines.jvm import codes
from dapwright.engines.jvm.classfile import class_name
from dapwright.engines.jvm.connection import JdwpError
from dapwright.engines.jvm.requests import REQUESTS, Body
from dapwright.engines.jvm.session import Session
from dapwright.engines.jvm.signatures import signature_of

MOST = 10_000
"""Class files that are looked at."""


@REQUESTS.on("dapwright/hotReload", dict)
async def hot_reload(session: Session, arguments: Body) -> Body:
    """Redefine the loaded classes whose files in `classesDir` are newer than `sinceTimestamp` (ms since 1970).

    Without a timestamp: those changed since the launch, or since the last reload.
    """
    jvm = session.live
    folders = [arguments["classesDir"]] if arguments.get("classesDir") else session.arguments.get("classpath") or []
    folders = [str(one) for one in folders if _is_folder(str(one))]
    if not folders and arguments.get("classesDir"):
        raise UsageError(f"`{arguments['classesDir']}` is no folder", "give the folder where the compiler puts classes")
    if not folders:
        raise UsageError("no folder of class files is known", "give `classesDir`: where the compiler puts them")
    since = arguments.get("sinceTimestamp")
    since = session.loaded_at if since is None else float(since)
    files, newest, older = changed(folders, since)
    told: Body = {"redefined": [], "skipped": older, "failed": []}
    redefined: list[int] = []
    for name, data in files:
        loaded = await jvm.machine.classes(signature_of(name))
        if not loaded:
            told["skipped"] += 1  # not loaded: it will be read from its file when it is
            continue
        try:
            for one in loaded:
                writer = jvm.machine.link.writer().i32(1).type(one.id).i32(len(data)).raw(data)
                await jvm.machine.link.ask(codes.REDEFINE, writer)
                redefined.append(one.id)
            told["redefined"].append(name)
        except JdwpError as refused:
            told["failed"].append({"class": name, "reason": codes.ERRORS.get(refused.number, str(refused))})
    if redefined:
        await _settle(session, redefined)
    session.loaded_at = max(session.loaded_at, newest)
    return told | {"newestTimestamp": int(newest)}


async def _settle(session: Session, redefined: list[int]) -> None:
    """Forget what was known of the old code, and plant breakpoints in the new."""
    jvm = session.live
    jvm.machine.types.forget(*redefined)
    jvm.machine.forget_frames()
    session.compiler.forget()
    session.plant.read_again()
    await session.plant.replant(redefined)


def changed(folders: Sequence[str], since: float) -> tuple[list[tuple[str, bytes]], float, int]:
    """Class files newer than `since` (ms): (name, bytes) of each; the newest time of all; how many were older."""
    found: list[tuple[str, bytes]] = []
    newest, older, count = 0.0, 0, 0
    from pathlib import Path  # late: most sessions reload nothing

    for folder in folders:
        for file in sorted(Path(folder).rglob("*.class")):
            count += 1
            if count > MOST:
                raise UsageError(f"more than {MOST} class files are in there", "name a smaller `classesDir`")
            stamp = file.stat().st_mtime * 1000
            newest = max(newest, stamp)
            if stamp <= since:
                older += 1
                continue
            data = file.read_bytes()
            name = class_name(data)
            if name:
                found.append((name, data))
    return found, newest, older


def _is_folder(path: str) -> bool:
    return os.path.isdir(path)
