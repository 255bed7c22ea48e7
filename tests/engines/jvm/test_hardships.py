"""What goes wrong around a debugger: strangers on the port, a JVM that dies, floods, crowds, other JVMs."""

import asyncio
import os
import shutil
import signal
import subprocess
from pathlib import Path

import dap
import pytest
from jvm_programs import FIXTURES, build, compiled_kotlin, paused
from toolchains import needs

from dapwright.engines.jvm.program import Listener

pytestmark = pytest.mark.live
NEWEST = Path("/usr/lib/jvm/temurin-25-jdk-amd64/bin")


async def test_a_jvm_that_dies_in_the_middle_of_a_command_ends_the_session_honestly(tour):
    async with paused(tour, "// sleep", "sleep") as (engine, stop):
        pid = (await engine.event("process"))["systemProcessId"]
        slow = engine.send("evaluate", expression="Thread.sleep(60000)", frameId=stop["frame"]["id"], timeout=20000)
        await engine.ask("threads")
        os.kill(pid, signal.SIGKILL)
        answer = await slow
        assert not answer.success and "closed the connection" in answer.message or "broke" in answer.message
        assert (await engine.ended_with())["signal"] == "SIGKILL"
        with pytest.raises(dap.Refused, match="no program"):
            await engine.ask("threads")


async def test_strangers_on_the_port_are_turned_away_and_the_jvm_is_still_awaited():
    listener = Listener()
    await listener.open()
    host, port = listener.address.split(":")
    for words in (b"GET / HTTP/1.1\r\n\r\n", b"JDWP", b""):
        _, writer = await asyncio.open_connection(host, int(port))
        writer.write(words)
        writer.close()
    java = shutil.which("java")
    if java is None:
        await listener.close()
        pytest.skip("java is not installed")
    agent = f"-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address={listener.address}"
    process = await asyncio.create_subprocess_exec(java, agent, "-version", stderr=asyncio.subprocess.DEVNULL)
    link = await listener.connection(process.wait())
    assert link is not None and link.ended is None
    process.kill()
    await process.wait()
    link.close()
    await listener.close()
    process._transport.close()


async def test_a_class_loaded_by_two_loaders_stops_in_both(client, tmp_path):
    loaders = build("Loaders.java", tmp_path)
    await client.begin(
        mainClass="Loaders",
        classpath=[loaders.classes],
        args=[loaders.classes + "/"],
        breakpoints=loaders.at("// twin"),
    )
    for _ in range(2):
        stop = await client.stopped()
        assert stop["frame"]["name"] == "Loaders.Twin.run"
        await client.ask("continue", threadId=stop["threadId"])
    await client.ended_with()
    assert client.output("stdout").splitlines() == ["twin of false", "twin of true"]


async def test_ten_thousand_classes_and_a_hot_path_are_borne(client, tmp_path):
    many = build("Many.java", tmp_path)
    await client.begin(
        mainClass="Many", classpath=[many.classes], args=["10000"],
        breakpoints={many.source: [{"line": many.line("// end")}]},
    )  # fmt: skip
    stop = await client.stopped(seconds=30)
    told = await client.ask("setBreakpoints", source={"path": many.source}, breakpoints=[{"line": many.line("// hot")}])
    assert told["breakpoints"][0]["verified"]
    told = await client.ask("setFunctionBreakpoints", breakpoints=[{"name": "hot"}])
    assert told["breakpoints"][0]["verified"]
    assert await client.evaluate("all.size()", stop["frame"]["id"]) == "10000"


async def test_hits_of_a_hot_path_are_counted_by_the_jvm_itself(client, tmp_path):
    many = build("Many.java", tmp_path)
    await client.begin(
        mainClass="Many", classpath=[many.classes], args=["0"], breakpoints=many.at("// hot", hitCondition="%4000")
    )
    seen = []
    while (event := await client.event("stopped", "exited", seconds=60))["event"] == "stopped":
        frames = (await client.ask("stackTrace", threadId=event["threadId"]))["stackFrames"]
        seen.append(await client.evaluate("n", frames[0]["id"]))
        await client.ask("continue", threadId=event["threadId"])
    assert seen == ["3999", "7999", "11999", "15999", "19999"]


@pytest.mark.parametrize("policy", ["all", "thread"])
@pytest.mark.parametrize("move", ["continue", "next", "call"])
async def test_many_threads_at_one_breakpoint_are_told_one_by_one(client, tmp_path, policy, move):
    multi = build("Multi.java", tmp_path)
    await client.begin(
        mainClass="Multi", classpath=[multi.classes], breakpoints=multi.at("// here", suspendPolicy=policy)
    )
    seen, steps = [], 0
    while (event := await client.event("stopped", "exited"))["event"] == "stopped":
        thread = event["threadId"]
        if event["reason"] == "step":
            steps += 1
            await client.ask("continue", threadId=thread)
            continue
        frame = (await client.ask("stackTrace", threadId=thread, levels=1))["stackFrames"][0]["id"]
        seen.append(int(await client.evaluate("n", frame)))
        if move == "call":
            assert await client.evaluate("work(n) + 0", frame) == str(2 * seen[-1] + 1)
        await client.ask("next" if move == "next" else "continue", threadId=thread)
    assert sorted(seen) == [k * 100 + j for k in range(6) for j in range(10)]
    assert steps == (60 if move == "next" else 0) and event["exitCode"] == 0


async def test_the_newest_jdk_and_its_virtual_threads(client, tmp_path):
    if not (NEWEST / "javac").exists():
        pytest.skip("JDK 25 is not installed beside the default one")
    source = tmp_path / "Threads25.java"
    shutil.copy(FIXTURES / source.name, source)
    subprocess.run([NEWEST / "javac", "-g", "-d", tmp_path / "classes", source], check=True)
    await client.begin(
        mainClass="Threads25", classpath=[str(tmp_path / "classes")], javaPath=str(NEWEST / "java"),
        breakpoints={str(source): [{"line": dap.line_of(source, "// virtual")}]},
    )  # fmt: skip
    stop = await client.stopped()
    assert (await client.locals(stop["frame"]["id"]))["weight"] == "3"
    threads = (await client.ask("threads"))["threads"]
    assert {one["id"]: one["name"] for one in threads}[stop["threadId"]] == "light"
    assert await client.evaluate("weight * 14", stop["frame"]["id"]) == "42"
    squares = "java.util.stream.IntStream.range(0, weight).map(n -> n * n).sum()"
    assert await client.evaluate(squares, stop["frame"]["id"], seconds=30, timeout=20000) == "5"
    await client.ask("continue", threadId=stop["threadId"])
    await client.ended_with()
    assert client.output("stdout").splitlines() == ["weight 3", "end"]


GREET = """data class Guest(val name: String, val visits: Int)

inline fun twice(block: (Int) -> Unit) {
    block(1) // inlined
    block(2)
}

class Party {
    fun sum(list: List<Int>): Int {
        var total = 0
        list.forEach { item ->
            total += item // each
        }
        twice { n -> total += n }
        return total // sum
    }

    companion object {
        fun open() = "open" // companion
    }
}

fun main() {
    val guest = Guest("Mia", 2)
    println(guest.name) // main
    println(Party().sum(listOf(1, 2, 3)))
    println(Party.open())
}
"""


async def test_kotlin_lines_names_and_inlined_code_are_told_as_written(client, tmp_path):
    needs("kotlinc")
    source = tmp_path / "greet.kt"
    source.write_text(GREET)
    jar = await asyncio.to_thread(compiled_kotlin, source)
    marks = ("// main", "// each", "// inlined", "// sum", "// companion")
    lines = [dap.line_of(source, mark) for mark in marks]
    await client.begin(
        mainClass="GreetKt", classpath=[str(jar)],
        breakpoints={str(source): [{"line": line} for line in lines]},
    )  # fmt: skip
    seen = []
    while (event := await client.event("stopped", "exited", seconds=30))["event"] == "stopped":
        frame = (await client.ask("stackTrace", threadId=event["threadId"]))["stackFrames"][0]
        seen.append((frame["line"], frame["name"], await client.locals(frame["id"])))
        assert frame["source"]["path"] == str(source)
        await client.ask("continue", threadId=event["threadId"])
    assert [line for line, _, _ in seen] == [lines[0], *[lines[1]] * 3, lines[2], lines[3], lines[4]]
    assert seen[0][2]["guest"] == 'Guest {name="Mia", visits=2}'
    assert seen[1][2]["item"] == "1" and seen[2][2]["total"] == "1"
    assert seen[5][2]["total"] == "9" and seen[6][1] == "Party.Companion.open"


async def test_the_engine_ends_when_its_client_goes(tour):
    async with paused(tour, "// sleep", "sleep") as (engine, _):
        engine.process.stdin.close()
        assert await asyncio.wait_for(engine.process.wait(), 10) == 0
