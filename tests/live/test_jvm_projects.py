"""Projects of several modules and languages, built by their own tool and debugged, for real."""

import shutil
from pathlib import Path

import pytest

from live.served import values

pytestmark = [pytest.mark.live, pytest.mark.needs("javac", "mvn"), pytest.mark.timeout(180)]
FIXTURE = Path(__file__).parent.parent / "fixtures" / "maven_kotlin"
PLUGIN = Path.home() / ".m2/repository/org/jetbrains/kotlin/kotlin-maven-plugin/2.4.20/kotlin-maven-plugin-2.4.20.jar"


@pytest.mark.skipif(not PLUGIN.is_file(), reason="Kotlin's plugin for Maven is not here: scripts/toolchains.sh kotlin")
def test_a_kotlin_test_in_one_module_is_debugged_into_java_of_another(served, tmp_path):
    shutil.copytree(FIXTURE, tmp_path, dirs_exist_ok=True)
    fence = str(tmp_path / "core" / "src" / "main" / "java" / "demo" / "core" / "Fence.java")
    stop = served.ok(
        "debug_test", test="GardenTest#a long fence has one post more", language="kotlin", cwd=str(tmp_path),
        breakpoints=[{"file": fence, "statement": "return sections;"}],
    )  # fmt: skip
    assert stop["location"]["file"] == fence and values(stop)["sections"] == "3", stop
    assert [frame["name"] for frame in stop["stack"]][:2] == [
        "Garden.getCost",
        "GardenTest.a long fence has one post more",
    ]
    stop = served.go(stop)
    assert stop["content"] == "assertEquals(28, cost)" and values(stop)["cost"] == "21", stop
    assert "expected: <28> but was: <21>" in stop["lastStop"]["description"]
    told = served.ok("evaluate_expression", sessionId=stop["sessionId"], expression="garden.cost + garden.fence.length")
    assert told["result"] == "27", "a getter by its property's name, a private field of another module"
