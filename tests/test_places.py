"""Fixture folders as copies, and lines found by their text."""

import os

import pytest
from places import copy, line_of


def test_a_line_is_found_by_its_text(tmp_path):
    path = tmp_path / "a.py"
    path.write_bytes(b"one\r\ntwo\rthree \xe2\x80\xa8 still three\ntwo again\n")
    assert line_of(path, "still") == 3
    assert line_of(path, "two", nth=2) == 4


def test_a_text_that_is_not_there_fails_the_test(tmp_path):
    path = tmp_path / "a.py"
    path.write_text("one\n")
    with pytest.raises(AssertionError, match="has `two` on 0 lines"):
        line_of(path, "two")


def test_a_copy_keeps_symbolic_links(tmp_path):
    (tmp_path / "from" / "real").mkdir(parents=True)
    (tmp_path / "from" / "link").symlink_to("real", target_is_directory=True)
    copied = copy(tmp_path / "from", tmp_path / "to")
    assert os.readlink(copied / "link") == "real"
