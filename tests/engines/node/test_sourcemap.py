"""Source maps against a plain encoder of the same format."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dapwright.engines.node.sourcemap import decode_vlq, map_address, parse, source_path

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def vlq(number):
    number, text = (abs(number) << 1) | (number < 0), ""
    while True:
        number, digit = number >> 5, number & 31
        text += DIGITS[digit | (32 if number else 0)]
        if not number:
            return text


def encode(rows):
    """Rows of (column, source, line, source column), as the format's relative numbers."""
    text, before = [], [0, 0, 0]
    for row in rows:
        column, parts = 0, []
        for segment in row:
            relative = [segment[0] - column, *(a - b for a, b in zip(segment[1:], before, strict=True))]
            column, before = segment[0], list(segment[1:])
            parts.append("".join(map(vlq, relative)))
        text.append(",".join(parts))
    return ";".join(text)


segments = st.tuples(st.integers(0, 300), st.integers(0, 2), st.integers(0, 50), st.integers(0, 80))
rows = st.lists(st.lists(segments, max_size=6, unique_by=lambda s: s[0]).map(sorted), max_size=8)


@given(st.lists(st.integers(-(2**31), 2**31), max_size=8))
def test_numbers_survive(numbers):
    assert decode_vlq("".join(map(vlq, numbers))) == numbers


@pytest.mark.parametrize("broken", ["g", "A!", "é"])
def test_broken_numbers_are_refused(broken):
    with pytest.raises(ValueError, match="source map"):
        decode_vlq(broken)


@given(rows)
def test_a_place_maps_to_the_segment_at_or_before_it(table):
    read = parse({"version": 3, "sources": ["a", "b", "c"], "names": [], "mappings": encode(table)})
    for line, row in enumerate(table):
        for column in {0, 1, 299, 301} | {s[0] for s in row}:
            before = [s for s in row if s[0] <= column]
            found = read.original(line, column)
            assert (found and tuple(found[:3])) == (before[-1][1:] if before else None)


@given(rows, st.integers(0, 2), st.integers(0, 60))
def test_a_source_line_maps_to_its_places_or_the_next_lines(table, source, line):
    read = parse({"version": 3, "sources": ["a", "b", "c"], "names": [], "mappings": encode(table)})
    lines = sorted({s[2] for row in table for s in row if s[1] == source and s[2] >= line})
    at, places = read.generated(source, line)
    if not lines:
        assert places == []
        return
    assert at == lines[0]
    expected = {
        n: min(s[0] for s in row if s[1:3] == (source, at))
        for n, row in enumerate(table)
        if any(s[1:3] == (source, at) for s in row)
    }
    assert dict(places) == expected


def test_sections_are_one_map():
    part = {"version": 3, "sources": ["x.js"], "sourcesContent": ["text"], "names": [], "mappings": "AAAA;AACA"}
    sections = [{"offset": {"line": 0, "column": 0}, "map": part}, {"offset": {"line": 2, "column": 10}, "map": part}]
    read = parse(json.dumps({"version": 3, "sections": sections}))
    assert read.sources == ["x.js", "x.js"] and list(read.contents) == ["text", "text"]
    assert read.original(1, 0)[:3] == (0, 1, 0) and read.original(2, 12)[:3] == (1, 0, 0)
    assert read.original(2, 9) is None and read.generated(1, 1) == (1, [(3, 0)])


def test_a_map_with_a_guard_a_root_and_a_broken_line_still_serves():
    text = ")]}'\n" + json.dumps(
        {"version": 3, "sourceRoot": "../src/", "sources": ["a.ts", None], "mappings": "AAAA;!!!;AACA"}
    )
    read = parse(text)
    assert read.sources == ["../src/a.ts", "../src/"] and read.original(1, 0) is None and read.original(2, 0).line == 1


@pytest.mark.parametrize("bad", ["[]", "{", "3"])
def test_what_is_no_map_is_refused(bad):
    with pytest.raises(ValueError):
        parse(bad)


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("../src/a.ts", "/w/src/a.ts"),
        ("/abs/a.ts", "/abs/a.ts"),
        ("file:///w/my%20src/a.ts", "/w/my src/a.ts"),
        ("webpack://app/./src/a.ts?abcd", "/root/src/a.ts"),
        ("webpack:///./src/a.ts", "/root/src/a.ts"),
        ("a%20b.ts", "/w/out/a b.ts"),
        ("http://cdn/x.js", ""),
    ],
)
def test_a_source_is_found_on_this_machine(source, path):
    assert source_path(source, "/w/out", "/root") == path


def test_a_map_lies_beside_its_script():
    assert map_address("file:///w/out/a.js", "a.js.map") == "file:///w/out/a.js.map"
    assert map_address("file:///w/out/a.js", "data:x") == "data:x"
