"""doctest and Boost.Test: failed assertions, subcases and what is thrown, one compilation for each."""

import subprocess
from pathlib import Path

import pytest
from dap import line_of
from places import FIXTURES

from live.served import values

pytestmark = [pytest.mark.live, pytest.mark.needs("g++")]
HEADERS = {"doctest": "doctest/doctest.h", "boost": "boost/test/included/unit_test.hpp"}


@pytest.fixture(scope="module", params=HEADERS)
def built(request, tmp_path_factory):
    if not (Path("/usr/include") / HEADERS[request.param]).is_file():
        pytest.skip(f"there is no {request.param}")
    made, source = tmp_path_factory.mktemp(request.param) / "t", FIXTURES / "native" / request.param / "t.cpp"
    subprocess.run(["g++", "-g", "-O0", "-o", made, source], check=True)
    return made, source


def test_a_failed_assertion_and_a_throw_stop_in_the_test_and_a_passing_test_passes(served, built):
    binary, source = built

    def run(test):
        config = {"program": str(binary)}
        return served.settled(
            served.ok("debug_test", language="cpp", test=test, cwd=str(binary.parent), adapterLaunchConfig=config)
        )

    doctest = source.parent.name == "doctest"
    stop = run("adds, twice/small" if doctest else "math/adds")
    said, sides = ("CHECK(total == 3)", ("2", "3")) if doctest else ("BOOST_TEST(total == 5)", ("4", "5"))
    assert stop["location"]["line"] == line_of(source, said) and values(stop)["total"] == sides[0]
    assert stop["failure"]["comparison"] == {"left": sides[0], "right": sides[1]}
    assert run("math/passes")["testPassed"] is True
    assert run("throws")["location"]["line"] == line_of(source, "throw ")
