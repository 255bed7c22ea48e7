"""One DAP connection: requests find their answers, and nothing that a peer sends breaks it."""

import asyncio

import pytest
import virtual_time
from fake_adapter import FakeAdapter

from dapwright.client import Client
from dapwright.core import protocol as dap
from dapwright.core.errors import AdapterError, ProtocolError


def connected(story):
    """Run a story with a client and its adapter, in virtual time."""

    async def whole():
        fake, heard = FakeAdapter(), []

        async def asked(command, arguments):
            raise AdapterError("not here")

        client = Client(fake, lambda name, body: heard.append((name, body)), asked)
        try:
            await story(client, fake, heard)
        finally:
            client.close()
            await asyncio.sleep(1)

    virtual_time.run(whole())


def test_answers_find_their_requests_in_any_order():
    async def story(client, fake, heard):
        fake.on["threads"] = lambda message: fake.loop.call_later(2, fake.answer, message, {"threads": []}) and None
        first, second = client.send(dap.THREADS), client.send(dap.INITIALIZE)
        assert (await second).command == "initialize" and not first.done()
        assert (await first).command == "threads"

    connected(story)


def test_a_request_that_is_not_answered_ends_within_its_limit():
    async def story(client, fake, heard):
        fake.on["threads"] = lambda message: None
        began = asyncio.get_running_loop().time()
        with pytest.raises(ProtocolError, match="did not answer `threads` within 10 s"):
            await client.ask(dap.THREADS)
        assert asyncio.get_running_loop().time() - began == pytest.approx(10, abs=0.1)
        assert not client._waiting

    connected(story)


def test_whoever_waits_is_told_of_the_end():
    async def story(client, fake, heard):
        fake.on["threads"] = lambda message: fake.die()
        with pytest.raises(ProtocolError, match="closed the connection"):
            await client.ask(dap.THREADS)
        with pytest.raises(ProtocolError, match="was not sent"):
            await client.ask(dap.THREADS)
        assert [name for name, _ in heard].count("disconnected") == 1

    connected(story)


def test_a_refusal_is_told_in_the_peers_words_filled_in():
    async def story(client, fake, heard):
        error = {"id": 1, "format": "no thread {id}", "variables": {"id": "7"}}
        fake.on["threads"] = lambda message: fake.send(
            {
                "type": "response",
                "request_seq": message.seq,
                "command": "threads",
                "success": False,
                "body": {"error": error},
            }
        )
        with pytest.raises(AdapterError, match="no thread 7"):
            await client.ask(dap.THREADS)

    connected(story)


def test_a_reverse_request_that_is_not_served_is_refused():
    async def story(client, fake, heard):
        fake.send({"type": "request", "command": "makeCoffee", "arguments": {}})
        answers = []
        fake.feed = lambda data: answers.append(data)
        await asyncio.sleep(1)
        assert b"not here" in answers[0] and b'"success":false' in answers[0]

    connected(story)


def test_a_listener_that_fails_loses_no_message(capsys):
    async def whole():
        fake, heard = FakeAdapter(), []

        def listen(name, body):
            if name == "bad":
                raise ValueError(body)
            heard.append((name, body))

        client = Client(fake, listen, None)
        fake.event("bad", {"secret": "hunter2"})
        fake.event("good")
        await asyncio.sleep(1)
        client.close()
        await asyncio.sleep(1)
        assert [name for name, _ in heard] == ["dapwrightWarning", "good", "disconnected"]

    virtual_time.run(whole())
    assert "hunter2" not in capsys.readouterr().err
