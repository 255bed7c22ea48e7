"""What every test may ask for: toolchains by marker, and fixture folders as copies of its own."""

import os
from collections.abc import Callable
from pathlib import Path

import places
import pytest
import toolchains
from hypothesis import HealthCheck, settings

toolchains.prepend_tools()

# Nothing that measures the machine. In CI the same examples each time, so that only a change makes a test fail.
untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("desk", untimed)
settings.register_profile("ci", untimed, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in item.iter_markers("needs"):
        toolchains.needs(*marker.args)


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    """Copy a folder of tests/fixtures into the test's own folder: `program("python")`."""
    return lambda name: places.copy(places.FIXTURES / name, tmp_path / Path(name).name)


@pytest.fixture
def case(tmp_path: Path) -> Callable[[str], Path]:
    """Copy a case of tests/fixtures/cases into the test's own folder: `case("C01")`."""
    return lambda name: places.copy(places.CASES / name, tmp_path / name)


@pytest.fixture
def node_modules(tmp_path: Path) -> Path:
    """Lay the compilers and test runners of tests/fixtures/node beside the programs of this test."""
    toolchains.needs("node", "tsc", "tsx")
    link = tmp_path / "node_modules"
    link.symlink_to(toolchains.NODE_MODULES, target_is_directory=True)
    return link
