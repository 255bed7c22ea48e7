"""What becomes of a tool's result and of its failures."""

import asyncio
from typing import Annotated

import msgspec
import pytest

from dapwright.core.errors import NoSuchSession
from dapwright.tools import About, Caller, InputRequired, tool


def returning(value, **marks):
    @tool(title="Fake", **marks)
    async def fake(caller: Caller, *, ask: Annotated[bool, About("Ask.")] = False):
        """Answers what the test wants."""
        if isinstance(value, BaseException):
            raise value
        if callable(value):
            return await value(caller)
        return value

    return fake


async def test_what_says_nothing_is_left_out_and_what_always_is_there_stays(call):
    returning({"a": None, "b": [], "c": "", "locals": [], "rows": [], "count": 0, "bound": False, "d": {"e": None}})
    assert (await call("fake")).structured == {
        "success": True,
        "locals": [],
        "rows": [],
        "count": 0,
        "bound": False,
    }


async def test_empty_strings_of_the_program_are_values(call):
    returning({"result": "", "rows": [{"values": {"x": "", "y": None}}]})
    assert (await call("fake")).structured == {"success": True, "result": "", "rows": [{"values": {"x": ""}}]}


async def test_an_answer_is_always_json_and_always_text(call):
    class Odd(msgspec.Struct, rename="camel"):
        near_line: int

    returning({"a": "x\ud83d\ude00y\udc00", "b": float("nan"), "c": 2**80, "d": (1, Odd(2)), "e": {3: b"x"}})
    answer = await call("fake")
    assert answer.structured["a"] == "x\N{GRINNING FACE}y\ufffd" and answer.structured["d"] == [1, {"nearLine": 2}]
    assert "nan" in answer.text and msgspec.json.decode(msgspec.json.encode(answer.structured)) == answer.structured


async def test_a_failure_says_everything_in_its_text_too(call):
    returning(NoSuchSession("no session is `s9`", "call `list_debug_sessions`"))
    answer = await call("fake")
    assert answer.is_error
    assert answer.structured == {
        "success": False,
        "code": "no-such-session",
        "error": "no session is `s9`",
        "hint": "call `list_debug_sessions`",
    }
    assert all(part in answer.text for part in ("no-such-session", "no session is `s9`", "list_debug_sessions"))


async def test_a_failure_within_groups_is_found(call):
    returning(BaseExceptionGroup("a", [ValueError("b"), ExceptionGroup("c", [NoSuchSession("gone")])]))
    assert (await call("fake")).structured["error"] == "gone"


async def test_a_defect_is_logged_and_told_without_its_data(call, capfd):
    returning(ValueError("the password is hunter2"))
    answer = await call("fake")
    assert answer.structured["code"] == "internal" and "hunter2" not in answer.text
    assert "ValueError" in answer.text and "test_answers.py" in capfd.readouterr().err


async def test_a_call_over_its_ceiling_says_what_was_going_on(call):
    async def stall(caller):
        await caller.progress("waiting for the program to start")
        await asyncio.Event().wait()

    returning(stall)
    answer = await call("fake", ceiling=0.05)
    assert answer.structured["code"] == "time-limit" and "waiting for the program to start" in answer.text
    assert "nothing was cancelled" in answer.text


async def test_a_time_limit_of_the_tool_itself_is_no_ceiling(call):
    returning(TimeoutError())
    assert (await call("fake")).structured["code"] == "internal"


async def test_cancellation_and_questions_pass_through(call):
    returning(asyncio.CancelledError())
    with pytest.raises(asyncio.CancelledError):
        await call("fake")


async def test_a_question_passes_through_groups(call):
    returning(BaseExceptionGroup("a", [InputRequired("k", "may I?", {}), asyncio.CancelledError()]))
    with pytest.raises(InputRequired, match="may I"):
        await call("fake")


async def test_nobody_answers_where_nobody_can_be_asked(call):
    async def ask(caller):
        return {"action": (await caller.ask_person("may I?")).action}

    returning(ask)
    assert (await call("fake")).structured["action"] == "unavailable"


@pytest.mark.parametrize(
    "value",
    [
        {"entries": [{"output": "x" * 5000, "seq": n} for n in range(3000)]},
        {"value": "é" * 3_000_000},
        {f"k{n}": "x" * 100 for n in range(20_000)},
        {"deep": [[["y" * 999] * 50] * 50] * 5},
    ],
)
async def test_an_answer_over_256_kb_is_cut_and_says_so(call, value):
    returning(value)
    answer = await call("fake")
    assert len(msgspec.json.encode(answer.structured)) + len(answer.text.encode()) <= 256 * 1024
    told = answer.structured["truncation"]
    assert told.get("omittedCount", 0) + told.get("valueTruncatedCount", 0) > 0 and "256 KB" in answer.text


async def test_the_generic_text_is_compact(call):
    returning(
        {
            "state": "paused",
            "location": {"file": "a.py", "line": 3},
            "source": "> 3 x\n  4 y",
            "stack": [{"id": 1, "name": "f"}, {"id": 2, "name": "g"}],
            "names": ["a", "b"],
        }
    )
    assert (await call("fake")).text == (
        "state: paused\nlocation: file=a.py line=3\nsource:\n  > 3 x\n    4 y\n"
        "stack:\n - id=1 name=f\n - id=2 name=g\nnames: a, b"
    )


async def test_a_renderer_of_its_own_is_used_and_its_defect_costs_nothing(call, capfd):
    returning({"state": "paused"}, text=lambda answer: f"it is {answer['state']}")
    assert (await call("fake")).text == "it is paused"


async def test_a_broken_renderer_falls_back(call, capfd):
    returning({"state": "paused"}, text=lambda answer: answer["missing"])
    assert (await call("fake")).text == "state: paused"
    assert "KeyError" in capfd.readouterr().err
