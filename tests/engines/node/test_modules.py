"""What the top level of an ES module throws, in programs so small that they are over before V8 takes a word."""

import pytest

from dapwright.engines.node.modules import may_load

BOOM = "function boom() { throw new Error('top'); }\n"
PROGRAMS = {
    "throws.mjs": BOOM + "boom();\n",
    "executor.mjs": BOOM + "new Promise(() => boom());\n",
    "rejects.mjs": "async function work() { return Promise.reject(new Error('top')); }\nwork();\n",
    "later.mjs": "async function work() { await null; throw new Error('top'); }\nwork();\n",
    "detected.js": "import 'node:fs';\n" + BOOM + "boom();\n",
    "loads.cjs": "import('./throws.mjs');\n",
}


@pytest.mark.live
@pytest.mark.parametrize("name", PROGRAMS)
async def test_what_nothing_catches_stops(node, js, name):
    for file, text in PROGRAMS.items():
        (js.folder / file).write_text(text)
    await node.begin(program=str(js.folder / name))
    stop = await node.stopped()
    assert (stop["reason"], stop["text"]) == ("exception", "Error: top")
    assert (await node.ask("exceptionInfo", threadId=stop["threadId"]))["breakMode"] == "unhandled"
    await node.ask("continue", threadId=stop["threadId"])
    assert (await node.ended_with())["exitCode"] == 1


KEPT = """async function fails() { throw new Error('kept'); }
async function main() {
  const p = fails();
  try { await p; } catch (e) { console.log('caught'); }
  const q = Promise.reject(new Error('q'));
  q.catch(() => {});
}
main();
"""


@pytest.mark.live
@pytest.mark.parametrize("name", ["kept.mjs", "kept.cjs"])
async def test_a_promise_that_is_kept_and_then_handled_does_not_stop(node, js, name):
    (js.folder / name).write_text(KEPT)
    await node.begin(program=str(js.folder / name))
    assert (await node.ended_with())["exitCode"] == 0 and node.output("stdout") == "caught\n"
    assert "stopped" not in [message.event for message in node.log]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.mjs", "", True),
        ("a.ts", "", True),
        ("a.cjs", "require('fs')", False),
        ("a.cjs", "import('./b.mjs')", True),
        ("a.js", "export const a = 1", True),
        ("a.js", "const important = exporter.imports", False),
        ("typed/a.js", "boom()", True),
        ("typed/a.cjs", "boom()", False),
        ("typed/inner/a.js", "boom()", False),
        ("typed/ä b.js", "boom()", True),
    ],
)
def test_whether_a_program_may_load_modules(tmp_path, name, text, expected):
    (tmp_path / "typed" / "inner").mkdir(parents=True)
    (tmp_path / "typed" / "package.json").write_text('{"type" : "module"}')
    (tmp_path / "typed" / "inner" / "package.json").write_text("{}")
    file = tmp_path / name
    file.write_text(text)
    assert may_load(str(file)) is may_load(file.as_uri()) is expected


def test_what_is_no_file_loads_none():
    assert not may_load("[eval]") and not may_load("/nowhere/at/all.js")
