"""COBOL's data items: what a listing says, what bytes mean, and the bytes of a value."""

import importlib.util
from pathlib import Path

import pytest

import dapwright

FOLDER = Path(dapwright.__file__).parent / "inject" / "gdb_cobol"


def load(name):
    spec = importlib.util.spec_from_file_location(f"cobol_{name}", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


items, decimals = load("items"), load("decimals")
LISTING = """
SIZE  TYPE           LVL  NAME                           PICTURE

      WORKING-STORAGE SECTION

00004 NUMERIC        01   WS-SEEN                        9(4)
00003 NUMERIC        01   WS-DOUBLED                     S9(4) COMP-3
00002 NUMERIC        01   WS-TOTAL                       S9(4) COMP
00005 NUMERIC        01   WS-SIGN                        S9(3)V9
00012 GROUP          01   WS-TABLE
00012 GROUP          05   WS-PAIR                        OCCURS 3
00003 ALPHANUMERIC   10   WS-NAME                        X(3)
00001 NUMERIC        10   WS-AMOUNT                      9
00008 GROUP          01   WS-OVER, REDEFINES WS-TABLE
00004 ALPHANUMERIC   05   WS-HEAD                        X(4)
00004 NUMERIC        05   WS-REST                        9(4)
00001 ALPHANUMERIC   88   WS-FLAG                        X

      LINKAGE SECTION

00004 NUMERIC        01   L-N                            9(6) COMP-5
"""


def by_name():
    found = {}

    def add(item):
        found[item.name] = item
        for child in item.children:
            add(child)

    for root in items.read(LISTING):
        add(root)
    return found


def test_a_listing_becomes_items_with_their_places():
    known = by_name()
    assert "WS-FLAG" not in known
    assert (known["WS-PAIR"].occurs, known["WS-PAIR"].unit) == (3, 4)
    assert (known["WS-AMOUNT"].offset, [one.name for one in known["WS-AMOUNT"].chain()]) == (
        3,
        ["WS-TABLE", "WS-PAIR", "WS-AMOUNT"],
    )
    assert known["WS-OVER"].redefines == "WS-TABLE" and known["WS-REST"].offset == 4
    assert known["L-N"].section == "LINKAGE"
    assert known["WS-DOUBLED"].describe() == "01 PIC S9(4) COMP-3"


def test_a_listing_of_several_programs_is_parted():
    row = "00001 NUMERIC        01   {}   9\n"
    text = "SIZE  TYPE\n      PROGRAM  ONE\n" + row.format("A") + "      PROGRAM  TWO\n" + row.format("B")
    assert [one.name for one in items.read(items.listing_of(text, "two"))] == ["B"]


@pytest.mark.parametrize(
    ("name", "data", "shown"),
    [
        ("WS-SEEN", b"0039", "39"),
        ("WS-DOUBLED", bytes.fromhex("00006c"), "6"),
        ("WS-DOUBLED", bytes.fromhex("00123d"), "-123"),
        ("WS-TOTAL", bytes.fromhex("fffe"), "-2"),
        ("WS-SIGN", b"0125-", "-12.5"),
        ("WS-NAME", b"tea", '"tea"'),
        ("L-N", (20005).to_bytes(4, "little"), "20005"),
        ("WS-TABLE", b"tea3jam5rye7", '"tea3jam5rye7"'),
    ],
)
def test_bytes_are_shown_as_their_picture_says(name, data, shown):
    assert decimals.decode(by_name()[name], data) == shown


def test_bytes_that_are_no_number_are_shown_as_such():
    assert "not a valid COMP-3" in decimals.decode(by_name()["WS-DOUBLED"], b"   ")
    assert "not a valid DISPLAY" in decimals.decode(by_name()["WS-SEEN"], b"    ")


@pytest.mark.parametrize(
    ("name", "text"),
    [("WS-SEEN", "39"), ("WS-DOUBLED", "-123"), ("WS-TOTAL", "-2"), ("WS-SIGN", "-12.5"), ("WS-SIGN", "3.5")]
    + [("L-N", "7"), ("WS-NAME", '"ab "'), ("WS-AMOUNT", "9")],
)
def test_a_value_written_is_the_value_read(name, text):
    item = by_name()[name]
    data = decimals.encode(item, text)
    assert len(data) == item.unit and decimals.decode(item, data) == text


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("WS-SEEN", "12345", "holds 4 digits"),
        ("WS-SEEN", "-1", "unsigned"),
        ("WS-SEEN", "tea", "no number"),
        ("WS-SEEN", "1.5", "0 decimal places"),
        ("WS-NAME", '"long one"', "holds 3 characters"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(name, text, said):
    with pytest.raises(ValueError, match=said):
        decimals.encode(by_name()[name], text)
