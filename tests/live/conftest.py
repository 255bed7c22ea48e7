"""What every live test may ask for."""

import pytest

from live.served import Served


@pytest.fixture
def served(tmp_path):
    server = Served(tmp_path, "--toolset", "native")
    yield server
    server.close()
