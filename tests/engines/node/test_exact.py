"""A breakpoint stands where its text is: in functions of one line, in lines of several statements, where V8 slides."""

import asyncio

import pytest
from dap import line_of
from toolchains import needs

from dapwright.engines.node import binding, stops
from dapwright.engines.node.conditions import Wanted
from dapwright.engines.node.inspector import Inspector
from dapwright.engines.node.ledger import Entry
from dapwright.engines.node.scripts import Script
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Target

ONE_LINERS = """\
class Box {
  constructor(private w: number) {}
}
function one(n: number): number { return n + 1; }
const api = { mul: (a: number, b: number): number => a * b };
const twice = (x: number): number => { let y = x; y *= 2; return y; };
console.log(new Box(1), one(1), api.mul(2, 3), twice(4));
"""


@pytest.mark.live
@pytest.mark.parametrize(
    ("text", "part", "frame"),
    [
        ("function one", "function one", "one"),
        ("const api", "a * b", "mul"),
        ("const twice", "y *= 2", "twice"),
        ("const twice", "return y", "twice"),
    ],
)
async def test_a_function_of_one_line_in_minified_code_is_stopped_in_itself(node, js, text, part, frame):
    needs("tsx")
    file = js.folder / "one.ts"
    file.write_text(ONE_LINERS)
    line = line_of(file, text)
    column = file.read_text().splitlines()[line - 1].index(part)
    place = {"line": line} | ({"column": column + 1} if column else {})
    await node.begin(program=str(file), breakpoints={str(file): [place]})
    stop = await node.stopped()
    assert (stop["frame"]["name"], stop["frame"]["line"]) == (frame, line)


class Sliding(Inspector):
    """A V8 that binds every breakpoint of column 0 to the line after, as one that has not compiled the function."""

    def __init__(self):
        self.asked = []
        super().__init__(lambda text: None)

    def start(self, method, **params):
        self.asked.append((method, params))
        done = asyncio.get_running_loop().create_future()
        answer = {}
        if method == "Debugger.setBreakpointByUrl":
            slid = params["lineNumber"] + (0 if params["columnNumber"] else 1)
            at = {"scriptId": "9", "lineNumber": slid, "columnNumber": params["columnNumber"]}
            answer = {"breakpointId": f"{params['lineNumber']}:{params['columnNumber']}", "locations": [at]}
        elif method == "Debugger.getPossibleBreakpoints":
            answer = {"locations": [{"scriptId": "9", "lineNumber": params["start"]["lineNumber"], "columnNumber": 4}]}
        done.set_result(answer)
        return done


class Told:
    def event(self, name, body=None):
        pass


async def test_what_v8_slid_is_set_anew_where_the_line_is_and_its_stop_passed_over(tmp_path):
    session = Session(Told())
    target = Target(session, Sliding(), 1, "node")
    session.targets[1] = target
    file = str(tmp_path / "late.js")
    target.scripts["9"] = Script("9", f"file://{file}", file, "", False)
    entry = session.ledger.replace_file(file, [Entry(0, file, file, 4, None, Wanted(0))])[0]
    await binding.bind(target)
    await asyncio.gather(*target._tasks)
    assert entry.bound_line == 4 and [key[1:] for key in target.cells] == [(4, 4)]
    assert ("Debugger.removeBreakpoint", {"breakpointId": "4:0"}) in target.inspector.asked
    frame = {"callFrameId": "f", "location": {"scriptId": "9", "lineNumber": 5}, "functionName": "", "scopeChain": []}
    await stops.paused(target, {"reason": "other", "callFrames": [frame], "hitBreakpoints": ["4:0"]})
    assert target.inspector.asked[-1][0] == "Debugger.resume"
