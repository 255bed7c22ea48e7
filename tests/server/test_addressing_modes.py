"""Three contracts that differ in how a place is named, and in nothing else: a golden file of each."""

import json
import os
import re
from pathlib import Path

import pytest
from live.driver import driver

from dapwright.policy.settings import ADDRESSING, Settings
from dapwright.server.instructions import instructions
from dapwright.server.prompts import workflow
from dapwright.tools import listed

GOLDEN = Path(__file__).parents[1] / "golden" / "addressing"
SOURCE = "def build(\n    left,\n    right,\n):\n    # a comment\n\n    joined = left + right\n    return joined\n"
TRACES = re.compile(r"statement|nearLine|expectedContent|anchor|`watch`|`function`", re.IGNORECASE)
ABOUT_CODE = ("evaluate_expression", "explain_value")
"""Tools whose descriptions speak of statements that run, not of places."""
CALLS = [
    ("set_breakpoint", {"file": "t.py"}),
    ("set_breakpoint", {"file": "t.py", "line": 99}),
    ("set_breakpoint", {"file": "t.py", "line": 5}),
    ("set_breakpoint", {"file": "t.py", "line": 7, "logMessage": "{"}),
    ("set_breakpoint", {"file": "t.py", "line": 7, "expectedContent": "return joined"}),
    ("set_breakpoint", {"file": "t.py", "statement": "return joined"}),
    ("remove_breakpoint", {}),
    ("start_debugging", {"scriptPath": "t.py", "breakpoints": [{"file": "t.py"}]}),
    ("investigate", {"scriptPath": "t.py", "probes": [{"file": "t.py"}]}),
]


async def said(arm, folder):
    """What an agent reads of a mode: schemas, instructions, prompt, and the answers to calls that go wrong."""
    whole = Settings(toolset="all", addressing=arm)
    told = {"instructions": instructions(whole), "prompt": workflow(whole), "tools": listed(whole), "answers": []}
    async with driver(addressing=arm) as one:
        session = (await one.ok("create_debug_session", language="python"))["sessionId"]
        for tool, arguments in CALLS:
            given = {k: str(folder / v) if k in ("file", "scriptPath") else v for k, v in arguments.items()}
            named = {} if tool == "investigate" else {"sessionId": session}
            answer = json.dumps(await one.call(tool, **named, **given), ensure_ascii=False)
            told["answers"].append({"tool": tool, **arguments, "answer": json.loads(answer.replace(f"{folder}/", ""))})
    return told


@pytest.fixture
def written(tmp_path, monkeypatch):
    (tmp_path / "t.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    return tmp_path.resolve()


@pytest.mark.parametrize("arm", ADDRESSING)
async def test_golden_files_of_the_addressing_modes(arm, written):
    told = await said(arm, written)
    told["tools"] = {one["name"]: one["inputSchema"]["properties"] for one in told["tools"] if _places(one)}
    text = json.dumps(told, indent=1, ensure_ascii=False) + "\n"
    path = GOLDEN / f"{arm}.json"
    if os.environ.get("DAPWRIGHT_GOLDEN") == "write":
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, "run `make golden` and look at the difference"


def _places(one):
    return one["name"] in ("set_breakpoint", "remove_breakpoint", "continue_execution", "investigate")


@pytest.mark.parametrize("arm", ["line", "assert"])
async def test_a_mode_has_no_trace_of_the_addresses_that_it_lacks(arm, written):
    told = await said(arm, written)
    told["tools"] = [one for one in told["tools"] if one["name"] not in ABOUT_CODE]
    for one in told["answers"]:
        unknown = [name for name in ("statement", "expectedContent") if f"`{name}` is not an arg" in str(one["answer"])]
        answer = one.pop("answer")
        one.clear()  # what the call itself said
        one["answer"] = {k: v for k, v in answer.items() if not unknown or k != "error"}
    allowed = {"expectedcontent"} if arm == "assert" else set()
    text = json.dumps(told).replace("inside the statement", "")
    assert {found.lower() for found in TRACES.findall(text)} <= allowed


async def test_moves_are_loud_but_in_the_plain_mode(written):
    rows = {}
    for arm in ADDRESSING:
        async with driver(addressing=arm) as one:
            session = (await one.ok("create_debug_session", language="python"))["sessionId"]
            rows[arm] = await one.ok("set_breakpoint", sessionId=session, file=str(written / "t.py"), line=5)
    assert {arm: row["line"] for arm, row in rows.items()} == dict.fromkeys(ADDRESSING, 7)
    assert "requested 5, bound to 7" in rows["assert"]["warning"] and rows["content"]["requestedLine"] == 5
    assert not rows["line"].keys() & {"requestedLine", "warning", "source"}
