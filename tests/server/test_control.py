"""The control endpoint and the router's connection to it, on both kinds of address."""

import asyncio
import contextlib

import fake_server
import pytest
from waits import until, within

from dapwright.policy.settings import Settings
from dapwright.server.control import Control
from dapwright.server.protocol import Refused
from dapwright.server.registry import Entry, connect
from dapwright.server.relay import Gone, Link
from dapwright.tools.registry import REGISTERED, every

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}},
}


class Desk(fake_server.Desk):
    def hand_over(self, session_id, client, present):
        self.handed = (session_id, client, present)


@pytest.fixture(autouse=True)
def tools():
    every()
    before = dict(REGISTERED)
    REGISTERED.clear()
    fake_server.register()
    yield
    REGISTERED.clear()
    REGISTERED.update(before)


@contextlib.asynccontextmanager
async def opened(folder, *, unix, hear=lambda method, params: None):
    desk = Desk()
    control = Control(desk, Settings(), folder, unix=unix)
    control.open()
    entry = Entry(pid=1, port=1, folder=str(folder), tag="t-", control=control.address, key=control.key)
    link = await within(Link(entry, hear).open())
    try:
        yield desk, control, link
    finally:
        await link.close()
        await control.close()


def call(name, arguments=None, **meta):
    return {"name": name, "arguments": arguments or {}, "_meta": {**ENVELOPE, **meta}}


@pytest.mark.parametrize("unix", [True, False])
async def test_calls_are_relayed_side_by_side(tmp_path, unix):
    async with opened(tmp_path, unix=unix) as (_, _, link):
        slow = asyncio.create_task(link.ask("tools/call", call("wait", {"seconds": 0.3})))
        sums = await within(asyncio.gather(*(link.ask("tools/call", call("add", {"left": n})) for n in range(20))))
        assert [one["structuredContent"]["sum"] for one in sums] == [n + 1 for n in range(20)]
        assert (await within(slow))["structuredContent"]["state"] == "running"
        with pytest.raises(Refused):
            await within(link.ask("no/such", {}))


async def test_progress_comes_under_the_token_of_its_call(tmp_path):
    heard = []
    async with opened(tmp_path, unix=True) as (_, _, link):
        calls = [
            link.ask(
                "tools/call",
                call("wait", {"seconds": 0.05}, progressToken="same"),
                hear=lambda method, params, n=n: heard.append((n, params["progressToken"])),
            )
            for n in range(2)
        ]
        await within(asyncio.gather(*calls))
    assert sorted(heard) == [(0, "same"), (1, "same")]


async def test_a_cancelled_call_is_cancelled_there(tmp_path, capfd):
    async with opened(tmp_path, unix=True) as (_, _, link):
        task = asyncio.create_task(link.ask("tools/call", call("wait", {"seconds": 30})))
        await within(link.ask("tools/call", call("add", {"left": 1})))
        task.cancel()
        seen = []
        await until(lambda: seen.append(capfd.readouterr().err) or "wait cancelled" in "".join(seen))


async def test_questions_come_back_as_a_retry(tmp_path):
    async with opened(tmp_path, unix=True) as (_, _, link):
        asked = await within(link.ask("tools/call", call("ask")))
        assert asked["resultType"] == "input_required"
        key = next(iter(asked["inputRequests"]))
        answer = {"action": "accept", "content": {"why": "so"}}
        again = {**call("ask"), "inputResponses": {key: answer}, "requestState": asked["requestState"]}
        assert (await within(link.ask("tools/call", again)))["structuredContent"]["why"] == "so"


async def test_changes_are_heard(tmp_path):
    heard = []
    async with opened(tmp_path, unix=True, hear=lambda method, params: heard.append((method, params))) as (
        desk,
        _,
        link,
    ):
        await within(link.ask("resources/subscribe", {"uri": "debug://sessions/s1/output"}))
        desk.tell("output", "s1")
        desk.tell("sessions", "s1")
        await until(lambda: len(heard) >= 2)
    assert ("notifications/resources/updated", {"uri": "debug://sessions/s1/output"}) in heard
    assert "notifications/resources/list_changed" in [method for method, _ in heard]


async def test_the_client_that_a_router_names_is_the_one_that_calls(tmp_path):
    async with opened(tmp_path, unix=True) as (desk, _, link):
        meta = {"dapwright/client": "one", "dapwright/present": ["two"]}
        with contextlib.suppress(Refused):
            await within(link.ask("tools/call", call("add", {"left": 1, "sessionId": "s9"}, **meta)))
        assert desk.handed == ("s9", "one", ["two"])


async def test_who_lacks_the_key_is_not_served(tmp_path):
    async with opened(tmp_path, unix=False) as (_, control, _):
        with await asyncio.to_thread(connect, control.address) as stranger:
            stranger.settimeout(5)
            stranger.sendall(b"wrong\n" + b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
            with contextlib.suppress(ConnectionResetError):
                assert await asyncio.to_thread(stranger.recv, 100) == b""


async def test_a_workspace_that_ends_fails_its_calls(tmp_path):
    async with opened(tmp_path, unix=True) as (_, control, link):
        task = asyncio.create_task(link.ask("tools/call", call("wait", {"seconds": 30})))
        await within(link.ask("tools/call", call("add", {"left": 1})))
        await control.close()
        with pytest.raises(Gone):
            await within(task)
        with pytest.raises(Gone):
            await within(link.ask("ping", {}))


async def test_the_socket_is_this_users_alone(tmp_path):
    async with opened(tmp_path, unix=True) as (_, control, _):
        path = control.address.removeprefix("unix:")
        assert (await asyncio.to_thread(lambda: __import__("os").stat(path).st_mode)) & 0o077 == 0
