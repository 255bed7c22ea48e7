"""What `serve --http` refuses to do without an explicit word."""

import pytest

from dapwright.cli import main
from dapwright.server.port import Where


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--host", "0.0.0.0"], "--allow-remote"),
        (["--host", "0.0.0.0", "--allow-remote"], "--behind-proxy"),
        (["--host", "0.0.0.0", "--allow-remote", "--tls-key", "x"], "--tls-certificate"),
    ],
)
def test_other_interfaces_take_an_explicit_word(capsys, more, said):
    assert main(["serve", "--http", *more]) == 2
    assert said in capsys.readouterr().err


def test_a_public_name_is_allowed_beside_the_loopback_ones():
    where = Where(host="0.0.0.0", public_names=("debug.example",))
    assert where.hosts == ("127.0.0.1", "localhost", "[::1]", "debug.example")
