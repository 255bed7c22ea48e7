"""What a Go function returned, told after a step out of it."""

import pytest

from live.gophers import started

pytestmark = [pytest.mark.live, pytest.mark.needs("go")]

ENTRY = {
    "number": ("42", "int"),
    "text": ('"hello"', "string"),
    "pair": (
        '(main.point {X: 1, Y: 2}, error(*errors.errorString) *{s: "no luck"})',
        "(main.point, error)",
    ),
    "(*point).sum": ("7", "int"),
    "point.twice": ("main.point {X: 6, Y: 8}", "main.point"),
    "large": ('("large", main.big {items: [20]int [0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,7]})', "(string, main.big)"),
    "blank": ("(5, error nil)", "(int, err error)"),
    "local": ("interface {}(main.row·1) {A: 8}", "interface {}"),
    "kinds": (
        '(map[string][]int ["a": [1,2], ], main.number, chan int 0/3, []string len: 0, cap: 0, nil, '
        "*main.point {X: 6, Y: 7})",
        "(map[string][]int, func() int, chan int, []string, *main.point)",
    ),
    "nothing": None,
    "grown": ('"bottom' + "".join(map(str, range(1, 41))) + '"', "string"),
    "bound": ('("0", error nil)', "(string, error)"),
}
"""What functions return that are left where they are entered: some of their results are not readable there yet."""

BODY = {
    'return n, errors.New("inner") // in named': (
        '(4, error(*fmt.wrapError) *{msg: "wrapped: inner", err: error(*errors.errorString) *{s: "inner"}})',
        "(n int, err error)",
    ),
    'return fmt.Errorf("outer %w", err) // in shadow': (
        'error(*fmt.wrapError) *{msg: "outer other", err: error(*errors.errorString) *{s: "other"}}',
        "err error",
    ),
    "return fmt.Sprint(k, p.X) // in closure": ('"5 3"', "string"),
    'panic("inside") // in recovers': None,
    "return n, get // in heap": None,
}


@pytest.fixture
def returns(program):
    return program("go/returns")


def told(stop):
    found = stop.get("returnValue")
    return found and (found["value"], found["type"])


async def left(go, stop):
    assert stop["state"] == "paused", stop
    function = stop["location"]["function"].removeprefix("main.")
    after = await go.ok("step_out")
    assert after["lastStop"]["reason"] == "step"
    return function, told(after)


async def test_results_are_told_of_functions_that_were_just_entered(returns):
    async with started(returns, stopOnEntry=True) as (go, _):
        for name in ENTRY:
            await go.ok("set_breakpoint", function=name)
        await go.ok("set_breakpoint", function="generic")
        seen = {}
        stop = await go.ok("continue_execution", wait=20)
        while stop["state"] == "paused":
            function, value = await left(go, stop)
            seen[function] = value
            stop = await go.ok("continue_execution", wait=20)
        generic = {value for name, value in seen.items() if name.startswith("generic")}
        assert generic == {
            ('main.box[string] {held: "g"}', "main.box[string]"),
            ("main.box[main.point] {held: main.point {X: 1, Y: 2}}", "main.box[main.point]"),
        }
        assert {name: value for name, value in seen.items() if not name.startswith("generic")} == ENTRY
        assert stop["exitCode"] == 0


async def test_results_are_told_with_what_deferred_calls_made_of_them(returns):
    async with started(returns, *BODY) as (go, stop):
        seen = []
        while stop["state"] == "paused":
            seen.append((stop["content"], (await left(go, stop))[1]))
            stop = await go.ok("continue_execution", wait=20)
        assert dict(seen) == BODY


async def test_a_step_out_that_does_not_get_to_the_return_tells_nothing(returns):
    async with started(returns, "one := inner()", "n = 4") as (go, stop):
        assert stop["location"]["function"] == "main.boom"
        after = await go.ok("step_out")  # its caller recovers: nothing is returned
        assert "returnValue" not in after and after["location"]["function"] == "main.catches.func1"
        await go.ok("continue_execution", wait=20)
        await go.ok("set_breakpoint", function="inner")
        cut = await go.ok("step_out")
        assert cut["location"]["function"] == "main.inner" and "returnValue" not in cut
        assert told(await go.ok("step_out")) == ("1", "int")
        assert told(await go.ok("step_out")) == ("2", "int"), "the outer one, now to its end"


async def test_a_breakpoint_on_the_next_line_is_not_passed_unseen(returns):
    async with started(returns, stopOnEntry=True) as (go, _):
        await go.ok("set_breakpoint", function="pair")
        await go.ok("set_breakpoint", file=str(returns / "main.go"), statement="x := point{1, 2}")
        stop = await go.ok("continue_execution", wait=20)
        assert stop["content"] == "func pair() (point, error) {"
        cut = await go.ok("step_out")
        assert cut["content"] == "x := point{1, 2}" and "returnValue" not in cut
        assert told(await go.ok("step_out")) == ENTRY["pair"]
