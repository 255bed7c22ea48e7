"""Answers of the Debug Adapter Protocol, as tolerant types.

Adapters add fields, leave others out and send nulls, so every field that an adapter
may forget has a default. Names are the protocol's own.
"""

import msgspec


class Body(msgspec.Struct, rename="camel"):
    """The ancestor of all typed bodies: camelCase on the wire, unknown fields ignored."""


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
    process: str = ""
    """Which child process it is of: told by our gdb plugin, which has several in one connection."""


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
    note: str | None = None
    """What an engine of ours has to say of it (stops that were passed over)."""


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
    dapwright_repeated: bool = False
    """An engine that was taught so: this very exception was told at an earlier stop."""


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
    supports_dapwright_trace: bool | None = None
    """An engine or a plugin of ours that tells calls: `dapwright/trace`."""
    supports_dapwright_looks: bool | None = None
    """A plugin of ours that answers the looks after a step before they are asked: `dapwrightLook` in the step."""
    exception_breakpoint_filters: list[ExceptionFilter] | None = None
