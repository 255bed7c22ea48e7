"""A promise that is rejected in front of its own `catch`."""

import pytest

from dapwright.engines.node.chains import fate, is_async, is_caught


@pytest.mark.parametrize(
    "text",
    [
        "reject(new Error('a, b)')).catch((e) => 1);",
        "reject(e)\n  .then((v) => v)\n  .finally(() => 0)\n  .catch(f)",
        "reject(e).then(null, (e) => 1)",
        "reject()?.catch(f)",
    ],
)
def test_a_chain_with_a_handler_is_caught(text):
    assert is_caught(text)


@pytest.mark.parametrize(
    "text",
    [
        "reject(e);",
        "reject(e).then((a, b) => [a, b], );",
        "reject(e); other.catch(f)",
        "reject(e).catch()",
        "reject(",
        "",
    ],
)
def test_a_chain_without_one_is_not(text):
    assert not is_caught(text)


@pytest.mark.live
async def test_a_rejection_in_front_of_its_catch_does_not_stop_and_one_without_does(node, js):
    file = js.folder / "chain.js"
    file.write_text(
        "Promise.reject(new Error('one')).catch((e) => console.log(e.message));\nPromise.reject(new Error('two'));\n"
    )
    await node.begin(program=str(file))
    stop = await node.stopped()
    assert (stop["reason"], stop["frame"]["line"]) == ("exception", 2)
    await node.ask("continue", threadId=stop["threadId"])
    assert (await node.ended_with())["exitCode"] == 1 and node.output("stdout") == "one\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("soft().then(f).catch(g);", "caught"),
        ("await Promise.allSettled([other(), soft()]);", "caught"),
        ("await Promise.allSettled(list.map(soft));", "left"),
        ("Promise.all([soft(), 1]).catch(f)", "caught"),
        ("return Promise.all([soft(), 1])", "handed on"),
        ("Promise.all([soft(), 1])", "left"),
        ("Promise.allSettled([other()]), soft()", "left"),
        ("const x = await soft();", "handed on"),
        ("return this.a.soft();", "handed on"),
        ("const go = () => soft();", "handed on"),
        ("const p = soft();", "left"),
        ("const p = soft();\nlog('kept');\ntry { await p; } catch (e) { log(e); }", "caught"),
        ("const p = soft(); await p;", "handed on"),
        ("const p = soft(); log(p); p.catch(() => 1);", "caught"),
        ("const p = a.soft(1); const q = soft(2); return Promise.all([p, q]);", "handed on"),
        ("const p = soft(); await Promise.allSettled([p]);", "caught"),
        ("const p = soft(); await other(); try { await p; } catch (e) { }", "left"),
        ("const p = soft(); later(() => p.catch(f));", "left"),
        ("function f() { const p = soft(); }\np.catch(g);", "left"),
        ("const p = soft(); a.p.catch(f);", "left"),
        ("const p = soft(); return 1; p.catch(f);", "left"),
    ],
)
def test_what_becomes_of_a_call_s_promise(text, expected):
    assert fate(text, text.index("soft")) == expected


def test_a_call_that_makes_the_promises_of_another():
    text = "Promise.allSettled([1, 2].map(async (n) => n));"
    assert fate(text, text.index("map")) == "caught"


@pytest.mark.parametrize("text", ["async function f(", "async function* f(", "async (", "{ async f(", "async f => ("])
def test_an_async_function_is_known_by_its_head(text):
    assert is_async(text, text.rindex("(")) == (not text.endswith("=> ("))


HANDLED = """
async function soft(n) { if (n) throw new Error('soft ' + n); }
async function deeper(n) { helper(n); }
function helper(n) { throw new Error('helper ' + n); }
const made = { go() { return soft(4); } };
async function main() { return await soft(5); }
soft(1).catch(() => 1);
soft(2).then(() => 1).catch(() => 1);
Promise.allSettled([soft(3), deeper(3)]);
made.go().catch(() => 1);
main().catch(() => 1);
Promise.allSettled([1, 2].map(async (n) => { throw new Error('made ' + n); }));
Promise.resolve().then(() => { throw new Error('later'); }).catch(() => 1);
"""


@pytest.mark.live
@pytest.mark.parametrize("name", ["handled.js", "handled.mjs"])
async def test_only_the_promise_that_nobody_handles_stops(node, js, name):
    file = js.folder / name
    file.write_text(HANDLED + "async function floats() { soft(9); }\nsetTimeout(() => floats().catch(() => 1), 20);\n")
    await node.begin(program=str(file))
    stop = await node.stopped()
    assert stop["reason"] == "exception" and stop["text"] == "Error: soft 9", node.story()
    info = await node.ask("exceptionInfo", threadId=stop["threadId"])
    assert info["breakMode"] == "unhandled"
    await node.ask("continue", threadId=stop["threadId"])
    assert (await node.ended_with())["exitCode"] == 1
