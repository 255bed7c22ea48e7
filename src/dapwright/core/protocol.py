"""The part of the Debug Adapter Protocol that we speak.

Types only, and tolerant ones: adapters add fields, leave others out and send nulls,
so every field that an adapter may forget has a default. A request is one constant
that names its arguments and its answer:

    body = await client.ask(SCOPES, {"frameId": 3})    # body: ScopesBody

Names are the protocol's own (https://microsoft.github.io/debug-adapter-protocol).
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

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


class Body(msgspec.Struct, rename="camel"):
    """The ancestor of all typed bodies: camelCase on the wire, unknown fields ignored."""


@dataclass(frozen=True)
class Request(Generic[B]):
    """A request by its command and the type of its answer's body."""

    command: str
    answer: type[B]


class Source(Body):
    name: str | None = None
    path: str | None = None
    source_reference: int | None = None
    presentation_hint: str | None = None
    origin: str | None = None


class Breakpoint(Body):
    verified: bool = False
    id: int | None = None
    line: int | None = None
    column: int | None = None
    end_line: int | None = None
    message: str | None = None
    source: Source | None = None
    reason: str | None = None


class BreakpointsBody(Body):
    breakpoints: list[Breakpoint] = []


class BreakpointLocation(Body):
    line: int
    column: int | None = None
    end_line: int | None = None


class BreakpointLocationsBody(Body):
    breakpoints: list[BreakpointLocation] = []


class DataBreakpointInfoBody(Body):
    data_id: str | None = None
    description: str = ""
    access_types: list[str] | None = None
    can_persist: bool | None = None


class Thread(Body):
    id: int
    name: str = ""


class ThreadsBody(Body):
    threads: list[Thread] = []


class StackFrame(Body):
    id: int
    name: str = ""
    line: int = 0
    column: int = 0
    source: Source | None = None
    presentation_hint: str | None = None
    can_restart: bool | None = None
    instruction_pointer_reference: str | None = None


class StackTraceBody(Body):
    stack_frames: list[StackFrame] = []
    total_frames: int | None = None


class Scope(Body):
    name: str
    variables_reference: int
    expensive: bool | None = False
    presentation_hint: str | None = None
    named_variables: int | None = None
    indexed_variables: int | None = None


class ScopesBody(Body):
    scopes: list[Scope] = []


class PresentationHint(Body):
    kind: str | None = None
    attributes: list[str] | None = None
    visibility: str | None = None
    lazy: bool | None = None


class Variable(Body):
    name: str
    value: str = ""
    type: str | None = None
    variables_reference: int = 0
    named_variables: int | None = None
    indexed_variables: int | None = None
    evaluate_name: str | None = None
    memory_reference: str | None = None
    presentation_hint: PresentationHint | None = None


class VariablesBody(Body):
    variables: list[Variable] = []


class EvaluateBody(Body):
    result: str = ""
    type: str | None = None
    variables_reference: int = 0
    named_variables: int | None = None
    indexed_variables: int | None = None
    memory_reference: str | None = None


class SetVariableBody(Body):
    value: str = ""
    type: str | None = None
    variables_reference: int | None = None


class ContinueBody(Body):
    all_threads_continued: bool | None = True


class ExceptionDetails(Body):
    message: str | None = None
    type_name: str | None = None
    full_type_name: str | None = None
    evaluate_name: str | None = None
    stack_trace: str | None = None
    inner_exception: "list[ExceptionDetails] | None" = None


class ExceptionInfoBody(Body):
    exception_id: str = ""
    break_mode: str = ""
    description: str | None = None
    details: ExceptionDetails | None = None


class SourceBody(Body):
    content: str = ""
    mime_type: str | None = None


class StepInTarget(Body):
    id: int
    label: str = ""
    line: int | None = None


class StepInTargetsBody(Body):
    targets: list[StepInTarget] = []


class GotoTarget(Body):
    id: int
    label: str = ""
    line: int = 0


class GotoTargetsBody(Body):
    targets: list[GotoTarget] = []


class ReadMemoryBody(Body):
    address: str = ""
    data: str | None = None
    unreadable_bytes: int | None = None


class WriteMemoryBody(Body):
    bytes_written: int | None = None


class Instruction(Body):
    address: str
    instruction: str = ""
    instruction_bytes: str | None = None
    symbol: str | None = None
    location: Source | None = None
    line: int | None = None


class DisassembleBody(Body):
    instructions: list[Instruction] = []


class ExceptionFilter(Body):
    filter: str
    label: str = ""
    default: bool | None = None
    supports_condition: bool | None = None


class Capabilities(Body):
    """What an adapter advertises. A request that is not here is never sent: it may hang or kill the adapter."""

    supports_configuration_done_request: bool | None = None
    supports_function_breakpoints: bool | None = None
    supports_conditional_breakpoints: bool | None = None
    supports_hit_conditional_breakpoints: bool | None = None
    supports_log_points: bool | None = None
    supports_data_breakpoints: bool | None = None
    supports_instruction_breakpoints: bool | None = None
    supports_breakpoint_locations_request: bool | None = None
    supports_evaluate_for_hovers: bool | None = None
    supports_step_back: bool | None = None
    supports_set_variable: bool | None = None
    supports_set_expression: bool | None = None
    supports_restart_frame: bool | None = None
    supports_goto_targets_request: bool | None = None
    supports_step_in_targets_request: bool | None = None
    supports_exception_info_request: bool | None = None
    supports_exception_options: bool | None = None
    supports_exception_filter_options: bool | None = None
    supports_terminate_request: bool | None = None
    supports_terminate_debuggee: bool | None = None
    support_terminate_debuggee: bool | None = None
    """The protocol's own spelling; debugpy sends the other one."""
    supports_delayed_stack_trace_loading: bool | None = None
    supports_loaded_sources_request: bool | None = None
    supports_read_memory_request: bool | None = None
    supports_write_memory_request: bool | None = None
    supports_disassemble_request: bool | None = None
    supports_stepping_granularity: bool | None = None
    supports_single_thread_execution_requests: bool | None = None
    supports_cancel_request: bool | None = None
    exception_breakpoint_filters: list[ExceptionFilter] | None = None


# --- events


class StoppedEvent(Body):
    reason: str = ""
    description: str | None = None
    thread_id: int | None = None
    text: str | None = None
    all_threads_stopped: bool | None = None
    hit_breakpoint_ids: list[int] | None = None
    preserve_focus_hint: bool | None = None


class ContinuedEvent(Body):
    thread_id: int | None = None
    all_threads_continued: bool | None = None


class OutputEvent(Body):
    output: str = ""
    category: str | None = None


class ExitedEvent(Body):
    exit_code: int | None = None


class ThreadEvent(Body):
    reason: str = ""
    thread_id: int = 0


class BreakpointEvent(Body):
    reason: str = ""
    breakpoint: Breakpoint = msgspec.field(default_factory=Breakpoint)


class ProcessEvent(Body):
    name: str = ""
    system_process_id: int | None = None
    is_local_process: bool | None = None
    start_method: str | None = None


class CapabilitiesEvent(Body):
    capabilities: dict[str, Any] = {}


INITIALIZE = Request("initialize", Capabilities)
LAUNCH = Request("launch", Body)
ATTACH = Request("attach", Body)
CONFIGURATION_DONE = Request("configurationDone", Body)
DISCONNECT = Request("disconnect", Body)
TERMINATE = Request("terminate", Body)
SET_BREAKPOINTS = Request("setBreakpoints", BreakpointsBody)
SET_FUNCTION_BREAKPOINTS = Request("setFunctionBreakpoints", BreakpointsBody)
SET_DATA_BREAKPOINTS = Request("setDataBreakpoints", BreakpointsBody)
SET_INSTRUCTION_BREAKPOINTS = Request("setInstructionBreakpoints", BreakpointsBody)
SET_EXCEPTION_BREAKPOINTS = Request("setExceptionBreakpoints", Body)
DATA_BREAKPOINT_INFO = Request("dataBreakpointInfo", DataBreakpointInfoBody)
BREAKPOINT_LOCATIONS = Request("breakpointLocations", BreakpointLocationsBody)
THREADS = Request("threads", ThreadsBody)
STACK_TRACE = Request("stackTrace", StackTraceBody)
SCOPES = Request("scopes", ScopesBody)
VARIABLES = Request("variables", VariablesBody)
EVALUATE = Request("evaluate", EvaluateBody)
SET_VARIABLE = Request("setVariable", SetVariableBody)
SET_EXPRESSION = Request("setExpression", SetVariableBody)
EXCEPTION_INFO = Request("exceptionInfo", ExceptionInfoBody)
SOURCE = Request("source", SourceBody)
CONTINUE = Request("continue", ContinueBody)
NEXT = Request("next", Body)
STEP_IN = Request("stepIn", Body)
STEP_OUT = Request("stepOut", Body)
STEP_BACK = Request("stepBack", Body)
REVERSE_CONTINUE = Request("reverseContinue", Body)
PAUSE = Request("pause", Body)
RESTART_FRAME = Request("restartFrame", Body)
GOTO = Request("goto", Body)
GOTO_TARGETS = Request("gotoTargets", GotoTargetsBody)
STEP_IN_TARGETS = Request("stepInTargets", StepInTargetsBody)
READ_MEMORY = Request("readMemory", ReadMemoryBody)
WRITE_MEMORY = Request("writeMemory", WriteMemoryBody)
DISASSEMBLE = Request("disassemble", DisassembleBody)


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
