"""What our own engine does beyond the table: both eras on one pipe, hostile lines, bounds, the end."""

import json
import signal
import subprocess
import sys
import time

import pytest
from pipe import HERE, Pipe


@pytest.fixture
def start():
    pipes = []

    def open_pipe(*arguments, **more):
        pipes.append(Pipe("fake_server.py", *arguments, **more))
        return pipes[-1]

    yield open_pipe
    for pipe in pipes:
        pipe.kill()
        assert not pipe.stray


@pytest.fixture
def server(start):
    return start()


def test_both_eras_share_a_pipe_in_any_order(server):
    assert server.ask("server/discover", stateless=True)["result"]["resultType"] == "complete"
    assert server.handshake()["protocolVersion"] == "2025-06-18"
    assert server.call("add", {"left": 1}, stateless=True)["resultType"] == "complete"
    assert "resultType" not in server.call("add", {"left": 1})
    assert server.ask("ping")["result"] == {}


def test_every_result_of_the_stateless_era_is_typed_and_says_how_long_it_keeps(server):
    for method, params in [
        ("prompts/list", {}),
        ("resources/list", {}),
        ("resources/templates/list", {}),
        ("resources/read", {"uri": "debug://sessions/s1/audit"}),
    ]:
        told = server.ask(method, params, stateless=True)["result"]
        assert told["resultType"] == "complete" and told["cacheScope"] == "private" and "ttlMs" in told
        assert told["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "dapwright"


def test_a_stateless_request_without_capabilities_is_refused(server):
    params = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}
    assert server.ask("tools/list", params)["error"]["code"] == -32602


BAD = [
    (b"{not json", None, -32700),
    (b"[]", None, -32600),
    (b"42", None, -32600),
    (b"null", None, -32600),
    (b'"text"', None, -32600),
    (b'{"jsonrpc":"2.0"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":{},"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":101,"method":123}', 101, -32600),
    (b'{"jsonrpc":"2.0","id":102,"method":"tools/call","params":"oops"}', 102, -32602),
    (b'{"jsonrpc":"2.0","id":103,"method":"tools/call","params":[1]}', 103, -32602),
    (b'{"jsonrpc":"2.0","id":105,"method":"tools/call","params":{"name":{}}}', 105, -32602),
    (b'{"jsonrpc":"2.0","id":113,"method":"no/such/method"}', 113, -32601),
    (b'{"jsonrpc":"1.0","id":114,"method":"ping"}', 114, -32600),
    (b'{"jsonrpc":"2.0","id":115,"method":"tools/list","params":{"cursor":"x"}}', 115, -32602),
    (b"[" * 100_000, None, -32700),
    (b'{"jsonrpc":"2.0","id":1e999,"method":"ping"}', None, -32600),
    (b'{"jsonrpc":"2.0","id":116,"method":"\\ud800"}', 116, -32601),
]


@pytest.mark.parametrize(("line", "id", "code"), BAD, ids=range(len(BAD)))
def test_a_bad_line_is_refused_once_and_the_server_lives_on(server, line, id, code):
    server.raw(line)
    assert server.answer(id)["error"]["code"] == code
    assert server.ask("ping")["result"] == {}
    assert server.unanswered() == []


@pytest.mark.parametrize("id", [7, "7", 1.5, -1, 2**70, "", "\ud800", "x" * 10_000])
def test_an_id_is_echoed_as_it_came(server, id):
    server.send({"id": id, "method": "ping"})
    assert server.answer(id)["result"] == {}


def test_an_array_of_messages_gets_an_answer_for_each(server):
    server.raw(json.dumps([{"jsonrpc": "2.0", "id": n, "method": "ping"} for n in (901, 902)] + [5]).encode())
    assert server.answer(901)["result"] == {} and server.answer(902)["result"] == {}
    assert server.answer(None)["error"]["code"] == -32600


def test_text_that_is_no_unicode_is_refused_or_replaced_and_never_sent(server):
    server.raw(b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":{"text":"\\ud800"}}}')
    assert "surrogate" in server.answer(1)["result"]["content"][0]["text"]
    server.raw(b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"say","arguments":{"text":"a\xff"}}}')
    assert server.answer(2)["result"]["structuredContent"]["count"] == 1


def test_a_huge_line_is_served_and_one_beyond_all_measure_is_refused(server):
    assert server.call("say", {"text": "x" * 5_000_000})["structuredContent"]["count"] == 1
    server.raw(b'{"jsonrpc":"2.0","id":1,"method":"' + b"x" * (65 * 1024 * 1024) + b'"}')
    assert server.answer(None, seconds=20)["error"]["code"] == -32600
    assert server.ask("ping")["result"] == {}


def test_an_open_id_is_not_taken_twice(server):
    server.send({"id": "a", "method": "tools/call", "params": {"name": "wait", "arguments": {"seconds": 30}}})
    server.send({"id": "a", "method": "ping"})
    assert server.answer("a")["error"]["code"] == -32600


def test_a_cancelled_call_gets_no_answer_and_its_work_ends(server):
    call = {"name": "wait", "arguments": {"seconds": 30}}
    slow = server.start("tools/call", call, meta={"progressToken": 1})
    assert server.notes.get(timeout=5)["params"]["message"] == "waiting for the stop"
    server.send({"method": "notifications/cancelled", "params": {"requestId": slow}})
    server.send({"method": "notifications/cancelled", "params": {"requestId": 12345}})
    server.send({"method": "notifications/cancelled", "params": {"requestId": []}})
    assert server.ask("ping")["result"] == {}
    assert server.close() == 0
    assert "wait cancelled\n" in server.errors and server.unanswered() == []


def test_progress_is_told_where_a_token_was_sent_and_nowhere_else(server):
    server.call("wait", {"seconds": 0})
    assert server.notes.empty()
    server.call("wait", {"seconds": 0}, meta={"progressToken": "p"})
    told = server.notes.get(timeout=5)
    assert told["method"] == "notifications/progress"
    assert told["params"] == {"progressToken": "p", "progress": 1, "message": "waiting for the stop"}


@pytest.mark.slow
def test_progress_is_told_again_every_five_seconds(server):
    id = server.start("tools/call", {"name": "wait", "arguments": {"seconds": 5.5}}, meta={"progressToken": 5})
    assert server.answer(id, seconds=10)["result"]
    assert [server.notes.get(timeout=1)["params"]["progress"] for _ in range(2)] == [1, 2]


def test_a_stuck_loop_is_answered_by_the_watchdog_in_both_eras(start):
    server = start("0.5")
    stuck = server.start("tools/call", {"name": "stick", "arguments": {"seconds": 4}})
    behind = server.start("tools/call", {"name": "add", "arguments": {"left": 1}}, stateless=True)
    listing = server.start("tools/list")
    began = time.monotonic()
    assert "stuck" in server.answer(stuck)["result"]["structuredContent"]["error"]
    assert server.answer(behind)["result"]["resultType"] == "complete"
    assert server.answer(listing)["error"]["code"] == -32603
    assert time.monotonic() - began < 3.8
    deadline = time.monotonic() + 20
    while "error" in server.ask("ping"):
        assert time.monotonic() < deadline
    assert server.unanswered() == []


def test_a_call_that_is_cancelled_before_it_began_is_forgotten(start):
    server = start("0.5")
    stuck = server.start("tools/call", {"name": "stick", "arguments": {"seconds": 0.2}})
    early = server.start("tools/call", {"name": "add", "arguments": {"left": 1}})
    server.send({"method": "notifications/cancelled", "params": {"requestId": early}})
    assert server.answer(stuck)["result"]
    server.call("wait", {"seconds": 0.4})
    server.call("wait", {"seconds": 0.3})
    assert server.unanswered() == []


def test_a_client_that_does_not_read_stops_nothing_else():
    command = [sys.executable, str(HERE / "fake_server.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        for n in range(40):
            call = {"name": "flood", "arguments": {"kilobytes": 200}}
            process.stdin.write(request(n, "tools/call", call))
        process.stdin.write(request("last", "tools/call", {"name": "break_down"}))
        process.stdin.flush()
        assert process.stderr.readline() == b"a stray print\n", "the loop goes on though nobody reads"
        answered = [json.loads(process.stdout.readline())["id"] for _ in range(41)]
        assert answered == [*range(40), "last"]
        process.stdin.close()
        process.stderr.read()
        assert process.wait(5) == 0


def request(id, method, params):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode() + b"\n"


def test_an_answer_over_256_kb_is_cut(server):
    result = server.call("flood", {"kilobytes": 2000})
    assert len(json.dumps(result)) < 280 * 1024 and "truncation" in result["structuredContent"]


def test_updates_are_gathered_and_told_to_subscribers_alone(server):
    server.handshake()
    server.call("say", {"text": "x"})
    assert server.ask("resources/subscribe", {"uri": "debug://sessions/s1/output"})["result"] == {}
    server.call("say", {"text": "x", "times": 500})
    assert server.notes.get(timeout=5) == {
        "jsonrpc": "2.0",
        "method": "notifications/resources/updated",
        "params": {"uri": "debug://sessions/s1/output"},
    }
    server.ask("resources/unsubscribe", {"uri": "debug://sessions/s1/output"})
    server.call("say", {"text": "x"})
    server.call("wait", {"seconds": 0.3})
    assert server.notes.empty()


def test_what_is_not_there_cannot_be_read_or_subscribed_to(server):
    for method in ("resources/read", "resources/subscribe"):
        assert server.ask(method, {"uri": "debug://sessions/none/output"})["error"]["code"] == -32002
        assert server.ask(method, {"uri": 5})["error"]["code"] == -32602
    missing = server.ask("resources/read", {"uri": "debug://docs/../x"}, stateless=True)
    assert missing["error"]["code"] == -32602


def test_a_new_session_is_announced_to_clients_of_the_handshake_only(server):
    server.call("open_session", {"name": "s2"})
    server.call("wait", {"seconds": 0.3})
    assert server.notes.empty()
    server.handshake()
    server.call("open_session", {"name": "s3"})
    assert server.notes.get(timeout=5)["method"] == "notifications/resources/list_changed"


def test_a_listening_stream_is_acknowledged_and_told_what_it_asked_for(server):
    asked = {
        "resourcesListChanged": True,
        "toolsListChanged": True,
        "resourceSubscriptions": ["debug://sessions/s1/output"],
    }
    stream = server.start("subscriptions/listen", {"notifications": asked}, stateless=True)
    tag = {"io.modelcontextprotocol/subscriptionId": stream}
    first = server.notes.get(timeout=5)
    assert first["method"] == "notifications/subscriptions/acknowledged" and first["params"]["_meta"] == tag
    assert "toolsListChanged" not in first["params"]["notifications"]
    server.call("say", {"text": "x"}, stateless=True)
    assert server.notes.get(timeout=5)["params"] == {"uri": "debug://sessions/s1/output", "_meta": tag}
    server.call("open_session", {"name": "s2"}, stateless=True)
    assert server.notes.get(timeout=5)["params"] == {"_meta": tag}
    assert server.close() == 0
    assert server.answer(stream)["result"]["_meta"] == {**tag, **server_info()}


def server_info():
    from dapwright.server.protocol import SERVER_INFO, SERVER_KEY

    return {SERVER_KEY: SERVER_INFO}


def test_a_cancelled_stream_tells_nothing_more(server):
    stream = server.start("subscriptions/listen", {"notifications": {"resourcesListChanged": True}}, stateless=True)
    server.notes.get(timeout=5)
    server.send({"method": "notifications/cancelled", "params": {"requestId": stream}})
    server.call("open_session", {"name": "s2"}, stateless=True)
    server.call("wait", {"seconds": 0.3}, stateless=True)
    assert server.notes.empty()


def test_a_question_is_pushed_in_the_handshake_era(server):
    server.handshake(capabilities={"elicitation": {}})
    id = server.start("tools/call", {"name": "ask", "arguments": {}})
    asked = server.asks.get(timeout=5)
    assert asked["method"] == "elicitation/create" and asked["params"]["message"] == "may I run this?"
    server.send({"id": asked["id"], "result": {"action": "accept", "content": {"why": "sure"}}})
    assert server.answer(id)["result"]["structuredContent"] == {
        "success": True,
        "first": "accept",
        "why": "sure",
        "second": "accept",
    }


@pytest.mark.parametrize(
    ("reply", "action"),
    [
        ({"result": {"action": "decline"}}, "decline"),
        ({"result": {"action": "perhaps"}}, "cancel"),
        ({"error": {"code": -32601, "message": "no"}}, "cancel"),
    ],
)
def test_only_a_clear_answer_counts(server, reply, action):
    server.handshake(capabilities={"elicitation": {}})
    id = server.start("tools/call", {"name": "ask", "arguments": {}})
    server.send({"id": server.asks.get(timeout=5)["id"], **reply})
    assert server.answer(id)["result"]["structuredContent"]["first"] == action


def test_nobody_is_asked_where_the_client_cannot(server):
    server.handshake()
    assert server.call("ask")["structuredContent"]["first"] == "unavailable"
    assert server.call("ask", stateless=True)["structuredContent"]["first"] == "unavailable"


def test_a_cancelled_question_is_withdrawn(server):
    server.handshake(capabilities={"elicitation": {"form": {}}})
    id = server.start("tools/call", {"name": "ask", "arguments": {}})
    asked = server.asks.get(timeout=5)
    server.send({"method": "notifications/cancelled", "params": {"requestId": id}})
    note = server.notes.get(timeout=5)
    assert note["method"] == "notifications/cancelled" and note["params"] == {"requestId": asked["id"]}


CAN_ASK = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}


def test_a_question_of_the_stateless_era_is_answered_by_a_retry(server):
    params = {"name": "ask", "arguments": {"twice": True}}
    first = server.ask("tools/call", params, stateless=True, meta=CAN_ASK)["result"]
    assert first["resultType"] == "input_required"
    [key] = first["inputRequests"]
    assert first["inputRequests"][key]["params"]["message"] == "may I run this?"
    yes = {"action": "accept", "content": {"why": "ok"}}
    retry = {**params, "inputResponses": {key: yes}, "requestState": first["requestState"]}
    second = server.ask("tools/call", retry, stateless=True, meta=CAN_ASK)["result"]
    [other] = second["inputRequests"]
    assert second["inputRequests"][other]["params"]["message"] == "really?"
    retry = {**params, "inputResponses": {other: {"action": "decline"}}, "requestState": second["requestState"]}
    done = server.ask("tools/call", retry, stateless=True, meta=CAN_ASK)["result"]
    assert done["resultType"] == "complete"
    assert done["structuredContent"] == {"success": True, "first": "accept", "why": "ok", "second": "decline"}


def test_an_answer_to_a_question_never_asked_counts_for_nothing(server):
    params = {"name": "ask", "arguments": {}}
    first = server.ask("tools/call", params, stateless=True, meta=CAN_ASK)["result"]
    responses = {key: {"action": "accept"} for key in first["inputRequests"]}
    forged = server.ask("tools/call", {**params, "inputResponses": responses}, stateless=True, meta=CAN_ASK)
    assert forged["result"]["resultType"] == "input_required"
    other = {"name": "ask", "arguments": {"twice": True}, "inputResponses": responses}
    moved = {**other, "requestState": first["requestState"]}
    assert server.ask("tools/call", moved, stateless=True, meta=CAN_ASK)["error"]["code"] == -32602
    broken = {**params, "inputResponses": responses, "requestState": "x"}
    assert server.ask("tools/call", broken, stateless=True, meta=CAN_ASK)["error"]["code"] == -32602


def test_the_end_of_input_closes_the_sessions_and_ends_at_once(server):
    server.handshake()
    server.start("tools/call", {"name": "wait", "arguments": {"seconds": 40}})
    server.ask("ping")
    began = time.monotonic()
    assert server.close() == 0 and time.monotonic() - began < 20
    assert "sessions closed\n" in server.errors


def test_calls_before_the_end_of_input_are_still_answered(server):
    ids = [server.start("tools/call", {"name": "add", "arguments": {"left": n}}) for n in range(20)]
    assert server.close() == 0
    assert [server.answer(id)["result"]["structuredContent"]["sum"] for id in ids] == list(range(1, 21))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_closes_the_sessions(server, number):
    server.handshake()
    server.process.send_signal(number)
    assert server.process.wait(5) == 0
    server.kill()
    assert "sessions closed\n" in server.errors


def test_a_client_that_is_gone_ends_the_server():
    command = [sys.executable, str(HERE / "fake_server.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes) as process:
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
        process.stdin.flush()
        assert process.wait(5) == 0
        assert b"sessions closed" in process.stderr.read()
