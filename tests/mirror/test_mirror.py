"""A session shown to a person's IDE: it looks, and moves nothing (C67); with a real program."""

import contextlib
import json
import socket

import pytest
from ide import Ide
from pipe import Pipe
from places import CASES

pytestmark = pytest.mark.timeout(60)
MOVES = (
    "continue",
    "next",
    "stepIn",
    "stepOut",
    "pause",
    "setVariable",
    "setBreakpoints",
    "restart",
    "terminate",
    "goto",
)


@pytest.fixture
def server(request, tmp_path):
    pipe = Pipe("real_server.py", env={"DAPWRIGHT_RUNTIME": str(tmp_path), **getattr(request, "param", {})})
    pipe.handshake()
    yield pipe
    pipe.kill()


def tool(pipe, name, **arguments):
    return pipe.answer(pipe.start("tools/call", {"name": name, "arguments": arguments}), 30)["result"][
        "structuredContent"
    ]


def stopped(pipe):
    script = str(CASES / "C67" / "exposed.py")
    place = {"file": script, "statement": "count += i", "hitCondition": "3"}
    return tool(pipe, "start_debugging", scriptPath=script, breakpoints=[place])


@contextlib.contextmanager
def watching(shown):
    ide = Ide(shown["port"])
    try:
        assert ide.attach(shown["token"])["success"]
        ide.event("initialized")
        assert ide.ask("configurationDone")["success"]
        yield ide
    finally:
        ide.close()


def test_nobody_without_the_token_sees_anything(server):
    stopped(server)
    shown = tool(server, "expose_session")
    assert shown["host"] == "127.0.0.1" and len(shown["token"]) >= 32
    for arguments in ({}, {"mirrorToken": "wrong"}, {"mirrorToken": None}):
        stranger = Ide(shown["port"])
        assert stranger.ask("initialize", adapterID="x")["success"]
        assert stranger.ask("threads")["success"] is False
        assert stranger.ask("attach", **arguments)["success"] is False
        with pytest.raises((EOFError, OSError)):
            while True:
                stranger.read()
        stranger.close()
    listed = tool(server, "list_debug_sessions")["sessions"][0]
    assert listed["exposure"] == {"host": "127.0.0.1", "port": shown["port"]}
    assert shown["token"] not in json.dumps(listed)


def test_a_late_viewer_lands_on_the_paused_frame_and_looks(server):
    stop = stopped(server)
    with watching(tool(server, "expose_session")) as ide:
        body = ide.event("stopped")
        assert body["reason"] == "breakpoint"
        threads = ide.ask("threads")["body"]["threads"]
        assert body["threadId"] in [one["id"] for one in threads]
        frame = ide.ask("stackTrace", threadId=body["threadId"])["body"]["stackFrames"][0]
        assert (frame["line"], frame["source"]["path"]) == (stop["location"]["line"], stop["location"]["file"])
        scope = ide.ask("scopes", frameId=frame["id"])["body"]["scopes"][0]
        rows = ide.ask("variables", variablesReference=scope["variablesReference"])["body"]["variables"]
        assert {row["name"]: row["value"] for row in rows}["i"] == "2"
        assert ide.ask("evaluate", expression="count + i", frameId=frame["id"], context="repl")["body"]["result"] == "3"
        assert ide.ask("evaluate", expression="nope", frameId=frame["id"])["success"] is False


def test_a_viewer_moves_nothing(server):
    stop = stopped(server)
    with watching(tool(server, "expose_session")) as ide:
        thread = ide.event("stopped")["threadId"]
        for command in MOVES:
            assert ide.ask(command, threadId=thread)["success"] is False, command
        assert ide.ask("disconnect", terminateDebuggee=True)["success"]
    after = tool(server, "wait_for_stop", timeout=100)
    assert (after["state"], after["location"]) == ("paused", stop["location"])


def test_a_viewer_follows_and_the_stops_stay_the_owners(server):
    stopped(server)
    with watching(tool(server, "expose_session")) as ide:
        ide.event("stopped")
        step = tool(server, "step_over")
        assert ide.event("continued")["allThreadsContinued"]
        assert ide.event("stopped")["reason"] == "step" == step["stopReason"]


def test_it_is_the_same_endpoint_until_it_ends(server):
    stop = stopped(server)
    first = tool(server, "expose_session")
    assert tool(server, "expose_session") == first
    with watching(first) as ide:
        assert tool(server, "unexpose_session")["message"] == "closed"
        ide.event("terminated")
        with pytest.raises((EOFError, OSError)):
            ide.read()
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", first["port"]), timeout=5)
    assert tool(server, "unexpose_session")["success"], "unexposing again is fine"
    assert tool(server, "get_stack_trace")["stackFrames"], "the session goes on"
    second = tool(server, "expose_session")
    assert second["token"] != first["token"]
    tool(server, "close_debug_session", sessionId=stop["sessionId"])
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", second["port"]), timeout=5)


def test_it_ends_with_the_run(server):
    stopped(server)
    shown = tool(server, "expose_session")
    assert tool(server, "continue_execution", wait=True)["state"] == "stopped"
    with pytest.raises(OSError):
        socket.create_connection(("127.0.0.1", shown["port"]), timeout=5)
    assert tool(server, "expose_session")["success"] is False


@pytest.mark.parametrize("server", [{"DAPWRIGHT_MIRROR_EVALUATE": "0"}], indirect=True)
def test_evaluating_can_be_switched_off(server):
    stopped(server)
    with watching(tool(server, "expose_session")) as ide:
        frame = ide.ask("stackTrace", threadId=ide.event("stopped")["threadId"])["body"]["stackFrames"][0]
        refused = ide.ask("evaluate", expression="count", frameId=frame["id"])
        assert refused["success"] is False and "DAPWRIGHT_MIRROR_EVALUATE" in refused["message"]
