"""Where Go's sources may stand: vendored beside the program, or in the module cache."""

import shutil
import subprocess

import places
import pytest

from live.driver import driver

pytestmark = [pytest.mark.live, pytest.mark.needs("go")]

DEPENDENCY = "package dep\n\nfunc Twice(n int) int {\n\tdoubled := n * 2\n\treturn doubled\n}\n"
MAIN = 'package main\n\nimport (\n\t"fmt"\n\n\t"example.com/dep"\n)\n\nfunc main() {\n\tfmt.Println(dep.Twice(21))\n}\n'


async def test_a_statement_of_a_vendored_package_stops(tmp_path):
    module = "module example.com/app\n\ngo 1.21\n\nrequire example.com/dep v1.0.0\n"
    vendored = tmp_path / "vendor" / "example.com" / "dep"
    vendored.mkdir(parents=True)
    (tmp_path / "go.mod").write_text(module)
    (tmp_path / "main.go").write_text(MAIN)
    (vendored / "dep.go").write_text(DEPENDENCY)
    (tmp_path / "vendor" / "modules.txt").write_text("# example.com/dep v1.0.0\n## explicit\nexample.com/dep\n")
    place = {"file": str(vendored / "dep.go"), "statement": "return doubled"}
    async with driver() as go:
        stop = await go.ok("start_debugging", language="go", scriptPath=str(tmp_path), wait=40, breakpoints=[place])
        while stop["state"] == "starting":
            stop = await go.ok("wait_for_stop", timeout=44_000)
        assert stop["state"] == "paused" and stop["location"]["file"] == place["file"]
        assert {"name": "doubled", "value": "42", "type": "int"} in stop["locals"]


async def test_a_statement_of_a_package_in_the_module_cache_stops(tmp_path):
    shutil.copytree(places.FIXTURES / "go" / "asserted", tmp_path, dirs_exist_ok=True)
    asked = ["go", "list", "-m", "-f", "{{.Dir}}", "github.com/stretchr/testify"]
    subprocess.run(["go", "mod", "download"], cwd=tmp_path, capture_output=True, timeout=60)
    told = subprocess.run(asked, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    if not told.stdout.strip():
        pytest.skip(f"testify cannot be fetched: {told.stderr[-200:]}")
    (tmp_path / "cmd").mkdir()
    (tmp_path / "cmd" / "main.go").write_text(
        'package main\n\nimport (\n\t"fmt"\n\n\t"github.com/stretchr/testify/assert"\n)\n\nfunc main() {\n'
        "\tfmt.Println(assert.ObjectsAreEqual(4, 5))\n}\n"
    )
    place = {"file": f"{told.stdout.strip()}/assert/assertions.go", "function": "ObjectsAreEqual"}
    statement = {**place, "statement": "exp, ok := expected.([]byte)"}
    async with driver() as go:
        stop = await go.ok(
            "start_debugging", language="go", scriptPath=str(tmp_path / "cmd"), wait=40, breakpoints=[statement]
        )
        while stop["state"] == "starting":
            stop = await go.ok("wait_for_stop", timeout=44_000)
        assert stop["state"] == "paused" and stop["location"]["file"] == place["file"]
        shown = {each["name"]: each["value"] for each in stop["locals"]}
        assert "4" in shown["expected"] and "5" in shown["actual"]
