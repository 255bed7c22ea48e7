"""The demo tells an answer that is not as expected from one that is, and the whole story plays."""

import subprocess
import sys
from types import SimpleNamespace

import pytest
from mcp.types import TextContent

from dapwright.demo.play import SHOP, explain, first
from dapwright.demo.stage import Stage, Unexpected, expect, local
from dapwright.demo.story import RIGHT, SUSPECT


class Client:
    """Answers every call with one result, and keeps what was asked."""

    def __init__(self, structured, *, is_error=False):
        content = [TextContent(type="text", text="what an agent reads")]
        self.result = SimpleNamespace(content=content, structured_content=structured, is_error=is_error)
        self.asked = []

    async def call_tool(self, tool, arguments):
        self.asked.append((tool, arguments))
        return self.result


async def test_a_call_is_shown_with_its_answer_and_its_time(capsys):
    client = Client({"success": True, "state": "paused"})
    stage = Stage(client)
    answer = await stage.call("step_over", sessionId="s1")
    shown = capsys.readouterr().out
    assert answer["state"] == "paused"
    assert client.asked == [("step_over", {"sessionId": "s1"})]
    assert '→ step_over {"sessionId": "s1"}' in shown
    assert "  │ what an agent reads" in shown
    assert [tool for tool, _ in stage.times] == ["step_over"]


@pytest.mark.parametrize(
    ("structured", "is_error"), [({"success": True}, True), ({"success": False}, False), ({}, False), (None, False)]
)
async def test_an_answer_that_is_no_success_ends_the_story(structured, is_error):
    with pytest.raises(Unexpected):
        await Stage(Client(structured, is_error=is_error)).call("step_over")


def test_a_fact_that_differs_ends_the_story():
    expect("total", "3660", 3660)
    with pytest.raises(Unexpected, match="total is '3660', not 3700"):
        expect("total", "3660", 3700)


def test_a_local_that_is_not_shown_ends_the_story():
    assert local({"locals": [{"name": "total", "value": "1"}]}, "total") == "1"
    with pytest.raises(Unexpected, match="no local variable `cost`"):
        local({"locals": []}, "cost")


def test_the_first_problem_of_nested_groups_is_told():
    problem = ExceptionGroup("outer", [ExceptionGroup("inner", [KeyError("state")])])
    assert explain(first(problem)) == "an answer lacks what the contract promises: KeyError('state')"
    assert explain(TimeoutError()).startswith("the story took longer than")
    assert explain(OSError("gone")) == "the server could not be talked to: OSError('gone')"


def test_the_shop_has_the_statement_once_and_its_cure_works(tmp_path):
    source = (SHOP / "shop.py").read_text()
    assert [line.strip() for line in source.splitlines()].count(SUSPECT) == 1
    (tmp_path / "shop.py").write_text(source.replace("total * BULK_PERCENT // 100", RIGHT))
    ran = subprocess.run([sys.executable, "shop.py"], cwd=tmp_path, capture_output=True, text=True, timeout=30)
    assert ran.stdout == "to pay: 37.00\n"


@pytest.mark.live
@pytest.mark.slow
def test_the_whole_story_plays_against_the_real_server():
    ran = subprocess.run([sys.executable, "-m", "dapwright", "demo"], capture_output=True, text=True, timeout=110)
    assert ran.returncode == 0, ran.stdout[-3000:] + ran.stderr[-3000:]
    assert "all as expected" in ran.stdout
