"""Beginning and ending a program, for real."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import dap
import pytest
from jvm_programs import ENGINE

pytestmark = pytest.mark.live


def launch(tour, *args, **more):
    return {"mainClass": "tour.Tour", "classpath": [tour.classes], "args": list(args), **more}


async def test_the_exit_code_is_the_programs(client, tour):
    await client.begin(**launch(tour, "exit"))
    assert (await client.ended_with())["exitCode"] == 7


async def test_a_death_by_signal_is_told_by_its_name_and_without_a_code(client, tour):
    await client.begin(**launch(tour, "sleep"))
    process = await client.event("process")
    await client.event("output", where=lambda body: "sleeping" in body["output"])
    os.kill(process["systemProcessId"], signal.SIGKILL)
    gone = await client.ended_with()
    assert gone["signal"] == "SIGKILL" and "exitCode" not in gone


async def test_output_input_folder_and_environment_reach_the_program(client, tour, tmp_path):
    await client.begin(**launch(tour, "env", env={"TOUR": "yes"}, cwd=str(tmp_path)))
    await client.ended_with()
    assert client.output("stdout").strip() == f"yes {tmp_path}"


async def test_the_input_is_fed_by_request(client, tour):
    await client.begin(**launch(tour, "echo"))
    await client.ask("dapwright/input", text="Zoë\n", close=True)
    await client.ended_with()
    assert "got Zo" in client.output("stdout")


async def test_stop_on_entry_stands_in_main(client, tour):
    await client.begin(**launch(tour, "loop", "3", stopOnEntry=True))
    stop = await client.stopped()
    assert stop["reason"] == "entry" and stop["frame"]["name"] == "Tour.main"
    await client.ask("continue", threadId=stop["threadId"])
    assert (await client.ended_with())["exitCode"] == 0


async def test_a_jar_runs_and_its_manifest_names_the_entry(client, tour, tmp_path):
    jar = tmp_path / "tour.jar"
    subprocess.run(["jar", "cfe", str(jar), "tour.Tour", "-C", tour.classes, "."], check=True)
    await client.begin(jar=str(jar), args=["exit"], stopOnEntry=True)
    stop = await client.stopped()
    assert stop["reason"] == "entry"
    await client.ask("continue", threadId=stop["threadId"])
    assert (await client.ended_with())["exitCode"] == 7


async def test_a_jvm_that_refuses_its_arguments_is_told_in_its_own_words(client, tour):
    with pytest.raises(dap.Refused, match="Unrecognized"):
        await client.begin(**launch(tour, vmArgs=["-XX:NoSuchFlag"]))


async def test_a_missing_java_is_told_with_what_to_install(client, tour):
    with pytest.raises(dap.Refused, match="cannot be started") as refused:
        await client.begin(**launch(tour, javaPath="/nowhere/java"))
    assert "install" in refused.value.body["hint"]


async def test_a_missing_main_class_ends_with_its_message(client, tour):
    await client.begin(mainClass="tour.Nowhere", classpath=[tour.classes])
    assert (await client.ended_with())["exitCode"] == 1
    assert "ClassNotFoundException" in client.output("stderr")


async def test_terminate_runs_shutdown_and_ends_a_paused_program(client, tour):
    await client.begin(**launch(tour, "sleep"), breakpoints=tour.at("// sleep"))
    await client.stopped()
    await client.ask("terminate")
    assert (await client.ended_with())["exitCode"] == 143


async def test_disconnect_kills_what_was_launched(client, tour):
    await client.begin(**launch(tour, "sleep"), breakpoints=tour.at("// sleep"))
    pid = (await client.event("process"))["systemProcessId"]
    await client.stopped()
    await client.ask("disconnect")
    await client.process.wait()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
async def test_a_program_dies_with_an_engine_that_is_killed(client, tour):
    await client.begin(**launch(tour, "sleep"), breakpoints=tour.at("// sleep"))
    pid = (await client.event("process"))["systemProcessId"]
    await client.stopped()
    client.process.kill()
    await client.process.wait()
    for _ in range(500):
        if not alive(pid):
            return
        await asyncio.to_thread(subprocess.run, ["sleep", "0.01"], check=True)
    os.kill(pid, signal.SIGKILL)
    raise AssertionError("the program outlived its engine")


def alive(pid):
    """Tell whether a process runs; one that nobody waited for does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def target(tour):
    """Start the fixture listening for a debugger; killed at the end."""
    started = []

    def start(*args, suspend):
        port = free_port()
        agent = f"-agentlib:jdwp=transport=dt_socket,server=y,suspend={suspend},address=127.0.0.1:{port}"
        argv = ["java", agent, "-cp", tour.classes, "tour.Tour", *args]
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert "Listening" in process.stdout.readline()
        return process, port

    yield start
    for process in started:
        process.kill()
        process.communicate()


async def test_attach_to_a_suspended_program_stands_at_its_start_and_detach_lets_it_run(client, tour, target):
    process, port = target("loop", "4", suspend="y")
    await client.begin("attach", port=port, stopOnEntry=True, breakpoints=tour.at("// loop body"))
    entry = await client.event("stopped")
    assert entry["reason"] == "entry"
    await client.ask("continue", threadId=entry["threadId"])
    stop = await client.stopped()
    assert stop["frame"]["line"] == tour.line("// loop body")
    await client.ask("disconnect")
    assert process.communicate(timeout=10)[0].splitlines().count("6") == 1 and process.returncode == 0


async def test_attach_to_a_running_program_pauses_it_and_leaves_it_running(client, tour, target):
    process, port = target("sleep", suspend="n")
    await client.begin("attach", port=port, stopOnEntry=True)
    stop = await client.event("stopped")
    assert stop["reason"] == "pause" and stop["allThreadsStopped"]
    await client.ask("disconnect")
    async with dap.engine(*ENGINE) as again:
        await again.begin("attach", port=port, breakpoints=tour.at("// sleep"))
        stop = await again.stopped()
        first = int(await again.evaluate("counter", stop["frame"]["id"]))
        await again.ask("continue", threadId=stop["threadId"])
        stop = await again.stopped()
        assert int(await again.evaluate("counter", stop["frame"]["id"])) == first + 1
    assert process.poll() is None


async def test_a_suspended_program_whose_engine_vanished_runs_on(client, tour, target):
    process, port = target("sleep", suspend="n")
    await client.begin("attach", port=port, breakpoints=tour.at("// sleep"))
    await client.stopped()
    client.process.kill()
    await client.process.wait()
    async with dap.engine(*ENGINE) as again:
        await again.begin("attach", port=port, breakpoints=tour.at("// sleep"))
        await again.stopped()
    assert process.poll() is None


async def test_attaching_where_nothing_listens_is_told(client):
    with pytest.raises(dap.Refused, match="nothing answers"):
        await client.begin("attach", port=free_port())


async def test_attaching_to_another_protocol_is_told(client):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(5)
        await client.initialize()
        answer = client.send("attach", port=server.getsockname()[1])
        link, _ = server.accept()
        link.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        message = await answer
        link.close()
    assert not message.success and "does not speak JDWP" in message.message
