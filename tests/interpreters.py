"""The Pythons of this machine that tests debug: those on PATH, and those that pyenv keeps."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PYENV = Path.home() / ".pyenv" / "versions"


def python(version: str) -> str:
    """The command of a Python (`"3.12"`); the test is skipped where there is none that runs."""
    if version == f"{sys.version_info[0]}.{sys.version_info[1]}":
        return sys.executable
    kept = sorted(map(str, PYENV.glob(f"{version}.*/bin/python")))
    for found in (*reversed(kept), shutil.which(f"python{version}")):
        if found and subprocess.run([found, "-c", ""], capture_output=True, timeout=60).returncode == 0:
            return found
    return str(pytest.skip(f"there is no Python {version}"))
