"""DBGp's packets, values as text, hit conditions, and who catches what."""

import xml.etree.ElementTree as ET

import pytest

from dapwright.core.errors import ProtocolError, UsageError
from dapwright.engines.php import values
from dapwright.engines.php.breaking import hits
from dapwright.engines.php.catching import caught_at
from dapwright.engines.php.dbgp import Packets, quoted

SPACE = 'xmlns="urn:debugger_protocol_v1"'


def packet(text):
    data = text.encode()
    return str(len(data)).encode() + b"\0" + data + b"\0"


def prop(text):
    return ET.fromstring(text.replace("<property", f"<property {SPACE}", 1))


def test_packets_come_whole_however_they_are_cut():
    data = packet("<a/>") + packet("<b>ü</b>")
    for size in range(1, len(data) + 1):
        packets = Packets()
        found = [e for at in range(0, len(data), size) for e in packets.feed(data[at : at + size])]
        assert [e.tag for e in found] == ["a", "b"] and found[1].text == "ü"


@pytest.mark.parametrize("data", [b"HTTP/1.1\0", b"99999999999\0", packet("<a>"), b"-1\0x\0"])
def test_what_is_no_packet_is_refused(data):
    with pytest.raises(ProtocolError):
        Packets().feed(data)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('<property type="int">7</property>', "7"),
        ('<property type="float">10</property>', "10.0"),
        ('<property type="float">2.5</property>', "2.5"),
        ('<property type="bool">0</property>', "false"),
        ('<property type="null"/>', "null"),
        ('<property type="uninitialized"/>', "uninitialized"),
        ('<property type="string" size="4" encoding="base64">YSJiCg==</property>', '"a\\"b\\n"'),
        ('<property type="string" size="10" encoding="base64">YWI=</property>', '"ab" ... (8 bytes more)'),
        ('<property type="array" children="0" numchildren="0"/>', "array(0)"),
        (
            '<property type="array" numchildren="2"><property name="0" type="int">1</property>'
            '<property name="k" type="array" numchildren="3"/></property>',
            "array(2) [0 => 1, 'k' => array(3)]",
        ),
        (
            '<property type="object" classname="Cart" numchildren="9">'
            '<property name="n" type="int">1</property></property>',
            "Cart {n: 1, ...}",
        ),
    ],
)
def test_values_are_shown_as_a_person_would_write_them(text, shown):
    assert values.show(prop(text)) == shown


def test_hit_conditions_in_xdebugs_words():
    assert [hits(t) for t in ("3", "==3", ">3", ">= 3", "%2", "")] == [
        ("==", 3), ("==", 3), (">=", 4), (">=", 3), ("%", 2), None,
    ]  # fmt: skip
    for wrong in ("<3", "0", "x", "%0"):
        with pytest.raises(UsageError):
            hits(wrong)


def test_words_are_quoted():
    assert quoted('$a["b\\c"]') == '"$a[\\"b\\\\c\\"]"'


def test_the_tries_around_a_line_are_found(tmp_path):
    file = tmp_path / "a.php"
    file.write_text(
        "<?php\ntry {\n    try {\n        inner();\n    } catch (\\Foo\\Bar | Baz $e) {\n        handling();\n    }\n"
        "} catch (\\Throwable) {\n    last();\n} finally {\n    outer();\n}\n"
    )
    assert sorted(map(sorted, caught_at(str(file), 4))) == [["bar", "baz"], ["throwable"]]
    assert caught_at(str(file), 6) == [{"throwable"}]
    assert caught_at(str(file), 9) == [] and caught_at(str(file), 11) == []
    assert caught_at(str(tmp_path / "none.php"), 1) == []
