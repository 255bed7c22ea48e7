"""PyPI's gdb without its launcher: the same process as with it, and only where that is known."""

import json
import os
import subprocess
import sys

import pytest

from dapwright import launcher

GDB = os.path.join(os.path.dirname(sys.executable), "gdb")
WHEEL = any(os.path.isfile(os.path.join(path, launcher.PACKAGE, "gdb.py")) for path in sys.path[1:])
TOLD = (
    "python import json, os, sys; print(json.dumps([dict(os.environ), sys.prefix,"
    " open('/proc/self/cmdline').read().split(chr(0)), [path for path in sys.path if 'gdb' in path]]))"
)
needs_wheel = pytest.mark.skipif(
    not WHEEL or not sys.platform.startswith("linux"), reason="PyPI's gdb is not beside this interpreter"
)


def asked(argv, env):
    done = subprocess.run(argv, env=env, capture_output=True, text=True, timeout=60, check=True)
    return json.loads(done.stdout)


@needs_wheel
def test_gdb_is_the_process_that_its_launcher_makes():
    argv = (GDB, "-nx", "-batch", "-ex", TOLD)
    asked(argv, dict(os.environ))  # which links Python's library into a fresh environment, once
    command, env = launcher.direct(argv, dict(os.environ))
    assert command[1] != GDB and command[-4:] == argv[1:]
    with_it, without = asked(argv, dict(os.environ)), asked(command, env)
    searched = [told[0].pop("PYTHONPATH").split(":") for told in (with_it, without)]
    assert set(searched[0]) <= set(searched[1])  # the tests' own folders are ours besides
    assert with_it == without


@needs_wheel
@pytest.mark.parametrize("name", launcher.READ_BY_PYTHON)
def test_an_environment_that_moves_the_launchers_paths_keeps_the_launcher(name):
    argv, env = (GDB, "-nx"), {**os.environ, name: "/elsewhere"}
    assert launcher.direct(argv, env) == (argv, env)


@needs_wheel
def test_a_launcher_that_was_not_read_is_started_as_it_stands(monkeypatch):
    monkeypatch.setattr(launcher, "KNOWN", frozenset({(1, 1)}))
    assert launcher.direct((GDB, "-nx"), dict(os.environ))[0] == (GDB, "-nx")


@pytest.mark.parametrize("argv", [(), ("/usr/bin/gdb", "-nx"), ("gdb",), (sys.executable, "-c", "1")])
def test_another_command_is_left_alone(argv):
    assert launcher.direct(argv, {"A": "b"}) == (argv, {"A": "b"})


def test_a_command_of_that_name_that_is_not_the_wheels_is_left_alone(tmp_path, monkeypatch):
    mine = tmp_path / "gdb"
    mine.write_text("#!/bin/sh\nexec /usr/bin/gdb\n")
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert launcher.direct((str(mine), "-nx"), {}) == ((str(mine), "-nx"), {})
    mine.unlink()
    assert launcher.direct((str(mine), "-nx"), {}) == ((str(mine), "-nx"), {})
