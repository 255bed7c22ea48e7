"""The filter that stops where a test fails, in every runner (jest, vitest and mocha where they can be had)."""

from pathlib import Path

import pytest
import toolchains
from dap import line_of

from dapwright.adapters._javascript_tests import test_command as command_of
from dapwright.core.model import Host, TestTarget

pytestmark = pytest.mark.live
HEADS = {
    "jest": "const look = (got) => expect(got).toBe(90); // LOOK\n",
    "mocha": "const { expect } = require('chai');\nconst look = (got) => expect(got).to.equal(90); // LOOK\n",
    "vitest": "import { test as it, expect } from 'vitest';\nconst look = (got) => expect(got).toBe(90); // LOOK\n",
}
BODY = """
it('throws is wanted', () => { let seen; try { throw new Error('mine'); } catch (e) { seen = e; } });
it('passes', () => { look(90); });
it('fails', async () => {
  await null;
  const got = 80;
  look(got); // FAILS
});
"""


def host():
    def read(path):
        try:
            return Path(path).read_text()
        except OSError:
            return ""

    return Host("linux", lambda name: name, {}, is_file=lambda p: Path(p).is_file(), read=read)


@pytest.mark.parametrize("runner", ["jest", "vitest", "mocha"])
async def test_the_failing_assertion_is_where_it_stops(node, js, runner):
    toolchains.needs(runner)
    (js.folder / "node_modules").symlink_to(toolchains.NODE_MODULES)
    file = js.folder / f"sums.test.{'mjs' if runner == 'vitest' else 'cjs'}"
    file.write_text(HEADS[runner] + BODY)
    (js.folder / "package.json").write_text('{"jest": {"testMatch": ["**/*.test.cjs"], "testEnvironment": "node"}}')
    planned = command_of(TestTarget(str(file), runner=runner), host())
    with pytest.raises(StopIteration) as done:
        next(planned)
    launch = done.value.value.launch
    await node.begin(
        program=launch.program, args=list(launch.args), cwd=launch.cwd, filters=list(done.value.value.filters)
    )
    stop = await node.stopped(seconds=60)
    frames = (await node.ask("stackTrace", threadId=stop["threadId"]))["stackFrames"]
    users = [f for f in frames if f.get("presentationHint") not in ("subtle", "label")]
    assert [f["line"] for f in users[:2]] == [line_of(file, "// LOOK"), line_of(file, "// FAILS")], frames
    assert (await node.locals(users[1]["id"]))["got"] == "80"
    await node.ask("continue", threadId=stop["threadId"])
    assert (await node.ended_with(seconds=60))["exitCode"] == 1
