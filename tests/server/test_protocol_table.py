"""What every MCP server does: one table over our engine and the official SDK with the same tools."""

import pytest
from pipe import Pipe


@pytest.fixture(params=["fake_server.py", "sdk_twin.py"])
def server(request):
    pipe = Pipe(request.param)
    yield pipe
    pipe.kill()
    assert not pipe.stray


def test_the_handshake_answers_with_the_revision_asked_for(server):
    told = server.handshake("2025-03-26")
    assert told["protocolVersion"] == "2025-03-26" and told["serverInfo"]["name"] == "dapwright"
    assert 200 < len(told["instructions"]) <= 2000 and {"tools", "prompts", "resources"} <= set(told["capabilities"])


def test_an_unknown_revision_is_answered_with_the_latest(server):
    assert server.handshake("1999-01-01")["protocolVersion"] == "2025-11-25"


def test_tools_are_listed_with_schema_and_annotations(server):
    server.handshake("2025-11-25")
    add = next(one for one in server.ask("tools/list")["result"]["tools"] if one["name"] == "add")
    assert add["inputSchema"]["required"] == ["left"] and add["outputSchema"]["required"] == ["success"]
    assert add["annotations"]["readOnlyHint"] is True and add["title"] == "Add"


def test_a_call_answers_in_both_forms(server):
    server.handshake()
    result = server.call("add", {"left": "2"})
    assert result["structuredContent"] == {"success": True, "sum": 3} and result["content"][0]["text"] == "sum: 3"
    assert not result.get("isError")


def test_a_failure_is_an_answer_marked_as_error(server):
    server.handshake()
    result = server.call("fail")
    assert result["isError"] and result["structuredContent"]["code"] == "wrong-state"
    assert "pause it first" in result["content"][0]["text"]


def test_unknown_names_and_bad_parameters_get_error_codes(server):
    server.handshake()
    assert server.ask("no/such/method")["error"]["code"] == -32601
    assert server.ask("tools/call", {"name": "no_such"})["error"]["code"] == -32602
    assert server.ask("tools/call", {"name": {}})["error"]["code"] == -32602


def test_stray_prints_of_a_tool_do_not_reach_the_client(server):
    server.handshake()
    assert server.call("break_down")["structuredContent"]["code"] == "internal"
    assert server.ask("ping")["result"] == {} and not server.stray


def test_prompts_and_resources_are_listed_and_read(server):
    server.handshake()
    assert server.ask("prompts/list")["result"]["prompts"][0]["name"] == "debugging-workflow"
    told = server.ask("prompts/get", {"name": "debugging-workflow", "arguments": {"problem": "it is red"}})
    assert "it is red" in told["result"]["messages"][0]["content"]["text"]
    uris = [one["uri"] for one in server.ask("resources/list")["result"]["resources"]]
    assert "debug://sessions/s1/output" in uris and "debug://docs/debugging-workflow" in uris
    read = server.ask("resources/read", {"uri": "debug://sessions/s1/output"})["result"]
    assert read["contents"][0]["text"] == "hello\n"


def test_requests_are_served_side_by_side(server):
    server.handshake()
    slow = server.start("tools/call", {"name": "wait", "arguments": {"seconds": 30}})
    assert server.call("add", {"left": 1})["structuredContent"]["sum"] == 2
    server.send({"method": "notifications/cancelled", "params": {"requestId": slow}})


def test_malformed_lines_leave_the_server_alive(server):
    server.handshake()
    for line in (b"this is not json", b"[]", b"42", b"\xff\xfe", b'{"jsonrpc":"2.0"}', b""):
        server.raw(line)
    assert server.call("add", {"left": 1})["structuredContent"]["sum"] == 2


def test_the_stateless_era_needs_no_handshake(server):
    told = server.ask("server/discover", stateless=True)["result"]
    assert told["resultType"] == "complete" and "2026-07-28" in told["supportedVersions"] and told["instructions"]
    listed = server.ask("tools/list", stateless=True)["result"]
    assert listed["resultType"] == "complete" and listed["ttlMs"] >= 0 and listed["cacheScope"]
    result = server.call("add", {"left": 1}, stateless=True)
    assert result["resultType"] == "complete" and result["structuredContent"]["sum"] == 2


def test_the_stateless_era_refuses_unknown_revisions_and_what_it_no_longer_has(server):
    server.ask("server/discover", stateless=True)
    meta = {"io.modelcontextprotocol/protocolVersion": "2030-01-01"}
    refused = server.ask("tools/list", stateless=True, meta=meta)["error"]
    assert refused["code"] == -32022 and refused["data"]["supported"] == ["2026-07-28"]
    assert server.ask("ping", stateless=True)["error"]["code"] == -32601


def test_the_end_of_the_input_ends_the_server(server):
    server.handshake()
    assert server.close() == 0
