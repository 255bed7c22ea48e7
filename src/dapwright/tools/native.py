"""What the native world adds: memory, machine code, running backwards."""

import base64
from collections.abc import Mapping
from typing import Annotated, Any

from dapwright.core import evidence_text, redact, state
from dapwright.core import protocol as dap
from dapwright.core.bodies import Body
from dapwright.core.errors import DapwrightError, NotSupported, UsageError
from dapwright.core.model import Frame
from dapwright.session import Session, looking, running, values
from dapwright.session.connection import Connection
from dapwright.session.running import standing
from dapwright.tools import About, Caller, tested, tool
from dapwright.tools.execution import hold, newest
from dapwright.tools.stops import StopAnswer
from dapwright.tools.words import Detail, FrameId, SessionId, ThreadId

NATIVE = ("native",)
RECORD = dap.Request("dapwright/record", Body)
MOST_BYTES = 4096
MOST_INSTRUCTIONS = 200
Address = Annotated[str | None, About("Address, as `0x7ffe1234`.")]


async def _place(session: Session, frame_id: int | None) -> tuple[Connection, Frame]:
    state.require(session.state, "look at variables")
    if frame_id is not None:
        connection, frame, _ = looking.find_frame(session, frame_id)
        return connection, frame
    connection, frame, _ = await looking.top_frame(session)
    return connection, frame


async def _address(
    session: Session, address: str | None, expression: str | None, frame_id: int | None
) -> tuple[Connection, int]:
    """Where to look: an address as given, or what an expression points to (a value: where it lies)."""
    connection, frame = await _place(session, frame_id)
    if (address is None) == (expression is None):
        raise UsageError("pass either `address` or `expression`", "an expression may be a pointer or a variable")
    if expression is None:
        return connection, _number(address or "")
    await session.effects([("evaluate", expression)])
    body = await values.ask_value(connection, frame.id, expression, context="watch")
    if not body.memory_reference:
        raise UsageError(f"`{expression}` has no place in memory", "pass a pointer, a variable, or an `address`")
    return connection, _number(body.memory_reference)


def _number(text: str) -> int:
    try:
        return int(text, 0)
    except ValueError:
        raise UsageError(f"`{text[:80]}` is no address", "pass one as `0x7ffe1234`") from None


def _need(session: Session, can: bool | None, what: str) -> None:
    if not can:
        raise NotSupported(
            f"{session.adapter.display_name}'s debugger cannot {what}", "use a native language's session"
        )


@tool(title="Read memory", read_only=True, idempotent=True, toolsets=NATIVE)
async def read_memory(
    caller: Caller,
    *,
    session_id: SessionId = None,
    address: Address = None,
    expression: Annotated[str | None, About("A pointer, or a variable whose bytes are meant.")] = None,
    count: Annotated[int, About("Bytes, 4096 at most.")] = 64,
    frame_id: FrameId = None,
) -> Mapping[str, Any]:
    """Read bytes of a paused native program's memory; answers hex and text. Changes nothing; for the value of
    a variable use evaluate_expression."""
    session = caller.sessions.get(session_id, client=caller.client)
    if not 1 <= count <= MOST_BYTES:
        raise UsageError(f"`count` is {count}", f"pass a number from 1 to {MOST_BYTES}")
    connection, where = await _address(session, address, expression, frame_id)
    _need(session, connection.capabilities.supports_read_memory_request, "read memory")
    body = await connection.client.ask(dap.READ_MEMORY, {"memoryReference": hex(where), "offset": 0, "count": count})
    data = base64.b64decode(body.data or "")
    text = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in data)
    safe = redact.text(text)
    answer: dict[str, Any] = {"address": hex(where), "count": len(data), "ascii": safe}
    if safe == text:
        return {**answer, "hex": data.hex(" ")}
    return {**answer, "note": "the bytes look like a secret, so their hex is left out"}


@tool(title="Write memory", destructive=True, toolsets=NATIVE)
async def write_memory(
    caller: Caller,
    *,
    session_id: SessionId = None,
    address: Address = None,
    expression: Annotated[str | None, About("A pointer, or a variable whose bytes are meant.")] = None,
    hex: Annotated[str, About("The bytes, two digits each: `2a 00 00 00`.")],
    frame_id: FrameId = None,
) -> Mapping[str, Any]:
    """Overwrite bytes of a paused native program's memory, for the rest of its run; answers the bytes read
    back. To set a variable use set_variable."""
    session = caller.sessions.get(session_id, client=caller.client)
    try:
        data = bytes.fromhex(hex.removeprefix("0x"))
    except ValueError:
        raise UsageError("`hex` is no list of bytes", "pass two digits a byte: `2a 00`") from None
    if not 1 <= len(data) <= MOST_BYTES:
        raise UsageError(f"`hex` has {len(data)} bytes", f"pass from 1 to {MOST_BYTES}")
    await session.effects([("assign", address or expression or "", "=", hex)])
    connection, where = await _address(session, address, expression, frame_id)
    _need(session, connection.capabilities.supports_write_memory_request, "write memory")
    place = f"{where:#x}"
    await connection.client.ask(
        dap.WRITE_MEMORY, {"memoryReference": place, "offset": 0, "data": base64.b64encode(data).decode()}
    )
    body = await connection.client.ask(dap.READ_MEMORY, {"memoryReference": place, "offset": 0, "count": len(data)})
    return {"address": place, "count": len(data), "hex": base64.b64decode(body.data or "").hex(" ")}


@tool(title="Disassemble", read_only=True, idempotent=True, toolsets=NATIVE)
async def disassemble(
    caller: Caller,
    *,
    session_id: SessionId = None,
    address: Address = None,
    frame_id: FrameId = None,
    count: Annotated[int, About("Instructions, 200 at most.")] = 20,
) -> Mapping[str, Any]:
    """Read a paused native program's machine instructions, from an address or from where a frame stands; answers
    each with its line. Changes nothing. Step by instruction with step_over {granularity: "instruction"}; stop
    at one with set_breakpoint {function: "*0x401136"}."""
    session = caller.sessions.get(session_id, client=caller.client)
    if not 1 <= count <= MOST_INSTRUCTIONS:
        raise UsageError(f"`count` is {count}", f"pass a number from 1 to {MOST_INSTRUCTIONS}")
    connection, frame = await _place(session, frame_id)
    _need(session, connection.capabilities.supports_disassemble_request, "disassemble")
    where = _number(address) if address is not None else await _counter(session, connection, frame)
    body = await connection.client.ask(
        dap.DISASSEMBLE, {"memoryReference": hex(where), "instructionOffset": 0, "instructionCount": count}
    )
    rows = []
    for one in body.instructions:
        row = {"address": one.address, "instruction": one.instruction, "bytes": one.instruction_bytes}
        rows.append({**row, "symbol": one.symbol, "line": one.line or None})
    return {"instructions": rows, "count": len(rows)}


async def _counter(session: Session, connection: Connection, frame: Frame) -> int:
    """Where a frame stands: the program counter as the debugger evaluates it in that frame."""
    body = await values.ask_value(connection, frame.id, "(unsigned long)$pc", context="watch")
    try:
        return int(body.result.split()[0], 0)
    except (ValueError, IndexError):
        raise NotSupported(
            f"the debugger does not tell where the frame stands: {body.result}", "pass `address`"
        ) from None


async def _backwards(
    caller: Caller, session_id: str | None, how: str, more: Mapping[str, Any], detail: str
) -> Mapping[str, Any]:
    session = caller.sessions.get(session_id, client=caller.client)
    thread = more.get("thread")
    with session.moving(how):
        before = newest(session)
        rest = {key: value for key, value in more.items() if key != "thread"}
        connection = await running.step(session, how, thread=thread, more=rest)
        await hold(session, running.HOLD_SECONDS, before=before, connection=connection)
        session.tell()
        return await tested.describe(session, detail=detail)


@tool(title="Step back", text=evidence_text.test_text, output=StopAnswer, toolsets=NATIVE)
async def step_back(
    caller: Caller,
    *,
    session_id: SessionId = None,
    thread_id: ThreadId = None,
    instruction: Annotated[bool, About("One machine instruction instead of a line.")] = False,
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """Undo one line of a recorded program: values are again what they were. Needs a recording
    (start_debugging {record: true}, or the tool `record`); answers the stop."""
    more = {"thread": thread_id} | ({"granularity": "instruction"} if instruction else {})
    return await _backwards(caller, session_id, "back", more, detail)


@tool(title="Reverse continue", text=evidence_text.test_text, output=StopAnswer, toolsets=NATIVE)
async def reverse_continue(
    caller: Caller, *, session_id: SessionId = None, thread_id: ThreadId = None, detail: Detail = "brief"
) -> Mapping[str, Any]:
    """Run a recorded program backwards to the last breakpoint or write of a watched value: with a watch it
    answers who wrote it. Needs a recording; answers the stop, the recording's begin at the latest."""
    return await _backwards(caller, session_id, "reverse", {"thread": thread_id}, detail)


@tool(title="Record", toolsets=NATIVE)
async def record(
    caller: Caller, *, session_id: SessionId = None, on: Annotated[bool, About("false ends the recording.")] = True
) -> Mapping[str, Any]:
    """Record a paused native program from here on, so that step_back and reverse_continue can undo it. It
    runs some thousand times slower meanwhile: begin at a breakpoint near the fault. Answers `recording`."""
    session = caller.sessions.get(session_id, client=caller.client)
    state.require(session.state, "step")
    running.refuse_post_mortem(session)
    stop = standing(session)
    _need(session, stop.connection.capabilities.supports_step_back, "run backwards")
    try:
        await stop.connection.client.ask(RECORD, {"on": on})
    except DapwrightError as refused:
        raise NotSupported(f"the recorder refused: {refused}", "or set a breakpoint earlier and restart") from refused
    return {"recording": on, "state": session.state}


@tool(title="Restart frame", text=evidence_text.test_text, output=StopAnswer, destructive=True, toolsets=NATIVE)
async def restart_frame(
    caller: Caller,
    *,
    session_id: SessionId = None,
    frame_id: Annotated[int, About("Frame (get_stack_trace).")],
    detail: Detail = "brief",
) -> Mapping[str, Any]:
    """Run a frame's function again from its beginning, with its callees dropped: what it has changed stays
    changed. Answers the new stop."""
    session = caller.sessions.get(session_id, client=caller.client)
    state.require(session.state, "step")
    running.refuse_post_mortem(session)
    connection, frame, stop = looking.find_frame(session, frame_id)
    _need(session, connection.capabilities.supports_restart_frame, "restart a frame")
    with session.moving("restart_frame"):
        before = newest(session)
        await running.resume(
            session,
            dap.RESTART_FRAME,
            thread=looking.show_thread(session, connection, stop.thread) if stop.thread else None,
            more={"frameId": frame.id},
        )
        await hold(session, running.HOLD_SECONDS, before=before, connection=connection)
        session.tell()
        return await tested.describe(session, detail=detail)
