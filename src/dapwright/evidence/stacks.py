"""Why nothing moves, from the stacks of a stopped program: for languages whose engine shows them all.

A running program is stopped for that, twice with a moment in between, so that what is busy is told
from what waits; it goes on afterwards.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

from dapwright import files
from dapwright.core import protocol as dap
from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.model import Frame
from dapwright.core.stacks import Stacks, Wait
from dapwright.core.waits import Seen
from dapwright.evidence import standing_still
from dapwright.session import Session, functions, running
from dapwright.session.connection import Connection, frame_of
from dapwright.session.values import ask_value

LEVELS = 40
MOST = 1100
"""Threads that are looked at."""
SECONDS = 15.0
"""How long one look may take; what is not seen by then is told as not seen."""
BETWEEN = 0.2
VALUED = 60
"""Waits whose object is asked for."""

Row = dict[str, Any]


class Look:
    """One look at every thread of a stopped process."""

    def __init__(self, session: Session, connection: Connection, stacks: Stacks) -> None:
        self.session = session
        self.connection = connection
        self.stacks = stacks
        self.rows: list[Row] = []
        self.unseen = 0
        self._addresses: dict[tuple[int | None, str], str] = {}

    async def take(self) -> "Look":
        """Read every stack."""
        threads = (await self.connection.client.ask(dap.THREADS)).threads
        loop = asyncio.get_running_loop()
        if self.stacks.most and len(threads) >= self.stacks.most:
            self.unseen = max(int(await self._value(None, self.stacks.total) or 0) - len(threads), 1)
        until = loop.time() + SECONDS
        for at, thread in enumerate(threads):
            if loop.time() > until or at >= MOST:
                self.unseen += len(threads) - at
                break
            body = await self.connection.client.ask(dap.STACK_TRACE, {"threadId": thread.id, "levels": LEVELS})
            frames = [frame_of(told) for told in body.stack_frames]
            if frames and self.stacks.ours(frames):
                self.rows.append(self._row(thread.id, thread.name, frames))
        return self

    def _row(self, ident: int, name: str, frames: list[Frame]) -> Row:
        wait = self.stacks.wait(frames)
        mine = [frame for frame in frames if not self.stacks.library(frame)] or frames[:1]
        top = mine[0]
        row: Row = {
            "ident": ident,
            "name": self.stacks.plain(name),
            "function": top.name,
            "file": top.file,
            "line": top.line,
            "stack": [{"function": one.name, "file": one.file, "line": one.line} for one in mine],
        }
        row |= {} if wait else {"state": "running"}
        return row | {"_wait": wait, "_mine": mine}

    async def name_waits(self) -> None:
        """Learn what is waited for, of the first of each place, and who holds it."""
        told: dict[tuple[Any, ...], int] = {}
        for row in self.rows:
            wait: Wait | None = row["_wait"]
            if wait is None:
                continue
            row["wait"] = {"kind": wait.kind, "file": row["file"], "line": row["line"], "for": code_at(row)}
            place = (row["file"], row["line"], wait.kind)
            told[place] = told.get(place, 0) + 1
            if told[place] <= 3 and len(self._addresses) < VALUED:
                row["wait"] |= await self._named(wait)
        if any(row.get("wait", {}).get("id") for row in self.rows):
            await self._name_holders()

    async def _named(self, wait: Wait) -> dict[str, Any]:
        named = {}
        if address := await self._value(wait.frame, wait.identity):
            named["id"] = address
        if more := await self._value(wait.frame, wait.detail):
            named["detail"] = more
        return named

    async def _name_holders(self) -> None:
        wanted = {row["wait"]["id"] for row in self.rows if row.get("wait", {}).get("id")}
        seen: dict[tuple[str, int], int] = {}
        for row in self.rows:
            row["held"] = {}
            for frame in row["_mine"]:
                seen[frame.file, frame.line] = seen.get((frame.file, frame.line), 0) + 1
                if seen[frame.file, frame.line] > 10:
                    continue  # thousands stand on one line: those that hold a lock would stand on another
                for one in self.stacks.held(*body_of(frame)):
                    address = await self._value(frame, one.address)
                    if address not in wanted:
                        address = await self._value(frame, one.pointer)
                    if address in wanted:
                        row["held"][address] = {"lock": f"{one.name}, locked at {short(frame.file)}:{one.line}"}

    async def _value(self, frame: Frame | None, expression: str) -> str:
        if not expression:
            return ""
        at = frame.id if frame is not None else None
        key = (at, expression)
        if key not in self._addresses:
            try:
                body = await ask_value(self.connection, at, expression, seconds=5.0)
                self._addresses[key] = body.result.split(" ")[0]
            except DapwrightError:
                self._addresses[key] = ""
        return self._addresses[key]


def body_of(frame: Frame) -> tuple[Sequence[str], int, int]:
    """A function's code up to where a frame stands: all lines of its file, its first line, the frame's."""
    try:
        known = functions.structure(frame.file)
    except (UsageError, OSError):
        return (), 1, 1
    function = known.function_at(frame.line)
    first = function.first if function is not None else frame.line
    code = [known.code(number) for number in range(1, min(frame.line, len(known.file.lines)) + 1)]
    return code, first, frame.line


def code_at(row: Mapping[str, Any]) -> str:
    """The line of source where a thread stands."""
    try:
        lines = files.read(row["file"]).lines
    except (UsageError, OSError):
        return ""
    return lines[row["line"] - 1].strip()[:100] if 0 < row["line"] <= len(lines) else ""


def short(file: str) -> str:
    """A file without its folder."""
    return re.split(r"[\\/]", file)[-1]


async def look(session: Session, stacks: Stacks) -> Seen:
    """Look at the program, stopping it for that where it runs.

    Raises:
        DapwrightError: it cannot be stopped, or has ended.
    """
    if session.state == "paused":
        found = await _taken(session, stacks)
        await found.name_waits()
        return _seen(found)
    await standing_still.stop(session)
    first = await _taken(session, stacks)
    before = {row["ident"] for row in first.rows if "state" in row}
    await running.resume(session, dap.CONTINUE)
    await session.until(lambda: session.state != "running", BETWEEN)
    if session.state != "running":
        return _seen(first)  # a breakpoint, or the end: it is told by whoever asks next
    await standing_still.stop(session)
    second = await _taken(session, stacks)
    try:
        for row in second.rows:
            if "state" in row and row["ident"] in before:
                row |= {"busy": True, "ran": 2}
        await second.name_waits()
    finally:
        if session.stops:
            await running.resume(session, dap.CONTINUE)
    return _seen(second, "the program was stopped twice for a moment to look at it, and goes on")


async def _taken(session: Session, stacks: Stacks) -> Look:
    return await Look(session, running.standing(session).connection, stacks).take()


def _seen(found: Look, *notes: str) -> Seen:
    stacks = found.stacks
    return Seen(found.rows, notes=notes, unit=stacks.unit, unseen=found.unseen, moves=stacks.moves, grouped=True)
