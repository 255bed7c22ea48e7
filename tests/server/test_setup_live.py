"""A toolchain that is missing when a tool is called: offered, asked for, installed, in a real server."""

import pytest
from server.test_policies_live import begin, serve, told  # noqa: F401

pytestmark = pytest.mark.timeout(90)
ADAPTER = """
[adapters.toy]
command = ["./toy-dap"]
needs = ["{folder}/toy-dap"]
extensions = [".toy"]
install = ["sh {folder}/get.sh"]
"""


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / ".dapwright.toml").write_text(ADAPTER.format(folder=tmp_path))
    (tmp_path / "get.sh").write_text(f"echo fetching >&2\ntouch {tmp_path}/toy-dap\n")
    return tmp_path


def asked(pipe):
    return pipe.asks.get(timeout=20)


def answer(pipe, question, approve):
    pipe.send({"id": question["id"], "result": {"action": "accept", "content": {"approve": approve}}})


def test_what_is_missing_is_installed_once_the_person_agrees(serve, workspace):  # noqa: F811
    pipe = serve(DAPWRIGHT_TRUST="workspace", DAPWRIGHT_APPROVE="allow: *")
    call = begin(pipe, "create_debug_session", language="toy")
    question = asked(pipe)
    assert "get.sh" in question["params"]["message"] and not (workspace / "toy-dap").exists()
    answer(pipe, question, True)
    assert told(pipe, call)["state"] == "created" and (workspace / "toy-dap").exists()


def test_a_refusal_installs_nothing(serve, workspace):  # noqa: F811
    pipe = serve(DAPWRIGHT_TRUST="workspace")
    call = begin(pipe, "create_debug_session", language="toy")
    answer(pipe, asked(pipe), False)
    assert told(pipe, call)["code"] == "not-allowed" and not (workspace / "toy-dap").exists()


def test_a_failing_installation_is_told_in_its_own_words(serve, workspace):  # noqa: F811
    (workspace / "get.sh").write_text("echo no such package >&2; exit 4\n")
    pipe = serve(DAPWRIGHT_TRUST="workspace")
    call = begin(pipe, "create_debug_session", language="toy")
    answer(pipe, asked(pipe), True)
    refused = told(pipe, call)
    assert refused["code"] == "setup" and "exit code 4" in refused["error"] and "no such package" in refused["error"]


def test_a_rule_forbids_the_installation(serve, workspace):  # noqa: F811
    pipe = serve(DAPWRIGHT_TRUST="workspace", DAPWRIGHT_APPROVE="deny: *get.sh*")
    call = begin(pipe, "create_debug_session", language="toy")
    assert told(pipe, call)["code"] == "not-allowed" and pipe.asks.empty()


def test_where_nobody_can_be_asked_our_own_command_is_named(serve, workspace):  # noqa: F811
    pipe = serve(DAPWRIGHT_TRUST="workspace", capabilities={})
    refused = told(pipe, begin(pipe, "start_debugging", scriptPath=str(workspace / "a.toy")))
    assert refused["code"] == "setup" and "dapwright setup toy" in refused["hint"] and "get.sh" in refused["hint"]
