"""The command line."""

import subprocess
import sys

import pytest

from dapwright import __version__, cli


def test_the_version_is_told(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["--version"])
    assert ended.value.code == 0 and capsys.readouterr().out == f"dapwright {__version__}\n"


def test_without_a_command_the_help_is_told(capsys):
    assert cli.main([]) == 2
    told = capsys.readouterr().err
    assert all(name in told for name in cli.names())


def test_an_unknown_command_is_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["dance"])
    assert ended.value.code == 2 and "dance" in capsys.readouterr().err


@pytest.mark.parametrize("name", cli.names())
def test_every_command_has_help(name, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main([name, "--help"])
    assert ended.value.code == 0 and cli.load(name).__doc__.split(",")[0] in capsys.readouterr().out


def test_a_wrong_setting_is_refused_before_anything_starts(capsys):
    assert cli.main(["serve", "--toolset", "huge"]) == 2
    assert "`DAPWRIGHT_TOOLSET` is `huge`" in capsys.readouterr().err


def test_an_unknown_engine_is_refused_naming_the_known(capsys):
    assert cli.main(["adapter", "none"]) == 2
    assert "there is no engine `none`" in capsys.readouterr().err


def test_the_command_imports_nothing_heavy():
    code = "import sys, dapwright.cli; print([m for m in ('asyncio', 'msgspec', 'mcp', 'ssl') if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=20, check=True)
    assert told.stdout == "[]\n"
