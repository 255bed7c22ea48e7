"""Templates of described adapters."""

from dapwright.core.filling import fill, fill_words


def test_a_text_that_is_one_name_becomes_the_value_itself():
    assert fill({"args": "{args}", "n": ["{n}"]}, {"args": ["a", "b"], "n": 3}) == {"args": ["a", "b"], "n": [3]}


def test_a_name_inside_a_text_becomes_text():
    assert fill("http://{host}:{port}/", {"host": "h", "port": 80}) == "http://h:80/"


def test_an_unknown_name_stays():
    assert fill("{port}-{other}", {"port": 1}) == "1-{other}"
    assert fill("{other}", {}) == "{other}"


def test_other_values_stay_as_they_are():
    assert fill({"a": True, "b": None, "c": 1.5}, {"a": 1}) == {"a": True, "b": None, "c": 1.5}


def test_a_list_in_a_command_becomes_its_words():
    assert fill_words(["run", "{args}", "--port={port}"], {"args": ["x", "y z"], "port": 7}) == [
        "run",
        "x",
        "y z",
        "--port=7",
    ]
