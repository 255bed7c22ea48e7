"""Changed classes in a running program, for real."""

import os
import subprocess
from pathlib import Path

import dap
import pytest

pytestmark = [pytest.mark.live, pytest.mark.needs("javac")]

LOOP = """public class Loop {
    static int step() {
        int by = 1;
        return by;
    }
    public static void main(String[] args) throws Exception {
        for (int n = 0; n < 100000; n += step()) Thread.sleep(5);
    }
}
"""


def compile_loop(folder: Path, text: str, ahead: float = 0) -> Path:
    """Write and compile the program; its class file is `ahead` seconds younger than now."""
    source, classes = folder / "Loop.java", folder / "classes"
    source.write_text(text)
    subprocess.run(["javac", "-g", "-d", str(classes), str(source)], check=True)
    made = classes / "Loop.class"
    stamp = made.stat().st_mtime + ahead
    os.utime(made, (stamp, stamp))
    return source


async def begin(client, folder, text=LOOP):
    source = compile_loop(folder, text, ahead=-10)
    at = [{"line": dap.line_of(source, "return by;")}]
    await client.begin(mainClass="Loop", classpath=[str(folder / "classes")], breakpoints={str(source): at})
    return source, await client.stopped()


async def test_new_code_runs_and_breakpoints_are_planted_again(client, tmp_path):
    source, stop = await begin(client, tmp_path)
    assert await client.evaluate("by", stop["frame"]["id"]) == "1"
    compile_loop(tmp_path, LOOP.replace("int by = 1;", "int by = 1;\n        by = 41 + by;"), ahead=5)
    told = await client.ask("dapwright/hotReload", classesDir=str(tmp_path / "classes"))
    assert told["redefined"] == ["Loop"] and told["failed"] == [] and told["newestTimestamp"] > 0
    line = dap.line_of(source, "return by;")
    await client.ask("setBreakpoints", source={"path": str(source)}, breakpoints=[{"line": line}])
    frames = (await client.ask("stackTrace", threadId=stop["threadId"]))["stackFrames"]
    assert "obsolete" in frames[0]["name"] or frames[0]["name"] == "Loop.step"
    if "obsolete" in frames[0]["name"]:
        assert "before the reload" in (await client.locals(frames[0]["id"]))["(locals)"]
    await client.ask("continue", threadId=stop["threadId"])
    again = await client.stopped()
    assert again["frame"]["line"] == line and await client.evaluate("by", again["frame"]["id"]) == "42"


async def test_what_the_jvm_refuses_is_told_with_its_reason_and_the_rest_goes_on(client, tmp_path):
    _, stop = await begin(client, tmp_path)
    compile_loop(tmp_path, LOOP.replace("static int step", "static int added;\n    static int step"), ahead=5)
    told = await client.ask("dapwright/hotReload", classesDir=str(tmp_path / "classes"))
    assert told["redefined"] == [] and told["failed"][0]["class"] == "Loop" and "field" in told["failed"][0]["reason"]
    await client.ask("continue", threadId=stop["threadId"])
    assert (await client.stopped())["frame"]["name"] == "Loop.step"


async def test_unchanged_classes_are_skipped(client, tmp_path):
    await begin(client, tmp_path)
    told = await client.ask("dapwright/hotReload", classesDir=str(tmp_path / "classes"))
    assert told["redefined"] == [] and told["skipped"] == 1
    told = await client.ask("dapwright/hotReload", classesDir=str(tmp_path / "classes"), sinceTimestamp=0)
    assert told["redefined"] == ["Loop"]


async def test_a_folder_is_needed(client, tmp_path):
    await begin(client, tmp_path)
    with pytest.raises(dap.Refused, match="no folder"):
        await client.ask("dapwright/hotReload", classesDir="/nowhere")
