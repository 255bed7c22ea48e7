"""Joining programs that run already, and leaving them running."""

import asyncio
import contextlib
import os
import re

import pytest
from dap import Refused

pytestmark = pytest.mark.live
TICKS = "let n = 0;\nsetInterval(() => {\n  n += 1;\n  console.log('tick', n); // TICK\n}, 20);\n"


@contextlib.asynccontextmanager
async def program(js, *options, text=TICKS):
    file = js.folder / "ticks.js"
    file.write_text(text)
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec("node", *options, str(file), stdin=pipe, stdout=pipe, stderr=pipe)
    process.file = str(file)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        process._transport.close()


async def port_of(process):
    async with asyncio.timeout(10):
        return int(re.search(rb":(\d+)/", await process.stderr.readline())[1])


async def alive(process):
    """It prints more from now on."""
    async with asyncio.timeout(10):
        while await process.stdout.read(1 << 16) == b"":
            raise AssertionError("the program has ended")


async def test_a_port_a_stop_and_a_detach_that_leaves_it_running(node, js):
    async with program(js, "--inspect=127.0.0.1:0") as ticks:
        port = await port_of(ticks)
        told = await node.begin("attach", port=port, breakpoints={ticks.file: [{"line": 4}]}, filters=[])
        assert told[ticks.file][0]["verified"]
        stop = await node.stopped()
        assert int(await node.evaluate("n", stop["frame"]["id"])) >= 1
        began = [m.body for m in node.log if m.event == "process"]
        assert began[0]["systemProcessId"] == ticks.pid and began[0]["startMethod"] == "attach"
        await node.ask("disconnect")
        await alive(ticks)
        await alive(ticks)


async def test_a_process_id_wakes_the_inspector(node, js):
    async with program(js) as ticks:
        await ticks.stdout.readline()
        await node.begin("attach", processId=ticks.pid, breakpoints={ticks.file: [{"line": 4}]}, filters=[])
        assert (await node.stopped())["frame"]["line"] == 4
        await node.ask("disconnect", terminateDebuggee=False)
        await alive(ticks)


async def test_stop_on_entry_pauses_what_was_attached_to(node, js):
    async with program(js, "--inspect=127.0.0.1:0") as ticks:
        await node.begin("attach", port=await port_of(ticks), stopOnEntry=True, filters=[])
        stop = await node.stopped()
        assert stop["reason"] == "entry" and stop["frame"]["source"]["path"] == ticks.file


async def test_a_program_that_waits_on_its_first_line_is_released(node, js):
    async with program(js, "--inspect-brk=127.0.0.1:0") as ticks:
        port = await port_of(ticks)
        await node.begin("attach", port=port, breakpoints={ticks.file: [{"line": 1}]}, filters=[])
        stop = await node.stopped()
        assert stop["frame"]["line"] == 1
        await node.ask("continue", threadId=stop["threadId"])
        await node.event("output", where=lambda body: "tick" in body["output"])


async def test_terminate_on_disconnect_ends_it(node, js):
    async with program(js, "--inspect=127.0.0.1:0") as ticks:
        await node.begin("attach", port=await port_of(ticks), filters=[])
        await node.ask("disconnect", terminateDebuggee=True)
        async with asyncio.timeout(5):
            assert await ticks.wait() == -15


async def test_the_end_of_an_attached_program_is_told_without_an_exit_code(node, js):
    async with program(js, "--inspect=127.0.0.1:0", text="process.stdin.resume();\n") as ticks:
        await node.begin("attach", port=await port_of(ticks), filters=[])
        ticks.stdin.close()
        await node.event("terminated")
        assert not [m for m in node.log if m.event == "exited"]


async def test_why_an_attach_fails_is_told(node, js):
    with pytest.raises(Refused, match="nobody listens on 127.0.0.1:1"):
        await node.begin("attach", port=1)
    with pytest.raises(Refused, match="what to attach to"):
        await node.ask("attach")
    with pytest.raises(Refused, match="not node"):
        await node.ask("attach", processId=os.getpid())


@pytest.mark.parametrize("reply", [b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", b"SSH-2.0-x\r\n", b""])
async def test_a_port_that_answers_something_else_is_told(node, reply):
    async def serve(reader, writer):
        writer.write(reply)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        with pytest.raises(Refused, match="another protocol"):
            await node.begin("attach", port=server.sockets[0].getsockname()[1], timeout=2000)


async def test_a_taken_inspector_port_is_told(node, js):
    """SIGUSR1 opens port 9229 alone: whoever holds it keeps the second inspector from opening."""
    holder = await asyncio.start_server(lambda r, w: w.close(), "127.0.0.1", 9229)
    async with holder, program(js) as ticks:
        await ticks.stdout.readline()
        with pytest.raises(Refused, match="9229 may be taken"):
            await node.begin("attach", processId=ticks.pid, timeout=1500)
        await alive(ticks)


async def test_a_second_engine_sees_what_the_first_let_go(node, js):
    async with program(js, "--inspect=127.0.0.1:0") as ticks:
        port = await port_of(ticks)
        await node.begin("attach", port=port, breakpoints={ticks.file: [{"line": 4}]}, filters=[])
        await node.stopped()
        node.process.kill()
        async with asyncio.timeout(5):
            await node.process.wait()
        await alive(ticks)
        await alive(ticks)
