"""PHP requests of a web server: we listen, and each one that comes with a trigger is debugged."""

import socket
import subprocess

import pytest

from live.driver import driver

pytestmark = [pytest.mark.live, pytest.mark.needs("php", "xdebug")]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def web(program):
    folder, port, debug = program("php"), free_port(), free_port()
    options = ["-dxdebug.mode=debug", "-dxdebug.start_with_request=trigger", f"-dxdebug.client_port={debug}"]
    argv = ["php", *options, "-S", f"127.0.0.1:{port}", "-t", str(folder)]
    server = subprocess.Popen(argv, stderr=subprocess.PIPE)
    try:
        server.stderr.readline()  # it says that it serves
        yield str(folder / "index.php"), f"http://127.0.0.1:{port}/", debug
    finally:
        server.kill()
        server.wait()
        server.stderr.close()


async def test_a_request_stops_is_looked_at_and_answers(web):
    file, url, debug = web
    async with driver() as d:
        attached = await d.ok("attach_to_process", language="php", port=debug, stopOnEntry=False)
        assert attached["state"] == "running" and "listening" in attached["note"]
        set_ = await d.ok("set_breakpoint", file=file, statement="return $text;")
        assert not set_["verified"] and "no PHP request" in set_["message"]
        trigger = {"http": f"{url}?who=tim&XDEBUG_TRIGGER=1"}
        stop = await d.ok("wait_for_stop", timeout=20_000, trigger=trigger)
        assert stop["state"] == "paused" and stop["content"] == "return $text;", stop
        assert await d.value("$text . '!'") == '"hello tim!"'
        assert "undefined function nope" in await d.refused("evaluate_expression", expression="strlen($text) + nope()")
        assert "no expression of PHP" in await d.refused("evaluate_expression", expression="$tex t")
        on = await d.ok("continue_execution", wait=2)
        assert on["state"] == "running" and on["triggerResult"]["body"] == "hello tim", on
        assert (await d.ok("list_breakpoints"))["breakpoints"][0]["verified"]
        assert "hello tim" in await d.printed("stdout")


async def test_what_listens_there_already_is_told(web):
    _, url, _ = web
    port = int(url.rsplit(":", 1)[1].strip("/"))
    async with driver() as d:
        said = await d.refused("attach_to_process", language="php", port=port, stopOnEntry=False)
        assert "cannot listen" in said and str(port) in said
