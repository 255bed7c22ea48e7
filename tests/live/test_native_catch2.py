"""Catch2: sections, generators, tags and what is thrown, one compilation for all."""

import subprocess
from pathlib import Path

import pytest
from dap import line_of
from places import FIXTURES

from live.served import values

pytestmark = [pytest.mark.live, pytest.mark.needs("g++")]
SOURCE = FIXTURES / "native" / "catch2" / "t.cpp"


@pytest.fixture(scope="module")
def binary(tmp_path_factory):
    if not Path("/usr/include/catch2/catch.hpp").is_file():
        pytest.skip("there is no Catch2")
    made = tmp_path_factory.mktemp("catch2") / "t"
    subprocess.run(["g++", "-g", "-O0", "-o", made, SOURCE], check=True)
    return made


@pytest.fixture
def run(served, binary):
    def run(test):
        config = {"program": str(binary)}
        told = served.call("debug_test", language="cpp", test=test, cwd=str(binary.parent), adapterLaunchConfig=config)
        return served.settled(told) if told["success"] else told

    return run


@pytest.mark.parametrize("test", ["adds, with [brackets]/large numbers", "[math]"])
def test_a_failing_section_is_stopped_in(run, test):
    stop = run(test)
    assert stop["location"]["line"] == line_of(SOURCE, "REQUIRE(sum == 42)")
    assert values(stop)["sum"] == "-38" and stop["failure"]["comparison"] == {"left": "-38", "right": "42"}


def test_a_section_that_passes_alone_passes(run):
    end = run("adds, with [brackets]::small")
    assert end["testPassed"] is True and "-c" in end["rerun"]


def test_a_section_that_is_not_there_is_refused_with_those_that_are(run):
    refused = run("adds, with [brackets]/big")
    assert refused["success"] is False and "adds, with [brackets]/large numbers" in refused["error"]


def test_the_generated_value_that_fails_is_stopped_at(run):
    assert values(run("generated"))["n"] == "3"


def test_what_is_thrown_is_stopped_at_its_throw(run):
    stop = run("throws")
    assert stop["failure"]["message"] == "boom" and stop["location"]["line"] == line_of(SOURCE, "runtime_error(")
