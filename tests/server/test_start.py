"""Clients drop a server that is slow to answer first: the start is measured."""

import os
import time
from pathlib import Path

import pytest
from pipe import Pipe

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


def begin():
    """Wall seconds, processor seconds and megabytes of a server that has just told its tools."""
    began = time.perf_counter()
    pipe = Pipe("real_server.py")
    tools = pipe.ask("tools/list")["result"]["tools"]
    wall = time.perf_counter() - began
    place = Path(f"/proc/{pipe.process.pid}")
    user, system = place.joinpath("stat").read_text().rpartition(")")[2].split()[11:13]
    memory = int(place.joinpath("status").read_text().split("VmRSS:")[1].split()[0]) / 1024
    pipe.kill()
    assert len(tools) > 30
    return wall, (int(user) + int(system)) / os.sysconf("SC_CLK_TCK"), memory


def test_the_tools_are_told_within_250_ms_of_processor_and_in_under_40_mb():
    runs = [begin() for _ in range(3)]
    print([f"{wall * 1000:.0f} ms, {cpu * 1000:.0f} ms of processor, {memory:.0f} MB" for wall, cpu, memory in runs])
    assert min(cpu for _, cpu, _ in runs) < 0.25 and min(memory for *_, memory in runs) < 40
