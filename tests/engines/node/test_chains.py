"""A promise that is rejected in front of its own `catch`."""

import pytest

from dapwright.engines.node.chains import is_caught


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
