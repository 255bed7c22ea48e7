"""Python tests named in any form become a command."""

import json

import pytest

from dapwright.adapters._python_tests import command, read
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Ran, TestTarget

FILES = {"/shop/tests/test_cart.py", "/shop/pyproject.toml", "/elsewhere/pkg/test_far.py", "/elsewhere/setup.cfg"}


def host(platform="linux"):
    return Host(
        platform,
        which=lambda name: None,
        env={},
        is_file=FILES.__contains__,
        is_dir=lambda path: path in ("/shop/tests", "/shop"),
        packages={"inject": "/inject"},
    )


def made(test, *, pytest_there=True, why="of the project's .venv", **more):
    planning = command(lambda asked, cwd, machine: ("/python", why))(TestTarget(test, cwd="/shop", **more), host())
    try:
        next(planning)
        planning.send(Ran(0, f"{pytest_there}\n", ""))
    except StopIteration as end:
        return end.value
    raise AssertionError("it asked for more")


@pytest.mark.parametrize(
    ("test", "words"),
    [
        ("tests/test_cart.py::test_total", ("tests/test_cart.py::test_total",)),
        ("FAILED tests/test_cart.py::test_n[a b] - assert 1 == 2", ("tests/test_cart.py::test_n[a b]",)),
        ("ERROR tests/test_cart.py", ("tests/test_cart.py",)),
        ("pytest -q tests/test_cart.py -k 'a or b'", ("-q", "tests/test_cart.py", "-k", "a or b")),
        ("MODE=x python3.12 -m pytest tests", ("tests",)),
        ("-k total", ("-k", "total")),
        ("tests.test_cart.Case.test_equal", ("tests/test_cart.py::Case::test_equal",)),
        ("tests", ("tests",)),
    ],
)
def test_every_form_becomes_words_of_pytest(test, words):
    assert made(test).rerun == ("/python", "-m", "pytest", *words)


@pytest.mark.parametrize(
    ("test", "word"),
    [
        ("test_equal (tests.test_cart.Case)", "tests.test_cart.Case.test_equal"),
        ("FAIL: test_equal (tests.test_cart.Case.test_equal)", "tests.test_cart.Case.test_equal"),
        ("python -m unittest tests.test_cart", "tests.test_cart"),
    ],
)
def test_the_forms_of_unittest_are_run_by_unittest(test, word):
    planning = command(lambda asked, cwd, machine: ("/python", "as asked"))(TestTarget(test, cwd="/shop"), host())
    with pytest.raises(StopIteration) as end:
        next(planning)
    assert end.value.value.rerun == ("/python", "-m", "unittest", word)


def test_a_line_is_told_to_the_plugin():
    told = made("tests/test_cart.py:12")
    config = json.loads(told.launch.args[0])
    assert config["line"] == ["/shop/tests/test_cart.py", 12] and config["stop"] is True
    assert told.launch.args[1:] == ("/shop/tests/test_cart.py",)


def test_a_test_outside_of_the_folder_runs_at_the_root_of_its_own_project():
    assert made("/elsewhere/pkg/test_far.py::test_a").launch.cwd == "/elsewhere"
    assert made("tests/test_cart.py").launch.cwd == "/shop"


def test_a_class_runs_under_unittest_where_there_is_no_pytest():
    told = made("tests/test_cart.py::Case::test_equal", pytest_there=False)
    assert told.rerun == ("/python", "-m", "unittest", "tests.test_cart.Case.test_equal")
    assert "it has no pytest" in told.notes[0]


def test_a_function_needs_pytest_and_the_hint_installs_it():
    with pytest.raises(SetupError) as refused:
        made("tests/test_cart.py::test_total", pytest_there=False)
    assert refused.value.hint == "/python -m pip install pytest"


def test_what_names_nothing_is_refused():
    with pytest.raises(UsageError):
        read("  ", host(), "/shop")
    with pytest.raises(UsageError):
        made("tests", runner="nose")
