"""Projects of CMake, Make and Meson, from their own folders and from build folders, with their real tools."""

import os
import shutil
import subprocess

import pytest
from dap import line_of

from dapwright.adapters import _gdb
from dapwright.host import machine
from live.served import values

pytestmark = [
    pytest.mark.live,
    pytest.mark.needs("g++"),
    pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="there is no gdb beside our interpreter"),
]
DESCRIPTION = {"cmake": "CMakeLists.txt", "make": "Makefile", "meson": "meson.build"}
TOOLS = [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("cmake", "meson")]


@pytest.fixture
def project(program, tmp_path):
    def make(tool):
        """The project with the description of one build system alone, in a folder with a space and an umlaut."""
        folder = tmp_path / "my größe"
        shutil.copytree(program("native/project"), folder)
        for other in DESCRIPTION.values():
            if other != DESCRIPTION[tool]:
                (folder / other).unlink()
        return folder

    return make


def stopped_in_helper(served, folder, source):
    stop = served.run("cpp", {"file": str(source), "statement": "return doubled;"}, scriptPath=str(folder))
    assert values(stop) == {"x": "1", "doubled": "2"} and stop["location"]["file"] == str(source)
    return stop


@pytest.mark.parametrize("tool", [*TOOLS, "make"])
def test_a_projects_folder_is_built_and_its_program_debugged(served, project, tool):
    folder = project(tool)
    script = folder / "configure"  # executable, and no program
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    stop = stopped_in_helper(served, folder, folder / "helper.cpp")
    assert f"built with {tool}" in stop["note"]
    assert served.go(stop)["exitCode"] == 0


@pytest.mark.parametrize(("tool", "build"), [(TOOLS[0].values[0], "build"), (TOOLS[1].values[0], "builddir")])
def test_a_build_folder_is_brought_up_to_date(served, project, tool, build):
    folder = project(tool)
    words = {"cmake": ["cmake", "-S", folder, "-B", folder / build, "-DCMAKE_BUILD_TYPE=Debug"]}
    words["meson"] = ["meson", "setup", folder / build, folder]
    subprocess.run(words[tool], check=True, capture_output=True)
    stop = stopped_in_helper(served, folder / build, folder / "helper.cpp")
    assert str(folder / build) in stop["note"]
    served.ok("close_debug_session", sessionId=stop["sessionId"])
    source = folder / "helper.cpp"
    source.write_text(source.read_text().replace("x * 2", "x * 50"))
    stop = served.run("cpp", {"file": str(source), "statement": "return doubled;"}, scriptPath=str(folder / build))
    assert values(stop)["doubled"] == "50" and "stale" not in stop.get("warning", "")


@pytest.mark.parametrize("tool", [*TOOLS, "make"])
def test_a_build_that_fails_answers_with_the_compilers_words(served, project, tool):
    folder = project(tool)
    (folder / "helper.cpp").write_text("int helper(int x) {\n    return nope * 2;\n}\n")
    session = served.ok("create_debug_session", language="cpp")["sessionId"]
    told = served.call("start_debugging", sessionId=session, scriptPath=str(folder), wait=40)
    assert told["code"] == "build" and "helper.cpp:2:12: error" in told["error"]


def test_one_file_of_a_project_is_told_to_be_built_as_the_project(served, project):
    folder = project("make")
    session = served.ok("create_debug_session", language="cpp")["sessionId"]
    told = served.call("start_debugging", sessionId=session, scriptPath=str(folder / "main.cpp"), wait=40)
    assert told["code"] == "build" and f"pass `{folder}` as scriptPath" in told["hint"]


def test_a_program_older_than_its_source_and_an_optimised_one_are_told(served, project):
    folder = project("make")
    subprocess.run(["make", "-C", folder, "CXX=g++ -O2"], check=True, capture_output=True)
    source = folder / "helper.cpp"
    later = os.stat(folder / "app").st_mtime + 60
    os.utime(source, (later, later))
    place = {"file": str(source), "line": line_of(source, "return doubled;")}
    stop = served.run("cpp", place, program=str(folder / "app"))
    assert "stale build" in stop["warning"] and "helper.cpp" in stop["warning"]
    assert "compiled with `-O2`" in stop["warning"]
