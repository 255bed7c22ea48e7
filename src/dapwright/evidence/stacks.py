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
from dapwright.core import redact
from dapwright.core.errors import DapwrightError, UsageError
from dapwright.core.model import Frame, Raw
from dapwright.core.stacks import Stacks, Wait
from dapwright.core.waits import cycles, waiting_for
from dapwright.session import Session, functions, running
from dapwright.session.connection import Connection, frame_of
from dapwright.session.values import ask_value

LEVELS = 40
MOST = 1100
"""Threads that are looked at."""
SECONDS = 15.0
"""How long one look may take; what is not seen by then is told as not seen."""
BETWEEN = 0.2
GROUPS = 30
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
        row |= {"kind": wait.kind if wait else "running", "_wait": wait, "_mine": mine}
        return row

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


async def look(session: Session, stacks: Stacks) -> tuple[Look, bool]:
    """Look at the program, stopping it for that where it runs; whether it ran.

    Raises:
        DapwrightError: it cannot be stopped, or has ended.
    """
    if session.state == "paused":
        found = await Look(session, running.standing(session).connection, stacks).take()
        await found.name_waits()
        return found, False
    first = await _stopped(session, stacks)
    before = {row["ident"]: (row["function"], row["kind"]) for row in first.rows}
    await running.resume(session, dap.CONTINUE)
    await session.until(lambda: session.state != "running", BETWEEN)
    if session.state != "running":
        return first, False  # a breakpoint, or the end: it is told by whoever asks next
    second = await _stopped(session, stacks)
    try:
        for row in second.rows:
            known = before.get(row["ident"])
            row["busy"] = row["kind"] == "running" and known is not None and known[1] == "running"
        await second.name_waits()
    finally:
        if session.stops:
            await running.resume(session, dap.CONTINUE)
    return second, True


async def _stopped(session: Session, stacks: Stacks) -> Look:
    await running.pause(session)
    await session.until(lambda: session.state != "running", running.HOLD_SECONDS)
    return await Look(session, running.standing(session).connection, stacks).take()


async def explain(session: Session, stacks: Stacks) -> dict[str, Any]:
    """What each thread waits for, who holds it, cycles and what is busy; many that stand alike are one row."""
    found, went_on = await look(session, stacks)
    told: dict[str, Any] = {"sessionId": session.id, "state": session.state, "verdict": verdict(found)}
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in found.rows:
        wait = row.get("wait") or {}
        held = tuple(row.get("held") or ())
        alike = (row["function"], row["file"], row["line"], row["kind"], wait.get("id") if held else "", held)
        groups.setdefault(alike, []).append(row)
    shown = sorted(groups.values(), key=lambda rows: (not rows[0].get("busy"), not rows[0].get("held"), len(rows)))
    told["threads"] = [_row(rows, found.rows, stacks) for rows in shown[:GROUPS]]
    notes = []
    if went_on:
        notes.append("the program was stopped twice for a moment to look at it, and goes on")
    if len(shown) > GROUPS:
        notes.append(f"of {len(shown)} places {GROUPS} are listed")
    if found.unseen:
        notes.append(f"about {found.unseen} more {stacks.unit}s were not looked at: the engine lists no more")
    return told | ({"note": "; ".join(notes)} if notes else {})


def verdict(found: Look) -> str:
    """In one sentence, why nothing moves."""
    rows, unit = found.rows, found.stacks.unit
    if circles := cycles(rows):
        return "deadlock: " + "; ".join(circles)
    if busy := [row for row in rows if row.get("busy")]:
        places = ", ".join(f"{row['name']} at {place(row)}" for row in busy[:3])
        return f"busy, not waiting: {places} (it ran at both of two looks)"
    if running_ones := [row for row in rows if row["kind"] == "running"]:
        places = ", ".join(f"{row['name']} at {place(row)}" for row in running_ones[:3])
        return f"no cycle was found; {places} runs, or could: nothing else was seen to hold the program up"
    if rows and not found.unseen and not any(row["kind"] in found.stacks.moves for row in rows):
        said = f"all {len(rows)} {unit}s of the program wait" if len(rows) > 1 else f"the program's only {unit} waits"
        return f"deadlock: {said} for another, and none is left to wake one (but for a timer)"
    return "no cycle was found, and nothing is busy: it waits for what is listed"


def _row(rows: list[Row], every: list[Row], stacks: Stacks) -> dict[str, Any]:
    first = rows[0]
    name = first["name"] if len(rows) == 1 else f"{len(rows)} {stacks.unit}s: {_numbers(rows)}"
    told: dict[str, Any] = {"name": name, "at": place(first)}
    if first.get("busy"):
        told["busy"] = True
    if said := waiting_for(first, every):
        more = first["wait"].get("detail")
        told["waits"] = str(redact.value("", Raw(said + (f" ({more} to go)" if more else ""))))
    elif first["kind"] == "running":
        told["waits"] = "nothing: it runs, or could"
    if held := first.get("held"):
        told["holds"] = "; ".join(f"`{one['lock']}`" for one in held.values())
    stack = [place(frame) for frame in first["stack"]][1:4]
    if stack:
        told["calledFrom"] = " < ".join(stack)
    return told


def _numbers(rows: list[Row]) -> str:
    shown = ", ".join(row["name"].split(" ")[-1] for row in rows[:5])
    return shown + (", ..." if len(rows) > 5 else "")


def place(row: Mapping[str, Any]) -> str:
    """Function, file and line in short."""
    return f"{row['function']} {short(str(row['file']))}:{row['line']}"
