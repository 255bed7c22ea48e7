"""Packets, events and hit conditions: bytes in, values out."""

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dapwright.core.errors import ProtocolError, UsageError
from dapwright.engines.jvm.codes import Kind
from dapwright.engines.jvm.events import Modifiers, read_happening, request
from dapwright.engines.jvm.hits import read_hits
from dapwright.engines.jvm.packets import HANDSHAKE, Location, Packet, Reader, Sizes, Stream, Value, Writer, command

SIZES = [Sizes(), Sizes(4, 4, 8, 4, 8)]
VALUES = {
    "B": st.integers(-128, 127),
    "C": st.integers(0, 65535),
    "S": st.integers(-32768, 32767),
    "I": st.integers(-(1 << 31), (1 << 31) - 1),
    "J": st.integers(-(1 << 63), (1 << 63) - 1),
    "D": st.floats(allow_nan=False),
    "Z": st.booleans(),
    "L": st.integers(0, (1 << 64) - 1),
    "s": st.integers(0, (1 << 64) - 1),
}
values = st.sampled_from(sorted(VALUES)).flatmap(lambda tag: VALUES[tag].map(lambda number: Value(tag, number)))


@given(values)
def test_a_value_survives_the_way_there_and_back(value):
    assert Reader(Writer(Sizes()).tagged(value).done(), Sizes()).tagged() == value


@given(st.text(), st.sampled_from(SIZES), st.integers(0, (1 << 32) - 1), st.integers(0, 1 << 40))
def test_texts_and_places_survive_with_any_sizes_of_ids(text, sizes, number, index):
    place = Location(1, number, number, index)
    reader = Reader(Writer(sizes).text(text).location(place).field(number).done(), sizes)
    assert (reader.text(), reader.location(), reader.field()) == (text, place, number)


@given(st.lists(st.binary(max_size=40), max_size=5), st.data())
def test_packets_come_whole_however_the_stream_is_cut(bodies, data):
    sent = HANDSHAKE + b"".join(command(at, (1, 2), body) for at, body in enumerate(bodies))
    stream, found, at = Stream(), [], 0
    while at < len(sent):
        size = data.draw(st.integers(1, 20))
        found += stream.feed(sent[at : at + size])
        at += size
    assert found == [Packet(at, body, False, command=(1, 2)) for at, body in enumerate(bodies)]


def test_a_reply_has_its_error():
    stream = Stream()
    packet = struct.pack(">IIBH", 11, 7, 0x80, 101)
    assert list(stream.feed(HANDSHAKE + packet)) == [Packet(7, b"", True, error=101)]


@pytest.mark.parametrize(
    "garbage", [b"HTTP/1.1 400", b"JDWP-Handshakf", HANDSHAKE + b"\0\0\0\0garbage", HANDSHAKE + b"\xff" * 11]
)
def test_what_is_no_jvm_is_named(garbage):
    with pytest.raises(ProtocolError, match="JDWP"):
        list(Stream().feed(garbage))


@given(st.binary(max_size=60))
def test_no_packet_breaks_the_reader_otherwise_than_by_a_protocol_error(data):
    try:
        read_happening(data, Sizes())
    except ProtocolError:
        pass


def test_events_of_one_moment_are_read_together():
    place = Location(1, 2, 3, 4)
    writer = Writer(Sizes()).byte(2).i32(3)
    writer.byte(Kind.BREAKPOINT).i32(10).object(9).location(place)
    writer.byte(Kind.EXCEPTION).i32(11).object(9).location(place).tagged(Value("L", 5)).location(Location(1, 0, 0, 0))
    writer.byte(Kind.FIELD_MODIFICATION).i32(12).object(9).location(place).byte(1).type(6).field(7)
    writer.tagged(Value("L", 8)).tagged(Value("I", -1))
    happening = read_happening(writer.done(), Sizes())
    assert happening.policy == 2 and happening.thread == 9
    hit, thrown, written = happening.events
    assert (hit.request, hit.location) == (10, place)
    assert (thrown.exception, thrown.catch.type) == (5, 0)
    assert (written.field, written.object, written.value) == (7, 8, Value("I", -1))


def test_a_request_holds_its_modifiers_in_order():
    rest = Modifiers(Sizes()).class_match("a.B").count(3)
    data = request(Sizes(), Kind.CLASS_PREPARE, 1, rest)
    assert data == b"\x08\x01" + b"\0\0\0\x02" + b"\x05\0\0\0\x03a.B" + b"\x01\0\0\0\x03"


@given(st.sampled_from(["", "==", ">", ">=", "<", "<=", "%"]), st.integers(1, 30))
def test_the_first_and_the_next_hit_that_count_are_what_the_condition_says(operator, number):
    condition = read_hits(f"{operator}{number}")
    holds = [n for n in range(1, 100) if condition.holds(n)]
    if operator in ("<", "<="):
        assert condition.first == 1
        return
    assert holds[0] == condition.first
    assert (holds[1] - holds[0] if len(holds) > 1 else None) == condition.next


@pytest.mark.parametrize("words", ["", "0", "often", ">", "= 3", "3 4", "-1", "%0"])
def test_what_is_no_hit_condition_is_refused(words):
    with pytest.raises(UsageError, match="not a hit condition"):
        read_hits(words)
