"""The toy language and its adapter, as a process."""

import sys

import pytest
from dap import Refused, engine, line_of
from hypothesis import given
from hypothesis import strategies as st

from dapwright.engines.mock.expressions import Wrong, evaluate, filled
from dapwright.engines.mock.program import Machine

ADAPTER = (sys.executable, "-m", "dapwright", "adapter", "mock")
SHOP = "n = 0\nto add\n    n = n + 1\nend\nrepeat 3\n    do add\n    print n is {n}\nend\nexit 4\n"


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "shop.mock").write_text(SHOP)
    return str(tmp_path / "shop.mock")


async def test_it_stops_steps_looks_and_ends(shop):
    async with engine(*ADAPTER) as client:
        await client.begin(program=shop, breakpoints={shop: [{"line": line_of(shop, "n + 1"), "hitCondition": ">=2"}]})
        stop = await client.stopped()
        assert stop["frame"]["name"] == "add" and await client.locals(stop["frame"]["id"]) == {"n": "1"}
        assert await client.evaluate("n * 10 + len([1, 2])", stop["frame"]["id"]) == "12"
        await client.ask("stepOut", threadId=1)
        assert (await client.stopped())["frame"]["line"] == line_of(shop, "print")
        await client.ask("setExpression", expression="n", value="7", frameId=1)
        await client.ask("setBreakpoints", source={"path": shop}, breakpoints=[])
        await client.ask("continue", threadId=1)
        assert (await client.ended_with())["exitCode"] == 4
        assert client.output("stdout") == "n is 1\nn is 7\nn is 8\n"
        await client.ask("disconnect")


async def test_a_program_that_cannot_be_read_is_refused(tmp_path):
    async with engine(*ADAPTER) as client:
        with pytest.raises(Refused, match="cannot read"):
            await client.begin(program=str(tmp_path / "nosuch.mock"))
        (tmp_path / "bad.mock").write_text("repeat 3\n")
    async with engine(*ADAPTER) as client:
        with pytest.raises(Refused, match="has no `end`"):
            await client.begin(program=str(tmp_path / "bad.mock"))


async def test_a_sleep_can_be_paused_and_an_error_is_looked_at(tmp_path):
    script = tmp_path / "slow.mock"
    script.write_text("x = 1\nsleep 60\nfail Empty: no orders\n")
    async with engine(*ADAPTER) as client:
        await client.begin(program=str(script))
        await client.ask("pause", threadId=1)
        assert (await client.stopped())["reason"] == "pause"
        await client.ask("continue", threadId=1)
        assert (await client.stopped())["reason"] == "exception"
        assert (await client.ask("exceptionInfo", threadId=1))["exceptionId"] == "Empty"
        await client.ask("continue", threadId=1)
        assert (await client.ended_with())["exitCode"] == 1


@given(st.text(max_size=30))
def test_any_expression_has_a_value_or_is_wrong(text):
    try:
        evaluate(text, {"x": 1})
    except Wrong:
        pass
    assert isinstance(filled(text, {"x": 1}), str)


@given(st.lists(st.sampled_from(["x = 1", "repeat 2", "end", "to f", "do f", "print {x}", "y = nosuch"]), max_size=10))
def test_any_program_runs_to_an_end_or_an_error(lines):
    try:
        machine = Machine("\n".join(lines))
    except Wrong:
        return
    for _ in range(5000):
        if machine.ended:
            return
        effect = machine.step()
        if effect is not None and effect.kind == "fail":
            return


@pytest.mark.parametrize("text", ["'a' * 10 ** 9", "9 ** 9", "[1] * 99999999", "__import__('os')", "(" * 500])
def test_no_expression_hurts(text):
    with pytest.raises(Wrong):
        evaluate(text, {})
