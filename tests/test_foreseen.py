"""Answers that come before the questions: each serves one asker, and none outlives what could change it."""

import asyncio

import pytest

from dapwright.client import Client
from dapwright.core import protocol as dap
from dapwright.core.errors import AdapterError, ProtocolError
from dapwright.core.protocol import decode, encode
from dapwright.core.wire import Decoder

STACK = {"threadId": 1, "startFrame": 0, "levels": 20}
PROMISE = {"command": "stackTrace", "arguments": STACK}
ANSWERED = {**PROMISE, "success": True, "body": {"stackFrames": [{"id": 7, "name": "main", "line": 3}]}}
SCOPES = {"command": "scopes", "arguments": {"frameId": 7}, "success": True, "body": {"scopes": []}}


class Wire:
    """A channel whose other end is the test."""

    on_data = None

    def __init__(self):
        self.asked, self._decoder = [], Decoder()

    def open(self):
        pass

    def close(self):
        pass

    def write(self, data):
        self.asked += [decode(body).command for body in self._decoder.feed(data)]

    def tells(self, event, body):
        self.on_data(encode({"type": "event", "event": event, "body": body}))


def client(heard=None):
    wire = Wire()

    async def nobody(command, body):
        return {}

    return wire, Client(wire, lambda name, body: heard.append(name) if heard is not None else None, nobody)


def promised(wire):
    wire.tells("stopped", {"reason": "step", "threadId": 1, "dapwrightForeseen": PROMISE})


async def test_a_question_that_was_answered_ahead_is_not_asked_and_the_next_one_is():
    heard = []
    wire, asking = client(heard)
    promised(wire)
    wire.tells("dapwrightAnswers", {"answers": [ANSWERED, SCOPES]})
    assert (await asking.ask(dap.STACK_TRACE, STACK)).stack_frames[0].name == "main"
    assert (await asking.ask(dap.SCOPES, {"frameId": 7})).scopes == []
    assert wire.asked == [] and heard == ["stopped"]
    asking.send(dap.STACK_TRACE, STACK)
    assert wire.asked == ["stackTrace"], "each answer serves once"


async def test_who_asks_before_the_answer_waits_for_it():
    wire, asking = client()
    promised(wire)
    waiting = asyncio.ensure_future(asking.ask(dap.STACK_TRACE, STACK, 5))
    await asyncio.sleep(0)
    wire.tells("dapwrightAnswers", {"answers": [ANSWERED, SCOPES]})
    assert (await waiting).stack_frames[0].id == 7 and wire.asked == []


async def test_a_question_that_differs_is_asked():
    wire, asking = client()
    promised(wire)
    wire.tells("dapwrightAnswers", {"answers": [ANSWERED]})
    asyncio.ensure_future(asking.ask(dap.STACK_TRACE, {**STACK, "levels": 1000}, 5))
    await asyncio.sleep(0)
    assert wire.asked == ["stackTrace"]
    asking.close()


async def test_what_was_answered_before_something_changed_the_program_is_asked_again():
    for command in (dap.EVALUATE, dap.CONTINUE, dap.SET_VARIABLE):
        wire, asking = client()
        promised(wire)
        wire.tells("dapwrightAnswers", {"answers": [ANSWERED, SCOPES]})
        asking.send(command, {})
        asyncio.ensure_future(asking.ask(dap.SCOPES, {"frameId": 7}, 5))
        await asyncio.sleep(0)
        assert wire.asked == [command.command, "scopes"]
        asking.close()


async def test_answers_to_a_stop_that_was_left_meanwhile_are_dropped():
    wire, asking = client()
    promised(wire)
    asking.send(dap.CONTINUE, {})
    wire.tells("dapwrightAnswers", {"answers": [ANSWERED, SCOPES]})
    asyncio.ensure_future(asking.ask(dap.STACK_TRACE, STACK, 5))
    await asyncio.sleep(0)
    assert wire.asked == ["continue", "stackTrace"]
    asking.close()


async def test_a_refusal_ahead_is_a_refusal():
    wire, asking = client()
    promised(wire)
    wire.tells("dapwrightAnswers", {"answers": [{**PROMISE, "success": False, "message": "no frames"}]})
    with pytest.raises(AdapterError, match="no frames"):
        await asking.ask(dap.STACK_TRACE, STACK)


async def test_who_waits_for_a_promise_is_told_when_the_engine_goes():
    wire, asking = client()
    promised(wire)
    waiting = asyncio.ensure_future(asking.ask(dap.STACK_TRACE, STACK, 5))
    await asyncio.sleep(0)
    wire.on_data(b"")
    with pytest.raises(ProtocolError, match="closed the connection"):
        await waiting


async def test_looks_sent_ahead_are_asked_once_and_answer_who_asks_the_same():
    wire, made = client()
    made.foresee([(dap.STACK_TRACE, STACK), (dap.SCOPES, {"frameId": 7})])
    assert wire.asked == ["stackTrace", "scopes"]
    stack = asyncio.ensure_future(made.ask(dap.STACK_TRACE, STACK))
    await asyncio.sleep(0)
    wire.on_data(encode({"type": "response", "request_seq": 1, "success": True, "body": ANSWERED["body"]}))
    wire.on_data(encode({"type": "response", "request_seq": 2, "success": False, "message": "no such frame"}))
    assert (await stack).stack_frames[0].name == "main"
    with pytest.raises(AdapterError, match="no such frame"):
        await made.ask(dap.SCOPES, {"frameId": 7})
    assert wire.asked == ["stackTrace", "scopes"], "each was sent once"
    other = asyncio.ensure_future(made.ask(dap.SCOPES, {"frameId": 8}))
    await asyncio.sleep(0)
    assert wire.asked[2:] == ["scopes"], "another question is asked for itself"
    other.cancel()


async def test_looks_sent_ahead_are_forgotten_when_something_may_have_changed_the_answers():
    wire, made = client()
    made.foresee([(dap.SCOPES, {"frameId": 7})])
    made.send(dap.CONTINUE, {"threadId": 1})
    again = asyncio.ensure_future(made.ask(dap.SCOPES, {"frameId": 7}))
    await asyncio.sleep(0)
    assert wire.asked == ["scopes", "continue", "scopes"]
    made.close()
    with pytest.raises(ProtocolError):
        await again
