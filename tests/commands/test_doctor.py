"""`dapwright doctor`: what it tells is what was tried."""

import os
import socket

import pytest

from dapwright import cli
from dapwright.adapters import find
from dapwright.checkup import languages, machine, trial
from dapwright.checkup.finding import Finding
from dapwright.checkup.versions import ask, versions
from dapwright.core.adapter import Adapter
from dapwright.core.model import Host
from dapwright.host import machine as here

EMPTY = Host(platform="linux", which=lambda name: None, env={})


def by_name(findings):
    return {one.name: one for one in findings}


def test_the_machine_that_runs_these_tests_is_well(tmp_path):
    found = by_name(machine.checks(here()))
    assert [one for one in found.values() if one.state == "broken"] == []
    assert found["debugpy"].state == "ok" and found["loopback"].state == "ok"


@pytest.mark.skipif(os.name != "posix", reason="POSIX alone has the guard")
def test_a_guard_that_does_nothing_is_found_out(monkeypatch):
    """The child of the check outlives its server then; the check ends it no later than it ends by itself."""
    idle = machine.GUARDED.replace('guard.tell("add", program.pid)\n', "").replace("sleep(60)", "sleep(3)")
    monkeypatch.setattr(machine, "GUARDED", idle)
    monkeypatch.setattr(machine, "GUARD_SECONDS", 1.0)
    assert by_name(machine.checks(here()))["guard"].state == "broken"


def test_a_cache_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").write_text("")
    found = by_name(machine.checks(Host(platform="linux", which=here().which, env={}, cache=str(tmp_path / "file/x"))))
    assert found["cache folder"].state == "broken" and "XDG_CACHE_HOME" in found["cache folder"].remedy


def test_a_machine_without_loopback_is_told(monkeypatch):
    def refuse(*_, **__):
        raise OSError("no such network")

    monkeypatch.setattr(socket, "create_server", refuse)
    assert by_name(machine.checks(here()))["loopback"].state == "broken"


@pytest.mark.live
def test_the_trial_debugs_a_program_through_the_server():
    server, debugging = trial.trial()
    assert server.state == "ok" and "tools" in server.told
    assert debugging.state == "ok"


@pytest.mark.live
def test_a_program_that_is_not_stopped_is_told(monkeypatch):
    monkeypatch.setattr(trial, "PROGRAM", "raise SystemExit(3)\nprint(total)\n")
    _, debugging = trial.trial()
    assert debugging.state == "broken"


def test_a_server_that_cannot_start_is_told(monkeypatch):
    monkeypatch.setenv("DAPWRIGHT_TOOLSET", "huge")
    assert [one.state for one in trial.trial()] == ["broken"]


def test_a_language_without_its_tools_has_the_command_that_installs_them():
    found = languages.language(find("go"), EMPTY)
    assert found.state == "missing" and "go install" in found.remedy


def test_a_version_is_asked_of_the_tool_itself(tmp_path):
    assert ask(("no-such-tool-anywhere", "--version"), EMPTY) == ""
    assert versions(find("python"), here()).startswith("debugpy 1.")


def test_a_language_that_only_attaches_is_no_launch():
    adapter = Adapter(language="x", display_name="X", extensions=(), dap_id="x", engine="x-dap", setup="get x")
    assert languages.language(adapter, EMPTY) == Finding("x", "missing", "x-dap: it cannot be launched", "get x")


@pytest.fixture
def quick(monkeypatch):
    """Machine and server are well, without trying again."""
    monkeypatch.setattr(machine, "checks", lambda host: iter([Finding("pipes", "ok", "fine")]))
    monkeypatch.setattr(trial, "trial", lambda: [Finding("server", "ok", "fine")])


def test_a_missing_language_fails_only_where_it_was_named(quick, monkeypatch, capsys):
    monkeypatch.setattr(languages, "language", lambda adapter, host: Finding(adapter.language, "missing", "x", "get x"))
    assert cli.main(["doctor"]) == 0
    assert cli.main(["doctor", "go"]) == 1
    assert "-> get x" in capsys.readouterr().out


def test_a_machine_that_is_not_well_fails(quick, monkeypatch):
    monkeypatch.setattr(machine, "checks", lambda host: iter([Finding("pipes", "broken", "gone")]))
    assert cli.main(["doctor", "python"]) == 1


def test_an_unknown_language_is_refused_before_anything_is_tried(capsys):
    assert cli.main(["doctor", "pyton"]) == 2
    assert "did you mean `python`?" in capsys.readouterr().err
