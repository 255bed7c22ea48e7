"""The server that every engine shares, fed in memory."""

import asyncio

import msgspec
import pytest

from dapwright.core.errors import NotSupported
from dapwright.core.protocol import decode, encode
from dapwright.core.wire import Decoder
from dapwright.engines.dapserver import Reply, Requests, Server

REQUESTS = Requests()


class Echo(msgspec.Struct, rename="camel"):
    text: str
    times_over: int = 1


class Engine:
    def __init__(self, server):
        self.server, self.closed, self.gate, self.order = server, 0, asyncio.Event(), []

    async def close(self):
        self.closed += 1


@REQUESTS.on("echo", Echo, capabilities=("supportsEcho",))
async def echo(engine, ask):
    return {"text": ask.text * ask.times_over}


@REQUESTS.on("go", dict)
async def go(engine, ask):
    return Reply({"went": True}, lambda: engine.server.event("arrived", {"at": 3}))


@REQUESTS.on("hold", dict, concurrent=True)
async def hold(engine, ask):
    await engine.gate.wait()
    return {}


@REQUESTS.on("slow", dict)
async def slow(engine, ask):
    await asyncio.sleep(0)
    return {}


@REQUESTS.on("refuse", dict)
async def refuse(engine, ask):
    raise NotSupported("no `{x}` here", "use another")


@REQUESTS.on("bug", dict)
async def bug(engine, ask):
    raise ZeroDivisionError("secret of the program")


@pytest.fixture
async def talk():
    sent, decoder, seq = [], Decoder(), iter(range(1, 100))
    server = Server(REQUESTS, Engine, lambda data: sent.extend(decode(b) for b in decoder.feed(data)))
    serving = asyncio.create_task(server.serve())

    def say(command, **arguments):
        number = next(seq)
        server.feed(encode({"seq": number, "type": "request", "command": command, "arguments": arguments}))
        return number

    async def until(count):
        async with asyncio.timeout(5):
            while len(sent) < count:
                await asyncio.sleep(0)
        return sent

    say.until, say.server, say.serving = until, server, serving
    yield say
    server.feed(b"")
    async with asyncio.timeout(5):
        await serving


async def test_initialize_advertises_what_is_registered(talk):
    talk("initialize", adapterID="x")
    [answer] = await talk.until(1)
    assert answer.body == {"supportsEcho": True, "supportsCancelRequest": True}
    assert talk.server.client == {"adapterID": "x"}


async def test_arguments_are_typed_and_a_wrong_one_is_told(talk):
    talk("echo", text="ab", timesOver=2)
    talk("echo", timesOver=2)
    good, bad = await talk.until(2)
    assert good.body == {"text": "abab"}
    assert not bad.success and "text" in bad.message


async def test_an_event_follows_the_answer_it_belongs_to(talk):
    talk("go")
    answer, event = await talk.until(2)
    assert (answer.type, event.event, event.body) == ("response", "arrived", {"at": 3})
    assert answer.seq < event.seq


async def test_answers_keep_the_order_of_the_requests(talk):
    asked = [talk("slow"), talk("echo", text="a"), talk("slow"), talk("go")]
    answers = [m.request_seq for m in await talk.until(5) if m.type == "response"]
    assert answers == asked


async def test_a_concurrent_request_holds_nothing_up_and_can_be_cancelled(talk):
    held = talk("hold")
    talk("echo", text="a")
    assert [m.command for m in await talk.until(1)] == ["echo"]
    talk("cancel", requestId=held)
    *_, acknowledged, cancelled = await talk.until(3)
    assert acknowledged.success and (cancelled.request_seq, cancelled.message) == (held, "cancelled")


async def test_a_refusal_says_what_and_what_next(talk):
    talk("refuse")
    [answer] = await talk.until(1)
    assert not answer.success and answer.message == "no `{x}` here"
    assert answer.body["hint"] == "use another" and answer.body["code"] == "not-supported"
    error = answer.body["error"]
    assert error["format"] == "{message}" and error["variables"] == {"message": "no `{x}` here"}


async def test_an_unknown_request_is_refused_by_name(talk):
    talk("stepBack")
    [answer] = await talk.until(1)
    assert not answer.success and "`stepBack`" in answer.message


async def test_a_bug_is_told_without_the_data_of_the_program(talk, capsys):
    talk("bug")
    [answer] = await talk.until(1)
    assert not answer.success and "secret" not in answer.message
    assert "ZeroDivisionError" in capsys.readouterr().err


async def test_a_lone_surrogate_does_not_break_the_stream(talk):
    talk.server.event("output", {"output": "a\ud800b"})
    [event] = await talk.until(1)
    assert event.body["output"] == "a�b"


async def test_the_clients_going_cancels_and_closes_once(talk):
    talk("hold")
    await asyncio.sleep(0)
    talk.server.feed(b"")
    async with asyncio.timeout(5):
        await talk.serving
    assert talk.server.session.closed == 1
