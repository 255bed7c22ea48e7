"""The real tools against their golden file, their page, and the rules of a good description."""

import os
import re
from pathlib import Path

import pytest

from dapwright.policy.settings import ADDRESSING, TOOLSETS, Settings
from dapwright.tools import listed, tool
from dapwright.tools.contract import FILE as GOLDEN
from dapwright.tools.contract import shipped
from dapwright.tools.golden import golden_text, model_bytes
from dapwright.tools.reference import reference
from dapwright.tools.registry import REGISTERED

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tools.md"


@pytest.fixture(autouse=True)
def registry(real_tools):
    """The tools of the product, in place of the fakes."""
    REGISTERED.clear()
    REGISTERED.update(real_tools)
    yield REGISTERED
    REGISTERED.clear()
    REGISTERED.update(real_tools)


def needed(path, command):
    assert path.exists(), f"run `{command}`"
    return path.read_text(encoding="utf-8")


def test_the_golden_file_is_the_contract():
    if os.environ.get("DAPWRIGHT_GOLDEN") == "write":
        GOLDEN.write_text(golden_text(), encoding="utf-8")
    assert needed(GOLDEN, "make golden") == golden_text()


@pytest.mark.parametrize("toolset", TOOLSETS)
@pytest.mark.parametrize("arm", ADDRESSING)
def test_what_ships_lists_what_the_registry_lists(arm, toolset):
    settings = Settings(addressing=arm, toolset=toolset)
    assert shipped(settings) == listed(settings) and len(shipped(settings)) > 10


def test_the_page_of_the_tools_is_up_to_date():
    assert needed(PAGE, "make docs") == reference()


def test_the_lists_are_small():
    assert len(listed(Settings())) < 40 and model_bytes("core") < 28_000
    assert len(listed(Settings(toolset="focused"))) <= 14 and model_bytes("focused") < 9_000


@pytest.mark.parametrize("arm", ADDRESSING)
def test_every_description_says_what_it_does_needs_changes_and_answers(arm):
    faults = [fault for one in listed(Settings(toolset="all", addressing=arm)) for fault in lint(one)]
    assert not faults, "\n".join(faults)


def test_the_line_mode_has_no_trace_of_the_other_addresses():
    text = str(listed(Settings(toolset="all", addressing="line")))
    assert not re.search(r"nearLine|expectedContent|\banchor", text)


def test_the_lint_finds_faults(registry):
    @tool(title="Bad")
    async def bad(caller, *, thing: str):
        """does."""
        return {}

    faults = list(lint(REGISTERED["bad"].on_wire("content")))
    assert len(faults) == 4, faults


ANSWERS = re.compile(r"\b(answers?|returns?|lists?|tells?)\b", re.IGNORECASE)


def lint(one):
    """The faults of one tool as it is told."""
    name, text = one["name"], one["description"]
    if len(text) < 40:
        yield f"{name}: the description is too short to say what it does"
    if len(text) > 900:
        yield f"{name}: the description costs too much ({len(text)} characters)"
    if not text[:1].isupper() or not text.rstrip().endswith((".", "!", "`")):
        yield f"{name}: the description is no sentence"
    if not ANSWERS.search(text):
        yield f"{name}: the description does not say what it answers"
    for argument, part in one["inputSchema"]["properties"].items():
        if not part.get("description"):
            yield f"{name}.{argument} is not described"
        if re.match(r"(the|a|an) \w+\.?$", part.get("description", ""), re.IGNORECASE):
            yield f"{name}.{argument}: the description only repeats the name"
