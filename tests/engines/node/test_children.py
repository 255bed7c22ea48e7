"""Worker threads and child processes are threads of the same connection."""

import pytest
from dap import line_of

pytestmark = pytest.mark.live


async def test_breakpoints_stop_in_workers_and_in_children(node, js):
    boss = js("boss.mjs")
    wanted = [{"line": line_of(boss, "// IN CHILD")}, {"line": line_of(boss, "// IN WORKER")}]
    await node.begin(program=boss, breakpoints={boss: wanted})
    first = await node.stopped(seconds=20)
    assert first["frame"]["line"] == line_of(boss, "// IN WORKER") and first["allThreadsStopped"] is False
    threads = {t["id"]: t["name"] for t in (await node.ask("threads"))["threads"]}
    assert threads[first["threadId"]].startswith("worker") and "boss.mjs" in threads.values()
    await node.ask("next", threadId=first["threadId"])
    step = await node.stopped()
    assert (await node.locals(step["frame"]["id"]))["inner"] == "'worker thread'"
    await node.ask("continue", threadId=first["threadId"])
    for word in ("spawned", "forked"):
        child = await node.stopped(seconds=20)
        assert child["frame"]["line"] == line_of(boss, "// IN CHILD")
        names = {t["id"]: t["name"] for t in (await node.ask("threads"))["threads"]}
        assert names[child["threadId"]].startswith("child ") and "boss.mjs" in names[child["threadId"]]
        assert await node.evaluate("process.argv[3]", child["frame"]["id"]) == f"'{word}'"
        await node.ask("continue", threadId=child["threadId"])
    assert (await node.ended_with(seconds=20))["exitCode"] == 0
    assert "from worker thread" in node.output("stdout") and "forked ended 0" in node.output("stdout")
    assert sum(m.event == "exited" for m in node.log) == 1


async def test_children_can_be_left_alone(node, js):
    boss = js("boss.mjs")
    wanted = [{"line": line_of(boss, "// IN CHILD")}]
    await node.begin(program=boss, breakpoints={boss: wanted}, autoAttachChildProcesses=False)
    assert (await node.ended_with(seconds=20))["exitCode"] == 0
    assert 'and child spawned ""' in node.output("stdout")


async def test_a_package_runner_is_not_debugged_but_what_it_runs_is(node, js):
    js("cart.js")
    (js.folder / "package.json").write_text('{"name": "x", "scripts": {"go": "node cart.js"}}')
    cart = str(js.folder / "cart.js")
    await node.begin(
        runtimeExecutable="npm",
        runtimeArgs=["run", "--silent", "go"],
        cwd=str(js.folder),
        breakpoints={cart: [{"line": line_of(cart, "return sum;")}]},
    )
    stop = await node.stopped(seconds=30)
    assert stop["frame"]["name"] == "cartTotal"
    await node.ask("continue", threadId=stop["threadId"])
    assert (await node.ended_with(seconds=30))["exitCode"] == 0


async def test_what_an_npm_script_runs_is_debugged_and_not_npm_itself(node, js):
    js("cart.js")
    cart = str(js.folder / "cart.js")
    (js.folder / "package.json").write_text('{"scripts": {"go": "node cart.js && node cart.js"}}')
    wanted = {cart: [{"line": line_of(cart, "return sum;")}]}
    npm = {"runtimeExecutable": "npm", "runtimeArgs": ["run", "go"], "cwd": str(js.folder)}
    await node.begin(breakpoints=wanted, stopOnEntry=True, **npm)
    entry = await node.stopped(seconds=30)
    assert (entry["reason"], entry["frame"]["source"]["path"]) == ("entry", cart)
    for _ in range(2):
        await node.ask("continue", threadId=entry["threadId"])
        entry = await node.stopped(seconds=30)
        assert (entry["reason"], entry["frame"]["name"]) == ("breakpoint", "cartTotal")
    await node.ask("continue", threadId=entry["threadId"])
    assert (await node.ended_with(seconds=30))["exitCode"] == 0
