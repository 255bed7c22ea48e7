"""Steps, pauses, exceptions, ends, input."""

import asyncio
import os
import signal
from pathlib import Path

import pytest
from dap import Refused, line_of

pytestmark = pytest.mark.live


async def stand(node, file, text, **launch):
    await node.begin(program=file, breakpoints={file: [{"line": line_of(file, text)}]}, **launch)
    return await node.stopped()


async def move(node, command, **more):
    await node.ask(command, threadId=1, **more)
    return await node.stopped()


def line(stop):
    return stop["frame"]["line"]


async def test_steps_go_over_into_and_out(node, js):
    walk = js("walk.js")
    await stand(node, walk, "// CALLS")
    assert (await move(node, "stepIn"))["frame"]["name"] == "other"
    assert (await move(node, "stepOut"))["frame"]["name"] == "outer"
    over = await move(node, "next")
    assert line(over) == line_of(walk, "// SUM") and over["reason"] == "step"
    out = await move(node, "stepOut")
    assert out["frame"]["name"] == "<module>" and line(out) == line_of(walk, "// OUTER")


async def test_a_step_goes_into_the_chosen_call(node, js):
    walk = js("walk.js")
    stop = await stand(node, walk, "// CALLS")
    targets = (await node.ask("stepInTargets", frameId=stop["frame"]["id"]))["targets"]
    labels = {t["label"]: t["id"] for t in targets}
    assert len(labels) == 4 and any("inner" in label for label in labels), labels
    chosen = next(i for label, i in labels.items() if label.startswith("inner"))
    entered = await move(node, "stepIn", targetId=chosen)
    assert entered["frame"]["name"] == "inner"


async def test_a_step_over_await_stays_in_the_function(node, js):
    walk = js("walk.js")
    await stand(node, walk, "// AWAIT")
    after = await move(node, "next")
    assert line(after) == line_of(walk, "// AFTER") and after["frame"]["name"] == "slow"


async def test_awaited_callers_stand_below_a_label(node, js):
    file = js.folder / "chain.js"
    file.write_text(
        "async function deep() {\n  await null;\n  return 1; // DEEP\n}\nasync function top() {\n"
        "  return 1 + await deep();\n}\ntop();\n"
    )
    stop = await stand(node, str(file), "// DEEP")
    frames = (await node.ask("stackTrace", threadId=stop["threadId"]))["stackFrames"]
    names = [f["name"] for f in frames]
    label = next(f for f in frames if f.get("presentationHint") == "label")
    assert names[0] == "deep" and "top" in names[names.index(label["name"]) :]
    below = next(f for f in frames if f["name"] == "top")
    with pytest.raises(Refused, match="no variables any more"):
        await node.ask("scopes", frameId=below["id"])


async def test_a_step_into_a_library_of_nodes_passes_through(node, js):
    file = js.folder / "through.js"
    file.write_text(
        "const path = require('path');\nconst joined = path.join('a', 'b'); // INTO\nconsole.log(joined);\n"
    )
    await stand(node, str(file), "// INTO")
    into = await move(node, "stepIn")
    assert line(into) == 3 and into["frame"]["source"]["path"] == str(file)


async def test_packages_and_skipped_files_are_stepped_over(node, js):
    package = js.folder / "node_modules" / "lib" / "index.js"
    package.parent.mkdir(parents=True)
    package.write_text("module.exports = (f) => {\n  const x = 1;\n  return f(x);\n};\n")
    skipped = js.folder / "vendor" / "old.js"
    skipped.parent.mkdir()
    skipped.write_text("module.exports = (n) => {\n  return n + 1;\n};\n")
    main = js.folder / "main.js"
    main.write_text(
        "const lib = require('lib'), old = require('./vendor/old');\nconst a = lib((x) => {\n  return x; // BACK\n});"
        " // never\nconst b = old(a); // OLD\nconsole.log(a, b); // END\n"
    )
    await node.begin(program=str(main), breakpoints={str(main): [{"line": 2}]}, skipFiles=["vendor/**"])
    await node.stopped()
    assert line(await move(node, "stepIn")) == line_of(main, "// BACK")
    await move(node, "stepOut")
    for _ in range(3):
        stop = await move(node, "stepIn")
        assert stop["frame"]["source"]["path"] == str(main), stop
        if line(stop) == line_of(main, "// END"):
            return
    raise AssertionError("the end was never reached")


async def test_a_step_off_the_end_lets_the_program_end(node, js):
    file = js.folder / "end.js"
    file.write_text("const a = 1;\nconsole.log(a); // LAST\n")
    await stand(node, str(file), "// LAST")
    for _ in range(3):
        if node.send("next", threadId=1) and (await node.event("stopped", "exited"))["event"] == "exited":
            return
    raise AssertionError(node.story())


async def test_stop_on_entry_is_the_first_statement(node, js):
    for name in ("walk.js",):
        await node.begin(program=js(name), stopOnEntry=True)
        stop = await node.stopped()
        assert stop["reason"] == "entry" and stop["frame"]["name"] == "<module>"


async def test_a_pause_stops_a_busy_loop_and_its_variables_can_be_set(node, js):
    spin = js("spin.js")
    await node.begin(program=spin)
    await node.event("output", where=lambda body: "spinning" in body["output"])
    await node.ask("pause", threadId=1)
    stop = await node.stopped()
    assert stop["reason"] == "pause" and stop["frame"]["source"]["path"] == spin
    with pytest.raises(Refused, match="stands already"):
        await node.ask("pause", threadId=1)
    scope = (await node.ask("scopes", frameId=stop["frame"]["id"]))["scopes"][0]["variablesReference"]
    try:
        changed = await node.ask("setVariable", variablesReference=scope, name="stop", value="true")
        assert changed["value"] == "true"
    except Refused as kept:
        assert "step once" in kept.body["hint"]
        stop = await move(node, "next")
        scope = (await node.ask("scopes", frameId=stop["frame"]["id"]))["scopes"][0]["variablesReference"]
        changed = await node.ask("setVariable", variablesReference=scope, name="stop", value="true")
    await node.ask("continue", threadId=1)
    assert (await node.ended_with())["exitCode"] == 0
    assert "stopped true" in node.output("stdout")


async def test_a_pause_of_an_idle_program_waits_for_its_next_callback(node, js):
    file = js.folder / "idle.js"
    file.write_text("process.stdin.on('data', () => {\n  console.log('woken'); // WOKEN\n});\nconsole.log('idle');\n")
    await node.begin(program=str(file))
    await node.event("output", where=lambda body: "idle" in body["output"])
    await node.evaluate("await new Promise((f) => setTimeout(f, 20))")  # its first run is over for certain
    await node.ask("pause", threadId=1)
    await node.ask("dapwright/input", text="x")
    stop = await node.stopped()
    assert stop["reason"] == "pause" and line(stop) == line_of(file, "// WOKEN")


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("none", "// UNCAUGHT", "Error: outside"),
        ("reject", "// REJECT", "TypeError: late"),
        ("async", "// ASYNC", "Error: from async"),
    ],
)
async def test_what_nobody_catches_stops_where_it_is_thrown(node, js, kind, text, words):
    throws = js("throws.js")
    await node.begin(program=throws, args=[kind])
    stop = await node.stopped()
    assert (stop["reason"], line(stop), stop["text"]) == ("exception", line_of(throws, text), words)
    info = await node.ask("exceptionInfo", threadId=1)
    assert info["breakMode"] == "unhandled" and info["description"] == words
    if kind == "none":
        assert info["details"]["innerException"][0]["message"] == "root"
    await node.ask("continue", threadId=1)
    assert (await node.ended_with())["exitCode"] == 1


async def test_an_error_thrown_inside_node_shows_the_users_frame_below(node, js):
    throws = js("throws.js")
    await node.begin(program=throws, args=["file"])
    stop = await node.stopped()
    frames = (await node.ask("stackTrace", threadId=stop["threadId"]))["stackFrames"]
    user = next(f for f in frames if f.get("presentationHint") != "subtle")
    assert user["line"] == line_of(throws, "// FILE") and "ENOENT" in stop["text"]


async def test_all_exceptions_stop_and_class_names_choose(node, js):
    throws = js("throws.js")
    await node.begin(program=throws, args=["none"], filters=["all"])
    assert line(await node.stopped()) == line_of(throws, "// CAUGHT")
    await node.ask(
        "setExceptionBreakpoints", filters=[], filterOptions=[{"filterId": "all", "condition": "TypeError, Nope"}]
    )
    await node.ask("continue", threadId=1)
    assert (await node.ended_with())["exitCode"] == 1


async def test_a_class_or_a_base_of_it_chooses(node, js):
    throws = js("throws.js")
    path = [{"names": ["JavaScript Exceptions"]}, {"names": ["RangeError"]}]
    await node.begin(program=throws, args=["none"], filters=[], stopOnEntry=True)
    await node.stopped()
    await node.ask("setExceptionBreakpoints", filters=[], exceptionOptions=[{"path": path, "breakMode": "always"}])
    await node.ask("continue", threadId=1)
    assert (await node.stopped())["text"] == "RangeError: inside"
    await node.ask("continue", threadId=1)
    assert (await node.ended_with())["exitCode"] == 1


async def test_a_throw_at_the_top_of_an_es_module_is_uncaught_and_a_guarded_one_is_not(node, js):
    helper, main = js("helper.mjs"), js("module.mjs")
    await node.begin(program=main, args=["throw"])
    stop = await node.stopped()
    assert (stop["reason"], stop["text"], line(stop)) == ("exception", "Error: top", line_of(helper, "// THROW"))
    assert "total 20" in node.output("stdout")
    await node.ask("continue", threadId=1)
    assert (await node.ended_with())["exitCode"] == 1


async def test_a_failure_that_a_test_runner_catches(node, js):
    file = js.folder / "some.test.mjs"
    file.write_text(
        "import assert from 'node:assert/strict';\nimport test from 'node:test';\n"
        "test('throws is fine', () => assert.throws(() => { throw new Error('wanted'); }));\n"
        "test('caught is fine', () => { try { assert.equal(1, 2); } catch {} });\n"
        "test('async', async () => {\n  await null;\n  const got = 80;\n  assert.equal(got, 90); // FAILS\n});\n"
    )
    await node.begin(program=str(file), filters=["test-failure"])
    stop = await node.stopped()
    frames = (await node.ask("stackTrace", threadId=stop["threadId"]))["stackFrames"]
    user = next(f for f in frames if f.get("presentationHint") != "subtle")
    assert user["line"] == line_of(file, "// FAILS"), frames
    await node.ask("continue", threadId=stop["threadId"])
    assert (await node.ended_with())["exitCode"] == 1


async def test_input_output_environment_and_exit_code(node, js):
    await node.begin(program=js("echo.js"), env={"SHOWN": "yes", "HOME": None})
    await node.ask("dapwright/input", text="häl")
    await node.event("output", where=lambda body: "got" in body["output"])
    await node.ask("dapwright/input", text="lo", close=True)
    assert await node.ended_with() == {"event": "exited", "exitCode": 7}
    assert "end 5 yes undefined" in node.output("stdout")


async def test_death_by_a_signal_is_told_by_its_name(node, js):
    file = js.folder / "dies.js"
    file.write_text("process.kill(process.pid, 'SIGSEGV');\nsetInterval(() => {}, 1000);\n")
    await node.begin(program=str(file))
    assert await node.ended_with() == {"event": "exited", "signal": "SIGSEGV"}


async def test_a_program_that_cannot_start_is_refused_with_the_reason(node, js):
    with pytest.raises(Refused, match="no program"):
        await node.begin(program=str(js.folder / "missing.js"))


async def test_a_bad_option_of_node_is_told_in_nodes_words(node, js):
    with pytest.raises(Refused, match="bad option"):
        await node.begin(program=js("cart.js"), runtimeArgs=["--no-such-option"])


async def test_a_syntax_error_ends_with_its_words_and_code(node, js):
    file = js.folder / "bad.js"
    file.write_text("const = 1;\n")
    await node.begin(program=str(file), filters=[])
    assert (await node.ended_with())["exitCode"] == 1 and "SyntaxError" in node.output("stderr")


async def test_terminate_is_a_request_and_disconnect_a_certainty(node, js):
    file = js.folder / "stubborn.js"
    file.write_text(
        "process.on('SIGTERM', () => console.log('no'));\nsetInterval(() => {}, 1000);\nconsole.log('up');\n"
    )
    await node.begin(program=str(file))
    await node.event("output", where=lambda body: "up" in body["output"])
    await node.ask("terminate")
    await node.event("output", where=lambda body: "no" in body["output"])
    pid = next(m.body["systemProcessId"] for m in node.log if m.event == "process")
    await node.ask("disconnect", terminateDebuggee=True)
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_the_program_may_be_left_running(node, js):
    file = js.folder / "lives.js"
    file.write_text("setInterval(() => {}, 10);\nfor (;;) { debugger; break; }\n")
    await node.begin(program=str(file))
    await node.stopped()
    pid = next(m.body["systemProcessId"] for m in node.log if m.event == "process")
    await node.ask("disconnect", terminateDebuggee=False)
    async with asyncio.timeout(5):
        await node.process.wait()
    os.kill(pid, 0)
    os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize("how", ["eof", "kill"])
async def test_no_program_outlives_the_engine(node, js, how):
    await node.begin(program=js("spin.js"))
    pid = next(m.body["systemProcessId"] for m in node.log if m.event == "process")
    if how == "eof":
        node.process.stdin.close()
    else:
        node.process.kill()
    async with asyncio.timeout(5):
        await node.process.wait()
        while True:
            try:
                if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                    return
            except OSError:
                return
            await asyncio.sleep(0)


async def test_a_frame_begins_again(node, js):
    walk = js("walk.js")
    stop = await stand(node, walk, "return twice;")
    await node.ask("restartFrame", frameId=stop["frame"]["id"])
    again = await node.stopped()
    assert line(again) == line_of(walk, "const twice = n * 2;")


async def test_a_running_function_is_changed_while_the_program_runs(node, js):
    file = js.folder / "live.js"
    text = "function greet() {\n  return 'old'; // GREET\n}\nsetInterval(() => console.log(greet()), 20);\n"
    file.write_text(text)
    await node.begin(program=str(file))
    await node.event("output", where=lambda body: "old" in body["output"])
    file.write_text(text.replace("'old'", "'new'"))
    told = await node.ask("dapwright/hotReload", files=[str(file)])
    assert told["redefined"] == [str(file)] and told["failed"] == []
    again = await node.ask("dapwright/hotReload", sinceTimestamp=told["newestTimestamp"])
    assert again["redefined"] == [] and again["newestTimestamp"] == told["newestTimestamp"]
    await node.event("output", where=lambda body: "new" in body["output"])
    bound = await node.ask("setBreakpoints", source={"path": str(file)}, breakpoints=[{"line": 2}])
    assert bound["breakpoints"][0]["verified"] and line(await node.stopped()) == 2


async def test_the_text_of_evaluated_code_and_of_nodes_own_is_served(node, js):
    file = js.folder / "evals.js"
    file.write_text("eval('const hidden = 1;\\ndebugger;\\nhidden');\n")
    await node.begin(program=str(file))
    stop = await node.stopped()
    reference = stop["frame"]["source"]["sourceReference"]
    assert "const hidden = 1;" in (await node.ask("source", sourceReference=reference))["content"]
    loaded = [s["path"] for s in (await node.ask("loadedSources"))["sources"]]
    assert loaded == [str(file)]


async def test_a_program_killed_at_a_stop_is_told_and_what_was_asked_of_it_refused(node, js):
    walk = js("walk.js")
    stop = await stand(node, walk, "// SUM")
    pid = next(m.body["systemProcessId"] for m in node.log if m.event == "process")
    os.kill(pid, signal.SIGKILL)
    assert await node.ended_with() == {"event": "exited", "signal": "SIGKILL"}
    with pytest.raises(Refused):
        await node.ask("scopes", frameId=stop["frame"]["id"])
    assert (await node.ask("threads"))["threads"] == []


async def test_a_program_with_ten_thousand_scripts(node, js):
    file = js.folder / "many.js"
    file.write_text(
        "const vm = require('vm');\n"
        "for (let i = 0; i < 10000; i++) vm.runInThisContext('1', { filename: `/gen/${i}.js` });\n"
        "const last = 1;\nconsole.log(last); // LAST\n"
    )
    stop = await stand(node, str(file), "// LAST")
    assert line(stop) == line_of(file, "// LAST")
    assert len((await node.ask("loadedSources"))["sources"]) == 10001


async def test_a_message_of_a_hundred_megabytes(node, js):
    walk = js("walk.js")
    stop = await stand(node, walk, "// SUM")
    frame = stop["frame"]["id"]
    told = (await node.ask("evaluate", expression="'x'.repeat(1e8)", frameId=frame, seconds=60))["result"]
    assert told.endswith("(100000002 characters)")
    assert await node.evaluate("sum", stop["frame"]["id"]) == "15"


async def test_a_folder_and_a_command_called_node_in_the_working_directory(node, js):
    (js.folder / "node").mkdir()
    cart = js("cart.js")
    await node.begin(
        program="cart.js", cwd=str(js.folder), breakpoints={cart: [{"line": line_of(cart, "return sum;")}]}
    )
    assert (await node.stopped())["frame"]["name"] == "cartTotal"


RETURNS = """\
function sum(n) {
  if (n === 0) {
    return 0;
  }
  const rest = sum(n - 1);
  return n + rest;
}
const pair = (a) => {
  const made = { a, b: 2 };
  return made;
};
function fail() {
  throw new Error('no');
}
async function later() {
  await null;
  return 'late';
}
async function main() {
  const total = sum(3);
  const both = pair(total);
  try {
    fail();
  } catch {
    console.log('caught');
  }
  const word = await later();
  console.log(total, both, word);
}
main();
"""


@pytest.mark.parametrize(
    ("text", "value", "line"),
    [
        ("if (n === 0) {", "6", "const both ="),
        ("const made =", "{a: 6, b: 2}", "    fail();"),
        ("return 'late';", "Promise {<fulfilled>, [[PromiseResult]]: 'late'}", None),
        ("throw new Error", None, None),
    ],
)
async def test_a_step_out_tells_what_the_function_returned(node, js, text, value, line):
    file = js.folder / "returns.js"
    file.write_text(RETURNS)
    await node.begin(program=str(file), breakpoints={str(file): [{"line": line_of(file, text)}]}, filters=[])
    stop = await node.stopped()
    await node.ask("setBreakpoints", source={"path": str(file)}, breakpoints=[])
    await node.ask("stepOut", threadId=stop["threadId"])
    out = await node.stopped()
    assert out["reason"] == "step" and (out.get("returnValue") or {}).get("value") == value, out
    if line:
        assert out["frame"]["line"] == line_of(file, line)
    await node.ask("continue", threadId=stop["threadId"])
    assert (await node.ended_with())["exitCode"] == 0


async def test_each_of_several_steps_out_tells_what_its_function_returned(node, js):
    """The second ends at its caller's own return, where V8 tells that one's value besides."""
    file = js.folder / "nested.js"
    functions = [
        "function inner(n) {\n  return n + 1;\n}",
        "function middle() {\n  const v = inner(3);\n  return v * 2;\n}",
        "function outer() {\n  const w = middle();\n  return w + 1;\n}",
    ]
    file.write_text("\n".join([*functions, "outer();\n"]))
    await node.begin(program=str(file), breakpoints={str(file): [{"line": 2}]})
    stop, told = await node.stopped(), []
    for _ in functions:
        await node.ask("stepOut", threadId=stop["threadId"])
        told.append((await node.stopped())["returnValue"]["value"])
    assert told == ["4", "8", "9"]
