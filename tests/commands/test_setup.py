"""`dapwright setup`: shown, asked, judged, run, checked again."""

import io
import sys

import pytest

from dapwright import adapters, cli
from dapwright.core.adapter import Adapter
from dapwright.core.parts import Part


@pytest.fixture
def toy(monkeypatch, tmp_path):
    """A language that lacks a file, and whose registry is a script that makes it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    tool = tmp_path / "tool"
    script = tmp_path / "get.py"
    script.write_text(f"print('fetching'); open({str(tool)!r}, 'w').close()")

    def lacks(host):
        return () if tool.exists() else (Part("a tool", (f"{sys.executable} {script}",), why="there is none"),)
        yield

    made = Adapter(
        language="toy",
        display_name="Toy",
        extensions=(),
        dap_id="toy",
        engine="toy-dap",
        plan=lambda launch, host: None,
        check=lambda host: "" if tool.exists() else "there is no tool",
        installs=lacks,
    )
    monkeypatch.setattr(adapters, "find", lambda name: made)
    return tool, script


def test_scripts_install_without_being_asked(toy, capfd):
    assert cli.main(["setup", "toy", "--yes"]) == 0
    said = capfd.readouterr().out
    assert "get.py" in said and "fetching" in said and "toy-dap; launch" in said
    assert toy[0].exists()


def test_what_is_there_already_is_only_told(toy, capfd):
    toy[0].write_text("")
    assert cli.main(["setup", "toy"]) == 0
    assert "toy-dap; launch" in capfd.readouterr().out


@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_without_an_answer_nothing_is_installed(toy, capfd, monkeypatch, more):
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    assert cli.main(["setup", "toy", *more]) == (0 if more else 1)
    assert "get.py" in capfd.readouterr().out and not toy[0].exists()


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("", 1), ("no", 1)])
def test_a_person_is_asked(toy, monkeypatch, answer, code):
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    assert cli.main(["setup", "toy"]) == code and toy[0].exists() == (code == 0)


def test_a_deny_rule_is_kept(toy, capfd, monkeypatch):
    monkeypatch.setenv("DAPWRIGHT_APPROVE", "deny: *get.py*")
    assert cli.main(["setup", "toy", "--yes"]) == 1
    assert "denied by the rule" in capfd.readouterr().err and not toy[0].exists()


@pytest.mark.parametrize("code", ["raise SystemExit(3)", "1 / 0"])
def test_an_installation_that_fails_is_told(toy, capfd, code):
    toy[1].write_text(code)
    assert cli.main(["setup", "toy", "--yes"]) == 1 and "exit code" in capfd.readouterr().err


def test_an_installation_is_bounded(toy, capfd):
    toy[1].write_text("import time; time.sleep(60)")
    assert cli.main(["setup", "toy", "--yes", "--seconds", "0.5"]) == 1
    assert "did not end within 0.5 s" in capfd.readouterr().err


def test_a_language_that_no_registry_has_is_told(toy, capfd, monkeypatch):
    monkeypatch.setattr("dapwright.core.parts.command", lambda part, host: ())
    assert cli.main(["setup", "toy", "--yes"]) == 1
    assert "no registry here" in capfd.readouterr().err


def test_an_unknown_language_is_refused(capsys):
    assert cli.main(["setup", "golangg"]) == 2
