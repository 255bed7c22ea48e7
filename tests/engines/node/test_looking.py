"""Scopes, variables, evaluation: what a person sees, and that looking changes nothing."""

import asyncio
import json

import pytest
from dap import Refused, line_of

pytestmark = pytest.mark.live


async def stand(node, js, name="values.js", text="// LOOK", **launch):
    file = js(name)
    await node.begin(program=file, breakpoints={file: [{"line": line_of(file, text)}]}, **launch)
    return (await node.stopped())["frame"]["id"]


async def members(node, reference, **page):
    return (await node.ask("variables", variablesReference=reference, **page))["variables"]


async def first_scope(node, frame):
    scopes = (await node.ask("scopes", frameId=frame))["scopes"]
    return {v["name"]: v for v in await members(node, scopes[0]["variablesReference"])}


async def test_locals_are_blocks_and_function_merged_and_read_as_javascript(node, js):
    seen = {n: v["value"] for n, v in (await first_scope(node, await stand(node, js))).items()}
    assert seen["count"] == "'inner'" and seen["text"] == "'before'" and seen["nothing"] == "null"
    assert seen["big"].startswith("(100000) [0, 2, 4,") and seen["ages"].startswith("Map(3) {'ann' => 41, ")
    assert seen["seen"] == "Set(2) {'a', 'b'}" and seen["bytes"] == "Uint8Array(3) [1, 2, 255]"
    assert seen["point"] in ("Point {x: 3, y: 4}", "Point {#secret: 7, x: 3, y: 4}")
    assert seen["tag"] == "Symbol(tag)"
    assert seen["huge"] == "12345678901234567890n" and seen["failed"] == "RangeError: too far"
    assert seen["negative"] == "-0" and seen["words"] == "'it\\'s\\n\"quoted\"'" and seen["double"] == "(x) => …"
    assert "lazy" in seen and "(...)" in seen["lazy"]


async def test_scopes_are_local_then_module_and_the_global_object_is_expensive(node, js):
    frame = await stand(node, js)
    scopes = (await node.ask("scopes", frameId=frame))["scopes"]
    assert [s["name"] for s in scopes] == ["Local", "Module", "Global"]
    assert [s["expensive"] for s in scopes] == [False, False, True]
    names = {v["name"] for v in await members(node, scopes[1]["variablesReference"])}
    assert "touched" in names and "require" not in names


async def test_no_getter_runs_and_no_trap_unless_somebody_asks(node, js):
    frame = await stand(node, js)
    seen = await first_scope(node, frame)
    for variable in seen.values():
        if variable["variablesReference"]:
            await members(node, variable["variablesReference"], start=0, count=50)
    watched = await node.ask("evaluate", expression="watched", frameId=frame, context="watch")
    inside = await members(node, watched["variablesReference"])
    assert {v["name"] for v in inside} >= {"[[Target]]", "[[Handler]]"}
    assert await node.evaluate("touched", frame) == "0"
    lazy = {v["name"]: v for v in await members(node, seen["lazy"]["variablesReference"])}
    assert lazy["good"]["value"] == "(...)" and lazy["good"]["presentationHint"]["lazy"]
    assert [v["value"] for v in await members(node, lazy["good"]["variablesReference"])] == ["'asked'"]
    assert "getter throws" in (await members(node, lazy["bad"]["variablesReference"]))[0]["value"]
    assert await node.evaluate("touched", frame) == "1"


async def test_a_large_array_is_paged(node, js):
    frame = await stand(node, js)
    big = (await first_scope(node, frame))["big"]
    assert big["indexedVariables"] == 100000
    page = await members(node, big["variablesReference"], filter="indexed", start=99_990, count=5)
    assert [(v["name"], v["value"]) for v in page] == [(str(i), str(2 * i)) for i in range(99_990, 99_995)]
    assert [v["name"] for v in await members(node, big["variablesReference"], filter="named")] == ["length"]
    assert await members(node, big["variablesReference"], filter="indexed", start=100_000, count=5) == []
    mixed = await members(node, big["variablesReference"], start=99_999, count=5)
    assert [v["name"] for v in mixed] == ["99999", "length"]


async def test_maps_sets_typed_arrays_holes_and_private_members(node, js):
    seen = await first_scope(node, await stand(node, js))

    async def inside(name):
        return [(v["name"], v["value"]) for v in await members(node, seen[name]["variablesReference"])]

    assert (await inside("ages"))[0] == ("'ann'", "41") and ("3", "'three'") in await inside("ages")
    assert (await inside("seen"))[:2] == [("0", "'a'"), ("1", "'b'")]
    assert (await inside("bytes"))[:3] == [("0", "1"), ("1", "2"), ("2", "255")]
    assert (await inside("holes"))[:2] == [("0", "1"), ("2", "3")]
    assert ("#secret", "7") in await inside("point")
    assert ("cause", "TypeError: no number") in await inside("failed")
    lazy = await inside("lazy")
    assert ("Symbol(tag)", "1") in lazy and ("two words", "2") in lazy


async def test_evaluate_runs_expressions_and_statements_and_changes_the_program(node, js):
    frame = await stand(node, js)
    assert await node.evaluate("point.x + 1", frame) == "4"
    assert await node.evaluate("let a = 2; a * 3", frame) == "6"
    assert await node.evaluate("{a: 1}", frame) == "{a: 1}"
    assert await node.evaluate("text = 'changed'", frame) == "'changed'"
    assert await node.evaluate("await Promise.resolve(text) + '!'", frame) == "'changed!'"
    with pytest.raises(Refused, match="ReferenceError: nowhere is not defined"):
        await node.evaluate("nowhere", frame)
    with pytest.raises(Refused, match="boom"):
        await node.evaluate("await Promise.reject(new Error('boom'))", frame)
    with pytest.raises(Refused, match="SyntaxError"):
        await node.evaluate("1 +", frame)
    await node.ask("continue", threadId=1)
    assert (await node.ended_with())["exitCode"] == 0
    assert "after changed 1 0 object" in node.output("stdout")


async def test_a_watch_changes_nothing(node, js):
    frame = await stand(node, js)
    for more in ({"context": "watch"}, {"context": "hover"}, {"allowSideEffects": False}):
        arguments = {"context": "repl"} | more
        with pytest.raises(Refused, match="would change the program"):
            await node.ask("evaluate", expression="text = 'no'", frameId=frame, **arguments)
    assert await node.evaluate("text", frame) == "'before'"
    assert (await node.ask("evaluate", expression="point.x * 2", frameId=frame, context="watch"))["result"] == "6"


async def test_an_endless_evaluation_ends_at_its_limit_and_the_program_lives(node, js):
    frame = await stand(node, js)
    with pytest.raises(Refused, match="ran longer than 300 ms"):
        await node.evaluate("for(;;);", frame, timeout=300)
    assert await node.evaluate("1 + 1", frame) == "2"


async def test_setting_a_variable_answers_what_it_is_now(node, js):
    frame = await stand(node, js)
    scopes = (await node.ask("scopes", frameId=frame))["scopes"]
    local = scopes[0]["variablesReference"]
    changed = await node.ask("setVariable", variablesReference=local, name="text", value="'set' + 1")
    assert changed["value"] == "'set1'" and await node.evaluate("text", frame) == "'set1'"
    module = await node.ask(
        "setVariable", variablesReference=scopes[1]["variablesReference"], name="touched", value="9"
    )
    assert module["value"] == "9" and await node.evaluate("touched", frame) == "9"
    point = (await first_scope(node, frame))["point"]["variablesReference"]
    assert (await node.ask("setVariable", variablesReference=point, name="x", value="30"))["value"] == "30"
    with pytest.raises(Refused, match="no variable `nope`"):
        await node.ask("setVariable", variablesReference=local, name="nope", value="1")
    with pytest.raises(Refused, match="SyntaxError"):
        await node.ask("setVariable", variablesReference=local, name="text", value="1 +")


async def test_an_esm_variable_can_be_set(node, js):
    js("helper.mjs")
    frame = await stand(node, js, "module.mjs", "// AFTER AWAIT")
    scopes = (await node.ask("scopes", frameId=frame))["scopes"]
    assert scopes[0]["name"] == "Local"
    names = {v["name"] for v in await members(node, scopes[0]["variablesReference"])}
    assert {"total", "guarded"} <= names
    reference = scopes[0]["variablesReference"]
    assert (await node.ask("setVariable", variablesReference=reference, name="guarded", value="'x'"))["value"] == "'x'"
    after = {v["name"]: v["value"] for v in await members(node, reference)}
    assert after["guarded"] == "'x'" and after["total"] == "20"


async def test_references_of_an_earlier_stop_are_stale(node, js):
    frame = await stand(node, js)
    reference = (await node.ask("scopes", frameId=frame))["scopes"][0]["variablesReference"]
    await node.ask("next", threadId=1)
    await node.stopped()
    for request in ({"command": "scopes", "frameId": frame}, {"command": "variables", "variablesReference": reference}):
        with pytest.raises(Refused, match="earlier stop") as refused:
            await node.ask(**request)
        assert refused.value.body["code"] == "stale"


async def test_looking_at_giant_closures_stays_small(node, js):
    """Locals must not walk into 50,000 objects of the module, nor touch its getters and proxies."""
    file = js.folder / "closure.js"
    file.write_text(
        "const big = Array.from({ length: 50000 }, (_, i) => ({ id: i, pad: 'z'.repeat(100) }));\n"
        "const cyc = { name: 'cyc' }; cyc.self = cyc; cyc.big = big;\nlet touched = 0;\n"
        "const trap = { get lazy() { touched += 1; return 'ran'; } };\n"
        "const proxy = new Proxy({}, { get(t, k) { touched += 100; return 'p'; } });\n"
        "function make() { const hidden = big; return function inner(n) {\n    const local = n + 1; // HERE\n"
        "    return [local, hidden.length, touched, cyc, trap, proxy];\n  }; }\nmake()(1);\n"
        "setTimeout(() => { Promise.reject(new Error('unhandled later')); }, 50);\n"
    )
    await node.begin(program=str(file), breakpoints={str(file): [{"line": line_of(file, "// HERE")}]})
    stop = await node.stopped()
    scopes = (await node.ask("scopes", frameId=stop["frame"]["id"]))["scopes"]
    assert [s["name"] for s in scopes] == ["Local", "Closure (make)", "Module", "Global"]
    told = [await members(node, s["variablesReference"]) for s in scopes if not s["expensive"]]
    assert {v["name"] for v in told[0]} == {"local", "n"} and len(json.dumps(told)) < 60_000
    module = {v["name"]: v for v in told[2]}
    for name in ("trap", "proxy", "cyc"):
        await members(node, module[name]["variablesReference"])
    assert await node.evaluate("touched", stop["frame"]["id"]) == "0"
    await node.ask("continue", threadId=1)
    later = await node.stopped()
    assert later["reason"] == "exception" and "unhandled later" in later["text"]
    await node.ask("continue", threadId=1)
    assert (await node.ended_with())["exitCode"] == 1


async def test_evaluate_while_running_waits_for_promises(node, js):
    file = js.folder / "idle.js"
    file.write_text("globalThis.kept = 5;\nsetInterval(() => {}, 1000);\nconsole.log('ready');\n")
    await node.begin(program=str(file))
    await node.event("output", where=lambda body: "ready" in body["output"])
    assert await node.evaluate("kept + 1") == "6"
    assert await node.evaluate("await new Promise((f) => setTimeout(() => f('late'), 20))") == "'late'"
    assert "readFile" in await node.evaluate("Object.keys(require('fs')).join()")


async def test_a_lone_surrogate_and_a_long_string_pass(node, js):
    frame = await stand(node, js)
    assert await node.evaluate("'a\\ud800b'", frame) == "'a�b'"
    long = await node.evaluate("'x'.repeat(3000000)", frame)
    assert long.endswith("(3000002 characters)") and len(long) < 1_100_000
    async with asyncio.timeout(5):
        assert await node.evaluate("1", frame) == "1"
