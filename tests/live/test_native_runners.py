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
    end = served.go(stop)
    assert end["state"] == "stopped" and end["testPassed"] is False, end
    assert run("math/passes")["testPassed"] is True
    assert run("throws")["location"]["line"] == line_of(source, "throw ")


CTEST = """\
cmake_minimum_required(VERSION 3.10)
project(sums CXX)
set(CMAKE_BUILD_TYPE Debug)
enable_testing()
add_executable(doctests doctest/t.cpp)
add_executable(boosts boost/t.cpp)
add_test(NAME doctest.adds COMMAND doctests --test-case=adds*)
add_test(NAME boost.adds COMMAND boosts --run_test=math/adds)
"""


@pytest.mark.needs("cmake")
def test_both_are_run_by_their_names_in_ctest(served, tmp_path):
    for name in HEADERS:
        (tmp_path / name).mkdir()
        (tmp_path / name / "t.cpp").write_text((FIXTURES / "native" / name / "t.cpp").read_text())
    (tmp_path / "CMakeLists.txt").write_text(CTEST)
    subprocess.run(["cmake", "-S", ".", "-B", "build"], cwd=tmp_path, check=True, capture_output=True)
    subprocess.run(["cmake", "--build", "build"], cwd=tmp_path, check=True, capture_output=True)
    for name, said in (("doctest", "CHECK(total == 3)"), ("boost", "BOOST_TEST(total == 5)")):
        stop = served.settled(served.ok("debug_test", language="cpp", test=f"{name}.adds", cwd=str(tmp_path / "build")))
        assert stop["location"]["line"] == line_of(tmp_path / name / "t.cpp", said), stop
        assert stop["failure"]["comparison"] is not None
    again = served.settled(served.ok("restart_debugging", sessionId=stop["sessionId"], wait=40))
    assert again["failure"]["comparison"] == stop["failure"]["comparison"]
    assert served.go(again)["testPassed"] is False
