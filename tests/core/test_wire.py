"""Framing: whatever was framed comes out, however it is cut and whatever stands between."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dapwright.core.errors import ProtocolError
from dapwright.core.protocol import Message, decode, encode, lenient
from dapwright.core.wire import Decoder, frame

bodies = st.lists(st.binary(max_size=200), max_size=8)
NOISE = st.binary(max_size=40).filter(lambda noise: b"ontent-" not in noise.lower() and b"\r\n\r\n" not in noise)


def _cut(data, places):
    ends = sorted({place % (len(data) + 1) for place in places} | {0, len(data)})
    return [data[a:b] for a, b in zip(ends, ends[1:], strict=False)]


@given(bodies, st.lists(st.integers(0, 5000), max_size=20))
def test_bodies_survive_any_cut(bodies, places):
    decoder = Decoder()
    data = b"".join(frame(body) for body in bodies)
    assert [body for piece in _cut(data, places) for body in decoder.feed(piece)] == bodies


@given(bodies, NOISE, st.lists(st.integers(0, 5000), max_size=5))
def test_noise_between_messages_is_kept_apart(bodies, noise, places):
    decoder = Decoder()
    data = b"".join(noise + frame(body) for body in bodies)
    assert [body for piece in _cut(data, places) for body in decoder.feed(piece)] == bodies


@given(st.lists(st.binary(max_size=300), max_size=10))
def test_any_bytes_are_messages_or_a_protocol_error(pieces):
    decoder = Decoder()
    try:
        for piece in pieces:
            for body in decoder.feed(piece):
                decode(body)
    except ProtocolError:
        pass


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), values, max_size=4))
def test_what_is_encoded_is_decoded(arguments):
    (body,) = Decoder().feed(encode({"seq": 7, "type": "request", "command": "x", "arguments": arguments}))
    message = decode(body)
    assert (message.seq, message.command, message.arguments) == (7, "x", arguments)


def test_lone_surrogates_are_replaced_and_never_sent():
    (body,) = Decoder().feed(encode({"type": "event", "event": "a\ud800b"}))
    assert decode(body).event == "a\ufffdb"
    assert decode(b'{"type":"event","event":"\\ud800x"}').event in ("\ufffdx", "\ufffd\ufffdx")


@pytest.mark.parametrize("body", [b"[1]", b"nonsense", b'"x"', b"[" * 100_000])
def test_a_body_that_is_no_object_is_a_protocol_error(body):
    with pytest.raises(ProtocolError):
        decode(body)


@given(values)
def test_an_event_of_any_shape_can_be_read(body):
    assert isinstance(lenient(body, Message), Message)


def test_a_field_of_an_event_that_cannot_be_read_counts_as_missing():
    assert lenient({"type": {}, "seq": "4", "event": "stopped"}, Message) == Message(seq=4, event="stopped")
