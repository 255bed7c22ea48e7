"""Streamable HTTP: who is let in, what is answered, whose sessions are whose; with a real server."""

import asyncio
import contextlib
import http.client
import json
import socket
import stat
import subprocess
import sys

import httpx2
import mcp_types as types
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from places import CASES
from processes import alive
from waits import until_blocking
from web_site import Site, free_port, program, stop_at

MODES = ["legacy", "auto", "2026-07-28"]
pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    (folder / "asked.py").write_text("print('ran')\n")
    (folder / "job.py").write_text("colour = 'red'\nfor i in range(3):\n    print(colour, i)\n")
    made = Site(folder, folder / "run", free_port(), env={"DAPWRIGHT_APPROVE": "ask: *asked.py*"})
    yield made
    made.stop()


def raw(site, head, body=b""):
    """A request byte by byte; the status."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=10) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode() + body)
        return int(connection.makefile("rb").readline().split()[1])


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:PORT"}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:PORT"}, 421),
        ({"Host": "127.0.0.1.evil.example:PORT"}, 421),
        ({"Host": "localhost.evil.example"}, 421),
        ({"Host": ""}, 400),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "http://localhost:PORT", "Host": "localhost:PORT"}, 200),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Authorization": None}, 401),
        ({"Authorization": "Bearer nonsense"}, 401),
        ({"Authorization": "Basic TOKEN"}, 401),
    ],
)
def test_only_this_machine_with_the_token_is_let_in(site, headers, status):
    filled = {
        name: value and value.replace("PORT", str(site.port)).replace("TOKEN", site.token())
        for name, value in headers.items()
    }
    found, text, sent = site.hello(**filled)
    assert found == status, text
    assert "access-control-allow-origin" not in sent
    if status != 200:
        assert json.loads(text)["error"]["code"] == -32600 and "<html" not in text.lower()


def test_two_hosts_and_pages_of_browsers_get_nothing(site):
    two = f"POST /mcp HTTP/1.1\nHost: 127.0.0.1:{site.port}\nHost: evil.example\nContent-Length: 0\n\n"
    assert raw(site, two) == 400
    assert site.request("GET", path="/")[0] == 404
    status, text, headers = site.request("OPTIONS", Origin="https://evil.example")
    assert status == 403 and "access-control-allow-origin" not in headers


def test_the_token_is_in_its_file_alone(site):
    assert stat.S_IMODE(site.token_file.stat().st_mode) == 0o600 and len(site.token()) >= 32
    assert site.token() not in site.log.read_text()
    kept = next((site.folder / "run").glob("*.token"))
    assert kept.read_text().strip() == site.token() and stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE((site.folder / "run").stat().st_mode) == 0o700


def test_it_listens_on_this_machine_only(site):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            pytest.skip("this machine has no other address")
        outside = probe.getsockname()[0]
    if not outside.startswith("127."):
        with pytest.raises(OSError):
            socket.create_connection((outside, site.port), timeout=2)


def test_malformed_bodies_get_json_rpc_errors_and_change_nothing(site):
    client = site.client()
    lines = (CASES / "C64" / "bad_lines.jsonl").read_bytes().splitlines()
    assert len(lines) > 10
    for line in [*lines, b"{ not json", b"\xff\xfe", b"[]", b"7", b"[" * 100_000]:
        status, text, _ = site.request(body=line, **client)
        assert "<html" not in text.lower() and status < 500, (line[:80], status, text[:200])
        if status >= 400:
            assert json.loads(text)["jsonrpc"] == "2.0", (line[:80], text[:200])
    assert site.request(body=b"{ not json", **client)[0] == 400
    assert site.ask("ping", **client)["result"] == {}


def test_large_bodies_are_refused(site):
    head = f"POST /mcp HTTP/1.1\nHost: 127.0.0.1:{site.port}\nAuthorization: Bearer {site.token()}\n"
    assert raw(site, head + "Content-Type: application/json\nContent-Length: 999999999\n\n") == 413


def test_methods_that_are_none_are_refused_as_the_protocol_says(site):
    assert site.ask("no/such", **site.client())["error"]["code"] == -32601
    assert site.request("PUT", **site.client())[0] == 405
    assert site.hello(Mcp_Session_Id="unknown")[0] == 404
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = {"jsonrpc": "2.0", "id": 3, "method": "no/such", "params": {"_meta": meta}}
    status, text, _ = site.request(body=body, MCP_Protocol_Version="2026-07-28", Mcp_Method="no/such")
    assert status == 404 and json.loads(text)["error"]["code"] == -32601


# --- the official client, in both eras


@contextlib.asynccontextmanager
async def connect(site, mode, **more):
    async with httpx2.AsyncClient(headers={"Authorization": f"Bearer {site.token()}"}, timeout=60) as web:
        transport = streamable_http_client(f"http://127.0.0.1:{site.port}/mcp", http_client=web)
        async with asyncio.timeout(60), Client(transport, mode=mode, **more) as client:
            yield client


@pytest.mark.parametrize("mode", MODES)
async def test_the_official_client_lists_calls_and_reads(site, mode):
    async with connect(site, mode) as client:
        assert {"start_debugging", "debug_test"} <= {one.name for one in (await client.list_tools()).tools}
        told = await client.call_tool("start_debugging", stop_at(str(site.folder / "job.py")))
        session = told.structured_content["sessionId"]
        assert told.structured_content["state"] == "paused" and "colour" in told.content[0].text
        wrong = await client.call_tool("evaluate_expression", {"sessionId": session, "expression": "nope"})
        assert wrong.is_error
        uris = [str(one.uri) for one in (await client.list_resources()).resources]
        assert f"debug://sessions/{session}/output" in uris and "debug://docs/debugging-workflow" in uris
        read = await client.read_resource("debug://docs/debugging-workflow")
        assert "hypothesis" in read.contents[0].text
        assert (await client.list_prompts()).prompts[0].name == "debugging-workflow"
        await client.call_tool("close_debug_session", {"sessionId": session})


@pytest.mark.parametrize("mode", MODES)
async def test_the_person_is_asked_in_both_eras(site, mode):
    asked = []

    async def answer(context, params):
        asked.append(params.message)
        return types.ElicitResult(action="decline")

    async with connect(site, mode, elicitation_callback=answer) as client:
        told = await client.call_tool("start_debugging", {"scriptPath": str(site.folder / "asked.py")})
    assert told.is_error and "declined" in told.content[0].text
    assert len(asked) == 1 and "asked.py" in asked[0]


@pytest.mark.parametrize("mode", MODES)
async def test_who_cannot_be_asked_is_told_the_rule(site, mode):
    async with connect(site, mode) as client:
        told = await client.call_tool("start_debugging", {"scriptPath": str(site.folder / "asked.py")})
    assert told.is_error and "`allow: " in told.structured_content["hint"]


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_progress_is_relayed(site, mode):
    heard = []

    async def hear(progress, total, message):
        heard.append(message)

    async with connect(site, mode) as client:
        told = await client.call_tool(
            "start_debugging", {"scriptPath": str(site.folder / "job.py")}, progress_callback=hear
        )
        await client.call_tool("close_debug_session", {"sessionId": told.structured_content["sessionId"]})
    assert any("starting" in message for message in heard)


async def test_changes_are_told_to_those_who_listen(site):
    async with connect(site, "2026-07-28") as client:
        told = await client.call_tool("start_debugging", stop_at(str(site.folder / "job.py")))
        session = told.structured_content["sessionId"]
        uri = f"debug://sessions/{session}/output"
        async with client.listen(resource_subscriptions=[uri]) as stream:
            await client.call_tool("continue_execution", {"sessionId": session})
            assert session in str(await anext(aiter(stream)))
        await client.call_tool("close_debug_session", {"sessionId": session})


# --- whose sessions are whose


def test_a_client_means_its_own_sessions(site):
    mine, other = site.client(), site.client()
    stop = site.tool("start_debugging", stop_at(str(site.folder / "job.py")), mine)
    assert site.tool("evaluate_expression", {"expression": "colour"}, mine)["result"] == "'red'"
    refused = site.tool("evaluate_expression", {"expression": "colour"}, other)
    assert refused["success"] is False and refused["code"] == "no-such-session"
    site.tool("close_debug_session", {"sessionId": stop["sessionId"]}, mine)


def test_a_session_is_not_taken_from_a_client_that_is_there(site):
    mine = site.client()
    stop = site.tool("start_debugging", stop_at(str(site.folder / "job.py")), mine)
    named = {"sessionId": stop["sessionId"], "expression": "colour"}
    stream = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
    headers = {"Authorization": f"Bearer {site.token()}", "Accept": "text/event-stream"}
    stream.request("GET", "/mcp", headers={**headers, "Mcp-Session-Id": mine["Mcp_Session_Id"]})
    assert stream.getresponse().status == 200  # its stream is open: it is there
    assert site.tool("evaluate_expression", named)["code"] == "no-such-session"
    stream.sock.shutdown(socket.SHUT_RDWR)
    stream.close()

    def handed_over():
        return site.tool("evaluate_expression", named).get("result") == "'red'"

    for _ in range(100):  # the server hears of the broken stream when it next looks at it
        if handed_over():
            break
    assert handed_over()
    site.tool("close_debug_session", {"sessionId": stop["sessionId"]})


def test_a_session_outlives_a_broken_call(site):
    stop = site.tool("start_debugging", stop_at(str(site.folder / "job.py")))
    client = site.client()
    params = {
        "name": "evaluate_expression",
        "arguments": {"sessionId": stop["sessionId"], "expression": "__import__('time').sleep(0.5)"},
    }
    body = json.dumps({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": params}).encode()
    with socket.create_connection(("127.0.0.1", site.port)) as broken:
        head = f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nAuthorization: Bearer {site.token()}\r\n"
        head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
        head += f"Mcp-Session-Id: {client['Mcp_Session_Id']}\r\nContent-Length: {len(body)}\r\n\r\n"
        broken.sendall(head.encode() + body)
        assert broken.recv(12) == b"HTTP/1.1 200"
    again = site.tool("evaluate_expression", {"sessionId": stop["sessionId"], "expression": "colour"}, client)
    assert again["result"] == "'red'"
    site.tool("close_debug_session", {"sessionId": stop["sessionId"]}, client)


async def test_over_stateless_http_a_session_must_be_named(site):
    async with connect(site, "2026-07-28") as client:
        told = await client.call_tool("start_debugging", stop_at(str(site.folder / "job.py")))
        session = told.structured_content["sessionId"]
        unnamed = await client.call_tool("evaluate_expression", {"expression": "colour"})
        assert unnamed.is_error and session in unnamed.content[0].text
    async with connect(site, "2026-07-28") as another:
        named = {"sessionId": session, "expression": "colour"}
        assert (await another.call_tool("evaluate_expression", named)).structured_content["result"] == "'red'"
        await another.call_tool("close_debug_session", {"sessionId": session})


def test_gateways_need_no_mcp_session(tmp_path):
    script = program(tmp_path / "work", "red")
    gateway = Site(tmp_path / "work", tmp_path / "run", free_port(), "--stateless")
    try:
        assert "mcp-session-id" not in gateway.hello()[2]
        stop = gateway.tool("start_debugging", stop_at(script), {})
        named = {"sessionId": stop["sessionId"], "expression": "colour"}
        assert gateway.tool("evaluate_expression", named, {})["result"] == "'red'"
    finally:
        gateway.stop()


# --- what a client leaves behind


FOREVER = """import os, time
open('pid', 'w').write(str(os.getpid()))
beat = 0
while True:
    beat += 1
    open('beat', 'w').write(str(beat))
    time.sleep(0.05)
"""


@pytest.fixture
def short_leases(tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "forever.py").write_text(FOREVER)
    made = Site(folder, tmp_path / "run", free_port(), "--lease", "2")
    yield made
    made.stop()


def begun(site, client):
    """Start the program that never ends; its session, and its process's id."""
    (site.folder / "pid").unlink(missing_ok=True)
    arguments = {"scriptPath": str(site.folder / "forever.py"), "wait": 0.1, "cwd": str(site.folder)}
    session = site.tool("start_debugging", arguments, client)["sessionId"]
    told = until_blocking(lambda: (site.folder / "pid").exists() and (site.folder / "pid").read_text(), 20)
    return session, int(told)


def stream_of(site, client):
    """Open the stream of a client's notifications: while it is open, the client is there."""
    stream = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
    headers = {"Authorization": f"Bearer {site.token()}", "Accept": "text/event-stream"}
    stream.request("GET", "/mcp", headers={**headers, "Mcp-Session-Id": client["Mcp_Session_Id"]})
    assert stream.getresponse().status == 200
    return stream


def test_what_a_vanished_client_started_ends_after_its_lease_and_the_next_is_told(short_leases):
    site, client = short_leases, short_leases.client()
    stream = stream_of(site, client)
    session, pid = begun(site, client)
    with contextlib.suppress(TimeoutError):
        stream.sock.settimeout(3)
        while stream.sock.recv(4096):  # longer than the lease, in which no call is made: but the client is there
            pass
    assert alive(pid) and site.tool("list_debug_sessions", {}, client)["count"] == 1
    stream.sock.shutdown(socket.SHUT_RDWR)
    stream.close()
    until_blocking(lambda: not alive(pid), 20)
    other = site.tool("evaluate_expression", {"sessionId": session, "expression": "1"})
    assert other["code"] == "no-such-session" and "its client had gone for 2 s" in other["error"]
    mine = site.tool("evaluate_expression", {"expression": "1"}, client)
    assert session in mine["error"] and "was ended" in mine["error"]


def test_what_a_client_attached_to_goes_on_without_it(short_leases):
    site, port = short_leases, free_port()
    command = [sys.executable, "-m", "debugpy", "--listen", f"127.0.0.1:{port}", str(site.folder / "forever.py")]
    with subprocess.Popen(command, cwd=site.folder) as process:
        try:
            until_blocking((site.folder / "pid").exists, 20)
            told = site.tool("attach_to_process", {"port": port, "language": "python"})
            assert told["state"] == "paused", told
            stood = (site.folder / "beat").read_text()
            until_blocking(lambda: (site.folder / "beat").read_text() not in ("", stood), 20)
            until_blocking(
                lambda: "was released" in site.tool("get_output", {"sessionId": told["sessionId"]}).get("error", "")
            )
            assert process.poll() is None
        finally:
            process.kill()


def test_a_goodbye_ends_the_lease_sooner(short_leases):
    site, client = short_leases, short_leases.client()
    session, pid = begun(site, client)
    assert site.request("DELETE", **client)[0] == 200
    assert site.request(body={"jsonrpc": "2.0", "id": 5, "method": "ping"}, **client)[0] == 404
    until_blocking(lambda: not alive(pid), 20)
    told = site.tool("evaluate_expression", {"sessionId": session, "expression": "1"})
    assert "said goodbye" in told["error"]


def test_a_session_named_after_a_goodbye_goes_on(short_leases):
    site, client = short_leases, short_leases.client()
    session, pid = begun(site, client)
    assert site.request("DELETE", **client)[0] == 200
    other = site.client()
    stream = stream_of(site, other)
    assert site.tool("pause_execution", {"sessionId": session}, other)["state"] == "paused"
    with contextlib.suppress(TimeoutError):
        stream.sock.settimeout(3)
        while stream.sock.recv(4096):
            pass
    assert alive(pid) and site.tool("get_local_variables", {}, other)["success"]
    stream.close()


def test_a_session_of_no_client_ends_when_it_is_not_named(short_leases):
    site = short_leases
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }

    def tool(name, **arguments):
        params = {"name": name, "arguments": arguments, "_meta": meta}
        body = {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": params}
        more = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": "tools/call", "Mcp_Name": name}
        text = site.request(body=body, **more)[1]
        return json.loads(text[text.index("{") :])["result"]["structuredContent"]

    script = str(site.folder / "forever.py")
    session = tool("start_debugging", scriptPath=script, wait=0.1, cwd=str(site.folder))["sessionId"]
    pid = int(until_blocking(lambda: (site.folder / "pid").exists() and (site.folder / "pid").read_text(), 20))
    until_blocking(lambda: not alive(pid), 20)
    assert "no call had named it for 2 s" in tool("pause_execution", sessionId=session)["error"]
