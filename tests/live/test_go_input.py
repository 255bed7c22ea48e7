"""What a Go program reads: standard input is ours to feed, and to end."""

import pytest

from live.driver import driver

pytestmark = [pytest.mark.live, pytest.mark.needs("go")]

READER = """package main

import (
	"fmt"
	"io"
	"os"
)

func main() {
	all, err := io.ReadAll(os.Stdin)
	fmt.Println("read", len(all), err)
	os.Exit(7)
}
"""


async def test_input_is_fed_whole_and_ended_in_each_run(tmp_path):
    source = tmp_path / "main.go"
    source.write_text(READER)
    async with driver() as made:
        stop = await made.call(
            "start_debugging",
            language="go",
            scriptPath=str(source),
            wait=40,
            breakpoints=[{"file": str(source), "statement": "all, err :="}],
        )
        for _ in range(2):
            while stop["state"] == "starting":
                stop = await made.call("wait_for_stop", timeout=44_000)
            assert stop["state"] == "paused"
            await made.call("continue_execution")
            for _ in range(3):
                await made.call("send_input", text="x" * 100_000)  # more than a pipe holds
            await made.call("send_input", text="y\n", close=True)
            assert not (await made.call("send_input", text="late"))["success"]
            end = await made.call("wait_for_stop", timeout=20_000)
            assert end["exitCode"] == 7 and "read 300002 <nil>" in end["output"]
            stop = await made.call("restart_debugging", wait=40)
