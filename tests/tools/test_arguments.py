"""What clients send, and what they are told of their mistakes."""

import pytest


async def placed(call, arguments, **settings):
    answer = await call("set_breakpoint", arguments, **settings)
    assert not answer.is_error, answer.text
    return answer.structured["place"]


async def refused(call, name, arguments, **settings):
    answer = await call(name, arguments, **settings)
    assert answer.is_error and answer.structured["code"] == "usage", answer
    assert answer.structured["error"] in answer.text
    return answer.structured["error"] + "\n" + answer.structured.get("hint", "")


async def test_numbers_and_booleans_may_come_as_strings(call):
    assert (await placed(call, {"file": "a.py", "line": "24"}))["line"] == 24
    started = await call("start", {"scriptPath": "a.py", "wait": "true", "stopOnEntry": "true"})
    assert started.structured["wait"] is True and started.structured["entry"] is True
    assert (await call("start", {"scriptPath": "a.py", "wait": "10"})).structured["wait"] == 10


async def test_lists_and_objects_may_come_as_json_text(call):
    started = await call("start", {"scriptPath": "a", "args": '["x"]', "breakpoints": '[{"file": "a", "line": "3"}]'})
    assert started.structured["args"] == ["x"] and started.structured["breakpoints"] == [{"file": "a", "line": 3}]


async def test_text_that_looks_like_a_list_stays_text_where_text_is_wanted(call):
    assert (await placed(call, {"file": "a", "statement": "[1, 2]"}))["statement"] == "[1, 2]"


async def test_aliases_are_understood_also_within_objects(call):
    started = await call("start", {"program": "a", "breakpoints": [{"fileFullPath": "b", "line": 1}]})
    assert started.structured["breakpoints"] == [{"file": "b", "line": 1}]


async def test_null_is_absence_but_data_within_a_mapping(call):
    assert (await placed(call, {"file": "a", "line": None})) == {"file": "a"}
    assert not (await call("start", {"scriptPath": "a", "env": {"A": None}})).is_error


@pytest.mark.parametrize("arguments", [5, "file=a.py", [1]])
async def test_arguments_that_are_no_object_are_refused(call, arguments):
    assert "an object is wanted" in await refused(call, "set_breakpoint", arguments)


async def test_an_unknown_argument_names_the_known_and_the_nearest(call):
    text = await refused(call, "set_breakpoint", {"near_lines": 3})
    assert "did you mean `nearLine`?" in text and "`condition`" in text
    nested = await refused(call, "start", {"scriptPath": "a", "breakpoints": [{"file": "a"}, {"lien": 3}]})
    assert "`breakpoints[1].lien`" in nested and "did you mean `line`?" in nested


async def test_a_hidden_argument_is_as_unknown_as_any_other(call):
    text = await refused(
        call, "set_breakpoint", {"sessionId": "s", "file": "a", "line": 1, "statement": "x"}, addressing="line"
    )
    assert "`statement` is not an argument" in text and "nearLine" not in text and "content" not in text


async def test_the_missing_are_named_in_order(call):
    text = await refused(call, "set_breakpoint", {"file": "a"}, addressing="line")
    assert "`sessionId`, `line` are missing" in text
    nested = await refused(call, "start", {"scriptPath": "a", "breakpoints": [{"file": "x"}]}, addressing="line")
    assert "`breakpoints[0].line` is missing" in nested


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"line": "not a number"}, "`line` is `not a number` (a string); an integer of at least 1 is wanted"),
        ({"line": -3}, "`line` is `-3` (an integer); an integer of at least 1 is wanted"),
        ({"line": 1.5}, "`line` is `1.5` (a number)"),
        ({"line": True}, "`line` is `True` (a boolean)"),
        ({"file": 7}, "`file` is `7` (an integer); a string is wanted"),
        ({"file": ["a"]}, "`file` is a list; a string is wanted"),
        ({"file": "a\0b"}, "`file` holds a NUL character"),
        ({"condition": "\ud800"}, "half of a surrogate pair"),
    ],
)
async def test_a_wrong_value_is_named_with_what_is_wanted(call, arguments, said):
    assert said in await refused(call, "set_breakpoint", arguments)


async def test_a_wrong_value_within_a_list_is_found(call):
    given = {"scriptPath": "a", "breakpoints": [{"file": "a"}, {"file": "b", "line": "x"}]}
    assert "`breakpoints[1].line` is `x`" in await refused(call, "start", given)
    assert "`args[1]` is `2`" in await refused(call, "start", {"scriptPath": "a", "args": ["x", 2]})
    assert "`env.A` is `1`" in await refused(call, "start", {"scriptPath": "a", "env": {"A": 1}})
    assert "one of `all`, `none` or a list" in await refused(call, "start", {"scriptPath": "a", "breakOn": "some"})


async def test_the_same_argument_under_two_names_is_refused(call):
    assert "given twice" in await refused(call, "start", {"scriptPath": "a", "program": "b"})
