"""The part of the Debug Adapter Protocol that we speak.

A request is one constant that names its command and its answer's type (core/bodies.py):

    body = await client.ask(SCOPES, {"frameId": 3})    # body: ScopesBody

Names are the protocol's own (https://microsoft.github.io/debug-adapter-protocol).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, cast

import msgspec

from dapwright.core import bodies
from dapwright.core.errors import ProtocolError
from dapwright.core.wire import frame

B = TypeVar("B")
Arguments = Mapping[str, Any]


class Message(msgspec.Struct):
    """Any message of the protocol: a request, a response or an event."""

    type: str = ""
    seq: int = 0
    command: str = ""
    event: str = ""
    request_seq: int = -1
    success: bool = False
    message: str | None = None
    body: Any = None
    arguments: Any = None


@dataclass(frozen=True)
class Request(Generic[B]):
    """A request by its command and the type of its answer's body."""

    command: str
    answer: type[B]


INITIALIZE = Request("initialize", bodies.Capabilities)
LAUNCH = Request("launch", bodies.Body)
ATTACH = Request("attach", bodies.Body)
CONFIGURATION_DONE = Request("configurationDone", bodies.Body)
DISCONNECT = Request("disconnect", bodies.Body)
TERMINATE = Request("terminate", bodies.Body)
SET_BREAKPOINTS = Request("setBreakpoints", bodies.BreakpointsBody)
SET_FUNCTION_BREAKPOINTS = Request("setFunctionBreakpoints", bodies.BreakpointsBody)
SET_DATA_BREAKPOINTS = Request("setDataBreakpoints", bodies.BreakpointsBody)
SET_INSTRUCTION_BREAKPOINTS = Request("setInstructionBreakpoints", bodies.BreakpointsBody)
SET_EXCEPTION_BREAKPOINTS = Request("setExceptionBreakpoints", bodies.Body)
DATA_BREAKPOINT_INFO = Request("dataBreakpointInfo", bodies.DataBreakpointInfoBody)
BREAKPOINT_LOCATIONS = Request("breakpointLocations", bodies.BreakpointLocationsBody)
THREADS = Request("threads", bodies.ThreadsBody)
STACK_TRACE = Request("stackTrace", bodies.StackTraceBody)
SCOPES = Request("scopes", bodies.ScopesBody)
VARIABLES = Request("variables", bodies.VariablesBody)
EVALUATE = Request("evaluate", bodies.EvaluateBody)
SET_VARIABLE = Request("setVariable", bodies.SetVariableBody)
SET_EXPRESSION = Request("setExpression", bodies.SetVariableBody)
EXCEPTION_INFO = Request("exceptionInfo", bodies.ExceptionInfoBody)
SOURCE = Request("source", bodies.SourceBody)
CONTINUE = Request("continue", bodies.ContinueBody)
NEXT = Request("next", bodies.Body)
STEP_IN = Request("stepIn", bodies.Body)
STEP_OUT = Request("stepOut", bodies.Body)
STEP_BACK = Request("stepBack", bodies.Body)
REVERSE_CONTINUE = Request("reverseContinue", bodies.Body)
PAUSE = Request("pause", bodies.Body)
RESTART_FRAME = Request("restartFrame", bodies.Body)
GOTO = Request("goto", bodies.Body)
GOTO_TARGETS = Request("gotoTargets", bodies.GotoTargetsBody)
STEP_IN_TARGETS = Request("stepInTargets", bodies.StepInTargetsBody)
READ_MEMORY = Request("readMemory", bodies.ReadMemoryBody)
WRITE_MEMORY = Request("writeMemory", bodies.WriteMemoryBody)
DISASSEMBLE = Request("disassemble", bodies.DisassembleBody)
TRACE = Request("dapwright/trace", bodies.Body)


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Message, strict=False)


def encode(message: Mapping[str, Any]) -> bytes:
    """Return the frame of `message`; lone surrogates in its strings become U+FFFD."""
    try:
        return frame(_encoder.encode(message))
    except UnicodeEncodeError:
        return frame(json.dumps(_clean(message), ensure_ascii=False).encode())


def decode(body: bytes) -> Message:
    """Read one body, as forgivingly as truth allows: bad UTF-8, lone surrogates and NaN are mended.

    Raises:
        ProtocolError: the body is not a JSON object of the protocol.
    """
    try:
        return _decoder.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    try:
        loose = json.loads(body.decode("utf-8", errors="replace"))
        return msgspec.convert(_clean(loose), Message, strict=False)
    except (ValueError, RecursionError) as bad:
        raise ProtocolError(f"the peer sent a message that is no JSON object: {body[:80]!r}") from bad


def typed(body: Any, shape: type[B]) -> B:
    """Read an untyped `body` as `shape`; a missing one counts as empty.

    Raises:
        ProtocolError: a field that we need is missing or of another kind.
    """
    try:
        return msgspec.convert({} if body is None else body, shape, strict=False)
    except msgspec.ValidationError as bad:
        raise ProtocolError(f"the debugger's answer is not a `{shape.__name__}`: {bad}") from bad


def lenient(body: Any, shape: type[B]) -> B:
    """Read an event's `body` as `shape`. An event cannot be refused, so a field of another kind counts as missing."""
    try:
        return typed(body, shape)
    except ProtocolError:
        pass
    given = body if isinstance(body, dict) else {}
    kept: dict[str, Any] = {}
    for field in msgspec.structs.fields(cast(Any, shape)):
        if field.encode_name in given:
            try:
                msgspec.convert(given[field.encode_name], field.type, strict=False)
            except msgspec.ValidationError:
                continue
            kept[field.encode_name] = given[field.encode_name]
    return msgspec.convert(kept, shape, strict=False)


def _clean(value: Any) -> Any:
    match value:
        case str():
            return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        case dict() | Mapping():
            return {_clean(key): _clean(item) for key, item in value.items()}
        case list() | tuple():
            return [_clean(item) for item in value]
        case float() if value != value or value in (float("inf"), float("-inf")):
            return str(value)
        case _:
            return value
