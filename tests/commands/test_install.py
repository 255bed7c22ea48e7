"""`dapwright install`: shown first, written whole, and nobody's entries lost."""

import io
import json
import os
import stat
import sys
import tomllib

import pytest

from dapwright import cli
from dapwright.agents.changes import SKILL
from dapwright.server.resources import pages


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home without agents, a workspace within, no agent's command on PATH, nobody at the terminal."""
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CODEX_HOME", raising=False)
    monkeypatch.chdir(work)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    return tmp_path


def written(home):
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())


def test_without_an_agent_it_says_how_to_name_one(home, capsys):
    assert cli.main(["install"]) == 1
    assert "claude, codex, vscode, cursor" in capsys.readouterr().err and not written(home)


def test_an_unknown_agent_is_refused(home, capsys):
    assert cli.main(["install", "emacs"]) == 2
    assert "`emacs`" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--dry-run"], []])
def test_it_writes_nothing_that_nobody_agreed_to(home, more, capsys):
    assert cli.main(["install", "claude", *more]) == (0 if more else 1)
    told = capsys.readouterr().out
    assert '"dapwright"' in told and ".mcp.json" in told and not written(home)


@pytest.mark.parametrize("answer, files", [("y\n", True), ("\n", False), ("no\n", False)])
def test_the_person_is_asked(home, monkeypatch, answer, files):
    terminal = io.StringIO(answer)
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stdin", terminal)
    cli.main(["install", "cursor"])
    assert bool(written(home)) is files


def test_claude_gets_entry_skill_and_subagent(home):
    assert cli.main(["install", "claude", "--yes"]) == 0
    entry = json.loads((home / "work/.mcp.json").read_text())["mcpServers"]["dapwright"]
    assert entry["args"][-1] == "serve" and os.path.isabs(entry["command"])
    folder = home / "work/.claude/skills/dapwright"
    assert {path.name for path in folder.iterdir()} == {path.name for path in SKILL.glob("*.md")}
    assert (home / "work/.claude/agents/dapwright-debugger.md").is_file()


def test_the_agents_that_are_here_are_found_and_a_second_run_has_nothing_to_do(home, capsys):
    (home / ".codex").mkdir()
    (home / "work/.vscode").mkdir()
    assert cli.main(["install", "--yes"]) == 0
    assert written(home)[0] == ".codex/config.toml" and "work/.vscode/mcp.json" in written(home)
    assert not [path for path in written(home) if ".cursor" in path or ".mcp.json" in path]
    capsys.readouterr()
    assert cli.main(["install", "--yes"]) == 0
    assert "nothing to write" in capsys.readouterr().out


def test_codex_keeps_its_file_and_gets_a_longer_limit(home):
    config = home / ".codex/config.toml"
    config.parent.mkdir()
    config.write_text('# keep me\nmodel = "o"\n[mcp_servers.other]\ncommand = "x"\n')
    config.chmod(0o600)
    assert cli.main(["install", "codex", "--yes"]) == 0
    text = config.read_text()
    servers = tomllib.loads(text)["mcp_servers"]
    assert text.startswith("# keep me\n") and servers["other"] == {"command": "x"}
    assert servers["dapwright"]["tool_timeout_sec"] > 50 and stat.S_IMODE(config.stat().st_mode) == 0o600


def test_a_file_with_comments_is_kept_and_the_entry_shown(home, capsys):
    config = home / "work/.vscode/mcp.json"
    config.parent.mkdir()
    config.write_text('{\n  // mine\n  "servers": {}\n}\n')
    assert cli.main(["install", "vscode", "--yes"]) == 1
    assert "// mine" in config.read_text() and "add this by hand" in capsys.readouterr().out


def test_a_changed_page_is_kept_until_an_update_is_asked_for(home, capsys):
    cli.main(["install", "claude", "--yes"])
    page = home / "work/.claude/skills/dapwright/waiting.md"
    page.write_text("mine")
    assert cli.main(["install", "claude", "--yes"]) == 1
    assert page.read_text() == "mine" and "--update" in capsys.readouterr().out
    assert cli.main(["install", "claude", "--yes", "--update"]) == 0
    assert page.read_text() == (SKILL / "waiting.md").read_text()


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_link_to_the_configuration_stays_a_link(home):
    real = home / "dotfiles.json"
    real.write_text("{}")
    (home / "work/.mcp.json").symlink_to(real)
    cli.main(["install", "claude", "--yes"])
    assert (home / "work/.mcp.json").is_symlink() and "dapwright" in real.read_text()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind here")
def test_a_folder_that_cannot_be_written_is_told(home, capsys):
    (home / "work/.cursor").mkdir(mode=0o500)
    assert cli.main(["install", "cursor", "--yes"]) == 1
    assert "could not write" in capsys.readouterr().err


def test_the_skill_names_only_pages_that_are_there():
    skill = (SKILL / "SKILL.md").read_text()
    assert {"addressing", "waiting", "evidence", "languages", "skill"} == set(pages())
    assert all(f"`{name}`" in skill for name in pages() if name != "skill")
