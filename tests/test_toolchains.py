"""The list of toolchains, the script that installs them, and what a missing one does to a test."""

import subprocess
import sys
from pathlib import Path

import pytest
import toolchains

ROOT = Path(__file__).parents[1]
pytest_plugins = ["pytester"]


@pytest.mark.skipif(sys.platform == "win32", reason="the script is for Debian")
def test_every_toolchain_names_a_language_that_the_script_installs():
    listed = subprocess.run(
        [ROOT / "scripts" / "toolchains.sh", "--list"], capture_output=True, text=True, timeout=30, check=True
    ).stdout.split()
    assert {tool.language for tool in toolchains.TOOLCHAINS.values()} == set(listed)


@pytest.mark.skipif(sys.platform == "win32", reason="the script is for Debian")
def test_the_script_refuses_a_language_it_does_not_know():
    ran = subprocess.run(
        [ROOT / "scripts" / "toolchains.sh", "--check", "klingon"], capture_output=True, text=True, timeout=30
    )
    assert ran.returncode == 2
    assert "no language `klingon`; there are: native rust" in ran.stdout


def pretend(monkeypatch, name, *code, least=0):
    tool = toolchains.Toolchain(language="native", argv=(sys.executable, "-c", *code), least=least)
    monkeypatch.setitem(toolchains.TOOLCHAINS, name, tool)


def test_a_tool_that_works_is_not_missing(monkeypatch):
    pretend(monkeypatch, "works", "print('works 14.2')", least=14)
    assert toolchains.missing("works") is None


def test_an_old_tool_is_missing(monkeypatch):
    pretend(monkeypatch, "old", "print('old 13.1')", least=14)
    assert "`old` is older than 14 here; `scripts/toolchains.sh native` installs it" in toolchains.missing("old")


def test_a_broken_tool_is_missing(monkeypatch):
    pretend(monkeypatch, "broken", "raise SystemExit(3)")
    assert "does not work here (exit code 3)" in toolchains.missing("broken")


def test_an_absent_tool_is_missing(monkeypatch):
    tool = toolchains.Toolchain(language="go", argv=("no-such-command-anywhere",))
    monkeypatch.setitem(toolchains.TOOLCHAINS, "absent", tool)
    assert toolchains.missing("absent") == "`absent` is not here; `scripts/toolchains.sh go` installs it on Debian"


def test_a_missing_tool_skips_on_a_desk_and_fails_in_ci(monkeypatch):
    pretend(monkeypatch, "gone", "raise SystemExit(1)")
    monkeypatch.setattr(toolchains, "STRICT", False)
    with pytest.raises(pytest.skip.Exception, match="gone"):
        toolchains.needs("gone")
    monkeypatch.setattr(toolchains, "STRICT", True)
    with pytest.raises(pytest.fail.Exception, match="in CI every toolchain must be there"):
        toolchains.needs("gone")


def test_the_marker_asks_for_the_toolchain(pytester, monkeypatch):
    tests = ROOT / "tests"
    pytester.makeconftest(f"import sys; sys.path.insert(0, {str(tests)!r})\nfrom conftest_of_ours import *\n")
    pytester.makepyfile(conftest_of_ours=(tests / "conftest.py").read_text())
    pytester.makepyfile("import pytest\n\n@pytest.mark.needs('ghost')\ndef test_it():\n    raise AssertionError\n")
    ghost = toolchains.Toolchain(language="go", argv=("no-such-command-anywhere",))
    monkeypatch.setitem(toolchains.TOOLCHAINS, "ghost", ghost)
    monkeypatch.setattr(toolchains, "STRICT", False)
    pytester.makeini("[pytest]\nmarkers = needs: toolchains\nasyncio_default_fixture_loop_scope = function\n")
    pytester.runpytest_inprocess().assert_outcomes(skipped=1)
