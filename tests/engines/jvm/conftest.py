"""A JVM program, compiled once, and the engine driven by a bare client."""

from collections.abc import AsyncIterator

import dap
import pytest
from jvm_programs import ENGINE, Built, build


@pytest.fixture(scope="session")
def tour(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The fixture with a bit of everything; nobody may change it."""
    return build("Tour.java", tmp_path_factory.mktemp("tour"))


@pytest.fixture
async def client() -> AsyncIterator[dap.Dap]:
    async with dap.engine(*ENGINE) as engine:
        yield engine
