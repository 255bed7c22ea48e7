"""What others made to judge a server: the official conformance suite, and the Inspector's command line."""

import json
import subprocess
import sys
import threading

import pytest
import toolchains
from bridge import serve
from doorkeeper import open_door
from pipe import HERE
from web_site import Site, free_port

pytestmark = pytest.mark.live
SCENARIOS = ["server-initialize", "ping", "logging-set-level", "tools-list", "resources-list", "prompts-list"]
"""The others call tools and read resources of the suite's own example server."""


def _run(name, *arguments, seconds=60):
    command = str(toolchains.NODE_MODULES / ".bin" / name)
    return subprocess.run([command, *arguments], capture_output=True, text=True, timeout=seconds)


@pytest.fixture(scope="module")
def url():
    http, pipe = serve()
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{http.server_address[1]}/mcp"
    http.shutdown()
    http.server_close()
    pipe.kill()


@pytest.mark.needs("conformance")
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_official_suite_finds_nothing(url, scenario):
    ran = _run("conformance", "server", "--url", url, "--scenario", scenario)
    said = ran.stdout + ran.stderr
    assert ran.returncode == 0 and "0 failed, 0 warnings" in said and "Passed: 0/0" not in said, said


@pytest.fixture(scope="module")
def door(tmp_path_factory):
    """The HTTP server itself, its door held open for a suite that has no token to show."""
    folder = tmp_path_factory.mktemp("conformance")
    site = Site(folder, folder / "run", free_port())
    opened = open_door(site)
    yield f"http://127.0.0.1:{opened.server_address[1]}/mcp"
    opened.shutdown()
    opened.server_close()
    site.stop()


@pytest.mark.needs("conformance")
@pytest.mark.parametrize("scenario", [*SCENARIOS, "server-sse-multiple-streams", "dns-rebinding-protection"])
def test_the_official_suite_finds_nothing_over_http(door, scenario):
    ran = _run("conformance", "server", "--url", door, "--scenario", scenario)
    said = ran.stdout + ran.stderr
    assert ran.returncode == 0 and "0 failed, 0 warnings" in said and "Passed: 0/0" not in said, said


@pytest.mark.needs("mcp-inspector")
def test_the_inspector_lists_and_calls_the_tools(tmp_path):
    server = (sys.executable, str(HERE / "serve.py"))
    ran = _run("mcp-inspector", "--cli", *server, "--method", "tools/list")
    assert len(json.loads(ran.stdout)["tools"]) > 20, ran.stderr
    script = tmp_path / "x.mock"
    script.write_text("x = 41\nprint {x}\n")
    call = ("--method", "tools/call", "--tool-name", "start_debugging")
    ran = _run("mcp-inspector", "--cli", *server, *call, "--tool-arg", f"scriptPath={script}")
    told = json.loads(ran.stdout)["structuredContent"]
    assert told["state"] == "stopped" and told["exitCode"] == 0, told
