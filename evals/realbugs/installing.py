"""Each bug's package in a folder of its own, as in a checkout: the package beside the test, what it needs below."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from evals.realbugs.corpus import Bug

CACHE = Path(os.environ.get("DAPWRIGHT_REALBUGS", Path(__file__).parent / ".cache"))
SECONDS = 300
NEEDS = "needs/site-packages"
"""What the package needs: a library to the debugger, by its folder's name."""


class Unreachable(Exception):
    """The registry did not hand a package out."""


def install(bug: Bug, *, fixed: bool = False) -> Path:
    """Install the release with the bug, or the mended one, unless it is there; return its folder.

    Raises:
        Unreachable: pip could not install it; its own words.
    """
    version = bug.fixed if fixed else bug.version
    folder = CACHE / f"{bug.name}-{version}"
    if not (folder / "installed").exists():
        shutil.rmtree(folder, ignore_errors=True)
        _pip(folder, [f"{bug.package}=={version}"])
        if bug.requires:
            _pip(folder / NEEDS, bug.requires)
        (folder / "pytest.ini").write_text("[pytest]\n")  # else that of a repository around the cache holds
        (folder / "installed").touch()
    shutil.copy(bug.test, folder)
    return folder


def _pip(target: Path, packages: list[str]) -> None:
    words = ["install", "-q", "--no-deps", "--disable-pip-version-check", "--target", str(target), *packages]
    done = subprocess.run([sys.executable, "-m", "pip", *words], capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        raise Unreachable(done.stderr.strip()[-500:])


def environment(folder: Path) -> dict[str, str]:
    """Variables under which a folder's package is the one that is imported."""
    paths = os.pathsep.join([str(folder), str(folder / NEEDS)])
    # plugins of the interpreter's own pytest may need a newer release of what is pinned here
    return {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}


def passes(bug: Bug, folder: Path) -> tuple[bool, str]:
    """Whether the test passes in a folder, and pytest's words, without any debugger."""
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", bug.test.name]
    env = {**os.environ, **environment(folder)}
    ran = subprocess.run(argv, cwd=folder, env=env, capture_output=True, text=True, timeout=SECONDS)
    return ran.returncode == 0, ran.stdout + ran.stderr
