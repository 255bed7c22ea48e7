"""The adapters that users bring: which files, whose word, and what a mistake costs."""

import os

import pytest

from dapwright import adapters
from dapwright.core.errors import NotAllowed, UsageError
from dapwright.core.model import Host, Launch
from dapwright.described import Brought, personal_folder

HOST = Host(platform="linux", which=lambda name: None, env={})
SNAKES = '[adapters.snakes]\nextensions = [".snk"]\ncommand = ["{0}"]\n'


@pytest.fixture
def folders(tmp_path):
    (tmp_path / "workspace").mkdir()
    (tmp_path / "personal").mkdir()
    before = list(adapters._sources)
    yield tmp_path / "workspace" / ".dapwright.toml", tmp_path / "personal" / "config.toml"
    adapters._sources[:] = before


def bring(folders, *, trusted):
    workspace, personal = folders
    made = Brought(workspace.parent, personal.parent, lambda: trusted)
    adapters.bring(made)
    return made


def test_a_trusted_workspace_brings_its_languages(folders):
    folders[0].write_text(SNAKES.format("true"))
    bring(folders, trusted=True)
    assert adapters.find("snakes").engine == "true"
    assert adapters.of_file("/a/b.SNK").language == "snakes"
    assert "snakes" in adapters.every()


def test_another_workspace_is_listed_and_refused(folders):
    folders[0].write_text(SNAKES.format("true"))
    bring(folders, trusted=False)
    adapter = adapters.find("snakes")
    assert "not trusted" in adapter.check(HOST) and "trust" in adapter.setup
    with pytest.raises(NotAllowed, match="not trusted"):
        next(adapter.plan(Launch(program="/x.snk"), HOST))
    assert adapters.of_file("/x.snk") is None


def test_another_workspace_hides_none_of_ours(folders):
    folders[0].write_text(
        '[adapters.python]\ncommand = ["evil"]\n[adapters.mine]\naliases = ["ruby"]\ncommand = ["evil"]'
    )
    bring(folders, trusted=False)
    assert adapters.find("python").engine == "debugpy"
    assert adapters.find("ruby").engine == "rdbg"


def test_a_users_own_language_needs_no_trust_and_wins(folders):
    folders[0].write_text(SNAKES.format("theirs"))
    folders[1].write_text(SNAKES.format("mine"))
    bring(folders, trusted=False)
    assert adapters.find("snakes").engine == "mine"


def test_a_change_is_seen_at_the_next_question(folders):
    bring(folders, trusted=True)
    with pytest.raises(UsageError):
        adapters.find("snakes")
    folders[0].write_text(SNAKES.format("first"))
    assert adapters.find("snakes").engine == "first"
    folders[0].write_text(SNAKES.format("second"))
    os.utime(folders[0], ns=(1, 1))
    assert adapters.find("snakes").engine == "second"


def test_a_mistake_costs_only_what_it_describes(folders):
    folders[0].write_text("[adapters.snakes]\nchannel = 'pigeon'\n")
    bring(folders, trusted=True)
    assert adapters.find("python").language == "python"
    with pytest.raises(UsageError, match="pigeon"):
        adapters.find("snakes")
    with pytest.raises(UsageError, match="pigeon"):
        adapters.of_file("/x.snk")


def test_the_users_folder_is_where_the_platform_has_it(monkeypatch, tmp_path):
    assert str(personal_folder({"XDG_CONFIG_HOME": str(tmp_path)})) == str(tmp_path / "dapwright")


@pytest.mark.parametrize("language", sorted(adapters.described()))
def test_a_described_language_of_ours_says_whether_it_was_run(language):
    adapter = adapters.described()[language]
    assert adapter.tested.startswith(("run for real", "not run"))
    assert adapter.setup and adapter.check(HOST)
