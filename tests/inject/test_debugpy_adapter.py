"""What debugpy's adapter is started with."""

import types

import pytest
from debugpy.common import messaging

from dapwright.inject import debugpy_adapter


def test_an_answer_to_a_client_that_has_gone_ends_nothing():
    assert issubclass(messaging.NoMoreMessages, Exception) and callable(messaging.Request.respond)
    heard = []

    class Request:
        def respond(self, body):
            heard.append(body)
            raise body

    own = types.SimpleNamespace(Request=Request, NoMoreMessages=messaging.NoMoreMessages)
    debugpy_adapter.forgive(own)
    gone = messaging.NoMoreMessages(stream=None)
    Request().respond(gone)
    assert heard == [gone]
    with pytest.raises(KeyError):
        Request().respond(KeyError("a fault of another kind"))
