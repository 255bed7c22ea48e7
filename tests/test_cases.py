"""The case programs are as their scenarios need them: odd bytes survive a checkout."""

import sys

import pytest


@pytest.mark.skipif(sys.platform == "win32", reason="a checkout on Windows may lay a file in place of the link")
def test_the_linked_folder_is_a_link(case):
    folder = case("C01")
    assert (folder / "link").is_symlink()
    assert (folder / "link" / "shop.py").samefile(folder / "real" / "shop.py")


def test_line_ends_of_windows_survive(case):
    assert b"\r\n" in (case("C03") / "crlf.py").read_bytes()


def test_odd_separators_survive(case):
    text = (case("C05") / "breaks.py").read_bytes().decode()
    assert "\u2028" in text and "\x85" in text and "\x0b" in text
