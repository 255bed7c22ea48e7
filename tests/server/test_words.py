"""Instructions and prompt: short, and fitting the settings."""

import re

import pytest

from dapwright.policy.settings import ADDRESSING, TOOLSETS, Settings
from dapwright.server.instructions import LONGEST, instructions
from dapwright.server.prompts import get_prompt, workflow


@pytest.mark.parametrize("addressing", ADDRESSING)
@pytest.mark.parametrize("toolset", TOOLSETS)
def test_the_instructions_fit_and_name_the_first_tools(addressing, toolset):
    text = instructions(Settings(addressing=addressing, toolset=toolset))
    assert 200 < len(text) <= LONGEST
    assert text.index("debug_test") < text.index("investigate") < text.index("start_debugging")


def test_the_line_mode_knows_nothing_of_the_other_addresses():
    settings = Settings(addressing="line")
    text = instructions(settings) + workflow(settings)
    assert not re.search(r"statement|nearLine|expectedContent|anchor", text)


def test_what_the_person_said_stands_before_the_workflow():
    told = get_prompt(Settings(), {"problem": "it is red", "target": "tests/a.py"})
    text = told["messages"][0]["content"]["text"]
    assert text.startswith("Problem: it is red\nTarget: tests/a.py\n")


@pytest.mark.parametrize("toolset", TOOLSETS)
def test_every_tool_that_is_named_is_listed(toolset):
    settings = Settings(toolset=toolset)
    named = set(re.findall(r"\b(?:[a-z]+_)+[a-z]+\b", instructions(settings))) - {"step_"}
    from dapwright.tools import listed

    assert named <= {one["name"] for one in listed(settings)}
