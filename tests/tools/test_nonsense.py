"""Values that can mean nothing: refused, with what to pass instead, by every tool that takes such a one."""

import pytest

from dapwright.core.errors import UsageError
from dapwright.tools.launches import exceptions

NUMBERS = {
    ("get_output", "since"): (-1, "-1", 10**30),
    ("get_output", "limit"): (0, -1),
    ("get_output", "tail"): (0, -5),
    ("get_stack_trace", "levels"): (-1, 0, 10**9),
    ("get_stack_trace", "start"): (-1, 10**9),
    ("get_variables", "start"): (-1,),
    ("get_variables", "count"): (-1, 0, 2**40),
    ("get_variables", "timeout"): (0, -1),
    ("evaluate_expression", "timeout"): (0, -1),
    ("get_source_context", "line"): (0, -3),
    ("get_source_context", "linesContext"): (-1,),
    ("set_breakpoint", "line"): (0, -1),
    ("set_breakpoint", "nearLine"): (0, -1),
    ("start_debugging", "wait"): (-1, "nan", float("nan"), float("inf")),
    ("continue_execution", "wait"): (-0.5,),
    ("wait_for_stop", "timeout"): (-1,),
    ("debug_test", "wait"): (-1,),
    ("investigate", "timeout"): (0, -1),
    ("trace_calls", "depth"): (-1,),
    ("trace_calls", "maxEvents"): (0,),
    ("trace_calls", "expand"): (-1,),
    ("attach_to_process", "timeout"): (0, -1),
    ("attach_to_process", "verifyTimeout"): (-1,),
}
NEEDED = {"scope": 1, "expression": "x", "file": "a.py", "line": 1, "test": "t"}


@pytest.mark.parametrize(("name", "argument"), NUMBERS)
def test_a_number_out_of_its_range_is_refused_by_name(real_tools, name, argument):
    tool = real_tools[name]
    others = {one.wire: NEEDED[one.wire] for one in tool.fields if one.required and one.wire != argument}
    for value in NUMBERS[name, argument]:
        with pytest.raises(UsageError, match=f"`{argument}` is .* is wanted"):
            tool.arguments({**others, argument: value}, "content")


def test_a_number_within_an_object_is_refused_by_its_path(real_tools):
    for name, given, path in (
        ("investigate", {"probes": [{"file": "a.py", "line": 0}]}, r"probes\[0\].line"),
        ("investigate", {"probes": [{"file": "a.py", "line": 1, "maxHits": -1}]}, r"probes\[0\].maxHits"),
        ("start_debugging", {"breakpoints": [{"file": "a.py", "line": -1}]}, r"breakpoints\[0\].line"),
        ("continue_execution", {"until": {"file": "a.py", "line": 0}}, "until.line"),
    ):
        with pytest.raises(UsageError, match=path):
            real_tools[name].arguments(given, "content")


@pytest.mark.parametrize("asked", ["nonsense", "All", "raised", [], ["raised"], ["all", "ValueError"], ["two words!"]])
def test_exceptions_that_no_engine_knows_are_refused(asked):
    with pytest.raises(UsageError, match="breakOnExceptions"):
        exceptions(asked, "uncaught")


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        (None, "uncaught"),
        ("", "uncaught"),
        ("all", "all"),
        (["none"], "none"),
        ("ValueError", ("ValueError",)),
        ("KeyError, socket.error", ("KeyError", "socket.error")),
        (["\\Shop\\OutOfStock", "std::runtime_error"], ("\\Shop\\OutOfStock", "std::runtime_error")),
        (["quiet"], ("quiet",)),
    ],
)
def test_modes_and_class_names_are_understood(asked, meant):
    assert exceptions(asked, "uncaught") == meant
