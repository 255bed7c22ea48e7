"""debug-gym's configuration of each arm."""

import json
import stat
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parents[2])]

from evals.debug_gym import __main__ as command  # noqa: E402
from evals.debug_gym.arms import ARMS, EVIDENCE, PRIMITIVES  # noqa: E402

REFERENCE = (Path(__file__).parents[2] / "docs" / "tools.md").read_text(encoding="utf-8")
LISTED = {line[3:] for line in REFERENCE.splitlines() if line.startswith("## ")}


@pytest.mark.parametrize("arm", ARMS)
def test_an_arm_names_tools_that_there_are_and_its_gate(arm, tmp_path):
    assert command.main([arm, "--problem", "one", "--out", str(tmp_path)]) == 0
    path = tmp_path / f"{arm}.yaml"
    made = json.loads(path.read_text())
    assert stat.S_IMODE(path.stat().st_mode) == 0o600, "it holds the token"
    assert made["dataset"]["problems"] == ["one"]
    if arm == "none":
        assert "mcp_servers" not in made and "setup_commands" not in made["terminal"]
        return
    server = made["mcp_servers"]["dapwright"]
    assert server["transport"] == "streamable_http" and set(server["tools"]) <= LISTED
    key = server["headers"]["Authorization"].removeprefix("Bearer ")
    assert any(key in words for words in made["terminal"]["setup_commands"])
    assert any(f"--gate {ARMS[arm][1]}" in words for words in made["terminal"]["setup_commands"])


def test_the_arms_differ_in_what_they_have():
    assert set(ARMS["gate"][0]) == set(EVIDENCE) | set(PRIMITIVES)
    assert set(EVIDENCE) & set(PRIMITIVES) == {"close_debug_session"}
