"""The folders that may be debugged."""

import pytest

from dapwright import files
from dapwright.core.errors import NotAllowed
from dapwright.policy.folders import contains, require


def test_a_folder_contains_itself_and_what_lies_in_it():
    assert contains("/w", "/w") and contains("/w", "/w/x") and contains("/", "/w") and contains("/w/", "/w/x")
    assert not contains("/w", "/wider") and not contains("/w/x", "/w")


def test_without_folders_everything_is_allowed():
    require("/etc/passwd", (), asked="x")


@pytest.fixture
def confined(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "ok.py").write_text("x = 1\n")
    (tmp_path / "out.py").write_text("x = 1\n")
    files.confine((str(tmp_path / "in"),))
    yield tmp_path
    files.confine(())


def test_links_are_followed_before_a_path_is_judged(confined):
    (confined / "in" / "link.py").symlink_to(confined / "out.py")
    (confined / "way").symlink_to(confined / "in")
    assert files.read(str(confined / "in" / "ok.py")).lines
    assert files.read(str(confined / "way" / "ok.py")).lines
    for path in ("in/link.py", "out.py", "in/../out.py", "nowhere.py"):
        with pytest.raises(NotAllowed, match="outside"):
            files.read(str(confined / path))
