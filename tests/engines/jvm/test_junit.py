"""A failing test is stopped at, though its runner catches the failure, for real."""

import shutil
import subprocess
from pathlib import Path

import dap
import pytest
from jvm_programs import FIXTURES

pytestmark = [pytest.mark.live, pytest.mark.needs("javac", "junit5")]

JARS = sorted(
    str(jar)
    for pattern in ("junit-jupiter*.jar", "junit-platform-*.jar", "opentest4j*.jar", "apiguardian*.jar", "picocli.jar")
    for jar in Path("/usr/share/java").glob(pattern)
    if not any(word in jar.name for word in ("standalone", "runner", "vintage")) and "-5." not in jar.name
)
JARS += ["/usr/share/java/univocity-parsers.jar"]


async def test_only_the_failure_that_the_program_does_not_catch_is_stopped_at(client, tmp_path):
    source = tmp_path / "FenceTest.java"
    shutil.copy(FIXTURES / source.name, source)
    path = ":".join(JARS)
    subprocess.run(["javac", "-g", "-cp", path, "-d", str(tmp_path / "classes"), str(source)], check=True)
    await client.begin(
        mainClass="org.junit.platform.console.ConsoleLauncher", classpath=[str(tmp_path / "classes"), *JARS],
        args=["--select-class=FenceTest", "--disable-banner"], sourcePaths=[str(tmp_path)],
        filters=["unhandled", "uncaught"],
    )  # fmt: skip
    stop = await client.stopped(seconds=30)
    assert stop["reason"] == "exception" and stop["text"] == "org.opentest4j.AssertionFailedError"
    frames = (await client.ask("stackTrace", threadId=stop["threadId"]))["stackFrames"]
    assert [one["name"] for one in frames if one.get("presentationHint") != "subtle"] == ["FenceTest.longFence"]
    mine = next(frame for frame in frames if frame["name"] == "FenceTest.longFence")
    assert mine["line"] == dap.line_of(source, "// fails") and mine["source"]["path"] == str(source)
    assert (await client.locals(mine["id"]))["found"] == "3"
    info = await client.ask("exceptionInfo", threadId=stop["threadId"])
    assert info["description"] == "expected: <4> but was: <3>"
    await client.ask("continue", threadId=stop["threadId"])
    assert (await client.ended_with(seconds=30))["exitCode"] == 1, client.output()
    assert "1 tests failed" in " ".join(client.output("stdout").split())
