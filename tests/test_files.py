"""The reader of source files: what it reads, keeps and refuses."""

import os
import sys
import unicodedata

import pytest

from dapwright import files
from dapwright.core.errors import UsageError


def test_a_file_is_read_once_as_long_as_it_is_unchanged(tmp_path):
    path = tmp_path / "ä name with blanks.py"
    path.write_text("x = 1\n")
    first = files.read(str(path))
    assert files.read(str(path)) is first and first.lines == ("x = 1",)
    path.write_text("x = 12\n")
    assert files.read(str(path)).lines == ("x = 12",)
    status = path.stat()
    path.write_text("x = 99\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1000))
    assert files.read(str(path)).lines == ("x = 99",)


def test_a_missing_file_names_the_nearest_of_its_folder(tmp_path):
    (tmp_path / "orders.py").write_text("")
    with pytest.raises(UsageError) as told:
        files.read(str(tmp_path / "order.py"))
    assert "order.py" in str(told.value) and "`orders.py`" in told.value.hint


def test_a_missing_folder_says_how_far_the_path_exists(tmp_path):
    (tmp_path / "src").mkdir()
    with pytest.raises(UsageError, match="up to") as told:
        files.read(str(tmp_path / "scr" / "deep" / "x.py"))
    assert "`src`" in told.value.hint


def test_what_is_no_source_is_refused(tmp_path):
    (tmp_path / "inside.py").write_text("")
    with pytest.raises(UsageError, match="folder") as told:
        files.read(str(tmp_path))
    assert "`inside.py`" in told.value.hint
    (tmp_path / "program").write_bytes(b"\x7fELF\0\0")
    with pytest.raises(UsageError, match="binary"):
        files.read(str(tmp_path / "program"))
    with open(tmp_path / "huge.py", "wb") as huge:
        huge.truncate(files.LARGEST + 1)
    with pytest.raises(UsageError, match="too large"):
        files.read(str(tmp_path / "huge.py"))
    with pytest.raises(UsageError, match="NUL"):
        files.read("a\0b.py")
    with pytest.raises(UsageError, match="cannot be read"):
        files.read(str(tmp_path / ("x" * 300)))
    if sys.platform != "win32":
        os.mkfifo(tmp_path / "pipe.py")
        with pytest.raises(UsageError, match="no regular file"):
            files.read(str(tmp_path / "pipe.py"))


def test_c01_two_spellings_through_a_link_are_one_file(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "shop.py").write_text("x = 1\n")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    real, link = str(tmp_path / "real" / "shop.py"), str(tmp_path / "link" / "shop.py")
    assert files.same(real, link) and files.canonical(link) == os.path.realpath(real)
    assert not files.same(real, str(tmp_path / "other.py"))
    assert files.same(str(tmp_path / "link" / "new.py"), str(tmp_path / "real" / "new.py")), "also before it exists"


def test_c07_a_relative_path_is_taken_against_its_folder_alone(tmp_path):
    for name in ("alpha", "beta"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "util.py").write_text("")
    found = files.resolve("alpha/util.py", str(tmp_path))
    assert found == str(tmp_path / "alpha" / "util.py")
    assert not files.same(found, files.resolve("beta/util.py", str(tmp_path)))
    with pytest.raises(UsageError, match="no file"):
        files.read(files.resolve("util.py", str(tmp_path)))


def test_c15_dots_in_a_path_are_removed(tmp_path):
    assert files.resolve("../a/./b.py", str(tmp_path / "a")) == str(tmp_path / "a" / "b.py")
    assert files.resolve("~/x.py", str(tmp_path)) == os.path.expanduser("~/x.py")
    assert files.resolve(str(tmp_path / "x.py"), "/elsewhere") == str(tmp_path / "x.py")


def test_another_case_is_another_file_where_the_folder_says_so(tmp_path):
    (tmp_path / "a.py").write_text("")
    exists = os.path.exists(tmp_path / "A.py")
    assert files.same(str(tmp_path / "a.py"), str(tmp_path / "A.py")) is exists
    if exists:
        assert files.canonical(str(tmp_path / "A.py")).endswith("a.py")


def test_a_path_with_its_letters_composed_otherwise_is_the_file(tmp_path):
    written, asked = (unicodedata.normalize(form, "größe/é ü.py") for form in ("NFD", "NFC"))
    (tmp_path / written).parent.mkdir()
    (tmp_path / written).write_text("x = 1\n")
    assert files.resolve(asked, str(tmp_path)) == str(tmp_path / written)
    assert files.resolve(written, str(tmp_path)) == str(tmp_path / written)
    other = tmp_path / unicodedata.normalize("NFD", "größe") / "é ö.py"
    assert files.resolve(asked.replace("ü", "ö"), str(tmp_path)) == str(other)


def test_of_two_names_that_look_the_same_none_is_taken_and_the_hint_says_how_they_differ(tmp_path):
    one, two, three = "ạ\u0302.py", "a\u0323\u0302.py", "ậ.py"
    for name in (one, two):
        (tmp_path / name).write_text("x = 1\n")
    with pytest.raises(UsageError) as refused:
        files.look(files.resolve(three, str(tmp_path)))
    assert "composed in another way" in refused.value.hint
