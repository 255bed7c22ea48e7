"""Settings from the environment and from flags."""

import pytest

from dapwright.core.errors import UsageError
from dapwright.policy.settings import Rule, Settings, read_settings


def test_nothing_given_is_the_defaults():
    assert read_settings({}) == Settings()


def test_a_flag_wins_over_the_environment():
    assert read_settings({"DAPWRIGHT_TOOLSET": "native"}, {"toolset": "focused"}).toolset == "focused"


def test_every_setting_is_read():
    found = read_settings(
        {
            "DAPWRIGHT_ADDRESSING": "line",
            "DAPWRIGHT_REDACT": "0",
            "DAPWRIGHT_VARIABLES": "explicit",
            "DAPWRIGHT_GATE": "after-failures:2",
            "DAPWRIGHT_ROOTS": "/a::/b",
            "DAPWRIGHT_APPROVE": "deny: rm *\n\nallow: *",
            "DAPWRIGHT_TRUST": "workspace",
            "DAPWRIGHT_LANGUAGES": "Python, go",
            "DAPWRIGHT_TIMEOUT": "2000",
            "DAPWRIGHT_MIRROR_EVALUATE": "off",
        }
    )
    assert found == Settings(
        addressing="line",
        redact=False,
        variables="explicit",
        gate="after-failures",
        gate_failures=2,
        roots=("/a", "/b"),
        approve=(Rule("deny", "rm *"), Rule("allow", "*")),
        trust="workspace",
        languages=("python", "go"),
        timeout=2000,
        mirror_evaluate=False,
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ADDRESSING", "lines"),
        ("REDACT", "maybe"),
        ("GATE", "after-failures:0"),
        ("GATE", "always:2"),
        ("APPROVE", "permit: x"),
        ("TOOLSET", "big"),
        ("TIMEOUT", "-1"),
    ],
)
def test_a_wrong_value_is_refused_naming_the_variable_and_the_choices(name, value):
    with pytest.raises(UsageError, match=f"`DAPWRIGHT_{name}` is `{value}`; it takes "):
        read_settings({f"DAPWRIGHT_{name}": value})
