"""The pipe to the client: what it takes at once is written at once, the rest by a thread, all in order."""

import json
import os
import socket

import pytest

from dapwright.server.outbox import Outbox

BOUND = 20.0


@pytest.fixture(params=["pipe", "socket"])
def ends(request):
    """Our end and the client's, as descriptors."""
    if request.param == "pipe":
        reading, writing = os.pipe()
    else:
        ours, theirs = socket.socketpair()
        reading, writing = theirs.detach(), ours.detach()
    yield writing, reading
    for descriptor in (writing, reading):
        try:
            os.close(descriptor)
        except OSError:
            pass


def read_lines(reading, count):
    data = b""
    while data.count(b"\n") < count:
        data += os.read(reading, 1 << 20)
    return [json.loads(line) for line in data.splitlines()]


def lost():
    raise AssertionError("the client is there")


def test_a_small_message_is_there_when_send_returns(ends):
    writing, reading = ends
    outbox = Outbox(writing, lost)
    os.set_blocking(reading, False)
    outbox.send({"id": 1})
    assert json.loads(os.read(reading, 4096)) == {"id": 1}
    outbox.flush(BOUND)


def test_a_client_that_does_not_read_holds_nobody_up_and_gets_all_in_order(ends):
    writing, reading = ends
    outbox = Outbox(writing, lost)
    sent = [{"id": number, "text": "x" * (number * 37 % 9000)} for number in range(300)]
    for message in sent:  # far more than a pipe or a socket holds
        outbox.send(message)
    assert read_lines(reading, len(sent)) == sent
    outbox.send({"id": "after"})
    assert read_lines(reading, 1) == [{"id": "after"}]
    outbox.flush(BOUND)


def test_a_client_that_has_gone_is_told_once(ends):
    writing, reading = ends
    gone = []
    outbox = Outbox(writing, lambda: gone.append(True))
    os.close(reading)
    for number in range(3):
        outbox.send({"id": number})
    outbox.flush(BOUND)
    assert gone == [True]
