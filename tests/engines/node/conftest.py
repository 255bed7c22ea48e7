"""The engine under test, and the programs that it runs."""

import shutil
import sys
from pathlib import Path

import pytest
from dap import engine

FIXTURES = Path(__file__).parents[2] / "fixtures" / "javascript"


@pytest.fixture
async def node():
    """A client of a fresh engine."""
    if shutil.which("node") is None:
        pytest.skip("there is no `node` on PATH")
    async with engine(sys.executable, "-m", "dapwright.engines.node") as client:
        yield client


@pytest.fixture
def js(tmp_path):
    """Copies a fixture into a folder of its own; returns its path."""

    def copy(name: str, to: str | None = None) -> str:
        target = tmp_path / (to or name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(FIXTURES / name, target)
        return str(target)

    copy.folder = tmp_path
    return copy
