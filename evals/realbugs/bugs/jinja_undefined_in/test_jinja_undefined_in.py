from jinja2 import Environment


def test_nothing_is_in_a_missing_value():
    assert Environment().from_string("{{ 'a' in missing }}").render() == "False"
