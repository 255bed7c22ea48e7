"""Case C55: an adapter of the user's own that misbehaves in the handshake, as a process."""

import sys
import time

import pytest
from places import CASES
from processes import Server, below, command_of

pytestmark = pytest.mark.live
MODES = (
    "exit stderr_exit silent launch_fail late_initialized event_first garbage_first split out_of_order bad_json "
    "huge slow launch_never"
).split()


@pytest.fixture
def server(tmp_path):
    script = CASES / "C55" / "fake_adapter.py"
    described = "".join(
        f'[adapters.{mode}]\nextensions = [".{mode}"]\ncommand = ["{sys.executable}", "{script}", "{mode}"]\n'
        f'launch = {{ program = "{{program}}" }}\n'
        for mode in MODES
    )
    (tmp_path / "dapwright").mkdir()
    (tmp_path / "dapwright" / "config.toml").write_text(described)
    one = Server(env={"XDG_CONFIG_HOME": str(tmp_path)})
    yield one
    one.kill()


def _started(server, folder, mode):
    program = folder / f"main.{mode}"
    program.write_text("main\n")
    asked = {"language": mode, "scriptPath": str(program), "wait": 20}
    id = server.start("tools/call", {"name": "start_debugging", "arguments": asked})
    return server.answer(id, 55)["result"]["structuredContent"]


def _nothing_is_left(server):
    for row in server.ok("list_debug_sessions").get("sessions", []):
        server.ok("close_debug_session", sessionId=row["id"])
    assert not [pid for pid in below(server.process.pid) if "fake_adapter" in command_of(pid)]


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("exit", ""),
        ("stderr_exit", "cannot find libfoo.so.3"),
        ("launch_fail", "program 'x' is not executable: bad magic 0x7f"),
        ("bad_json", "no JSON"),
        ("silent", "did not answer `initialize`"),
    ],
)
def test_what_cannot_begin_is_an_error_in_bounded_time(server, tmp_path, mode, words):
    began = time.monotonic()
    told = _started(server, tmp_path, mode)
    assert told["success"] is False and told["code"] in ("protocol", "adapter"), told
    assert words in told["error"] + told.get("hint", ""), told
    assert time.monotonic() - began < (48 if mode == "silent" else 15)
    _nothing_is_left(server)


@pytest.mark.parametrize(
    "mode",
    ["late_initialized", "event_first", "garbage_first", "split", "out_of_order", "huge", "slow", "launch_never"],
)
def test_what_is_only_odd_works(server, tmp_path, mode):
    told = _started(server, tmp_path, mode)
    assert told["success"] and told["state"] == "paused", told
    assert told["lastStop"]["reason"] == "breakpoint"
    if mode == "huge":
        asked = {"name": "get_local_variables", "arguments": {}}
        result = server.answer(server.start("tools/call", asked), 50)["result"]
        assert result["structuredContent"]["truncation"] and len(str(result)) < 600_000
    _nothing_is_left(server)
