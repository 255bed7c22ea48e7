"""Breakpoints of every kind, in real programs."""

import pytest
from dap import Refused, line_of

pytestmark = pytest.mark.live


def at(file, text, **more):
    return {"line": line_of(file, text), **more}


async def go_on(node, stop):
    await node.ask("continue", threadId=stop["threadId"])


async def test_a_stop_its_locals_a_step_and_the_end(node, js):
    cart = js("cart.js")
    await node.begin(program=cart, breakpoints={cart: [at(cart, "const total = item.price")]})
    stop = await node.stopped()
    assert (stop["reason"], stop["hitBreakpointIds"], stop["frame"]["name"]) == ("breakpoint", [1], "lineTotal")
    before = await node.locals(stop["frame"]["id"])
    assert before["item"] == "Item {name: 'pen', price: 1.5, count: 4}"
    assert before["total"] in ("<not initialized>", "undefined")  # V8 of Node 20 cannot tell them apart
    await node.ask("next", threadId=1)
    step = await node.stopped()
    assert step["reason"] == "step" and (await node.locals(step["frame"]["id"]))["total"] == "6"
    await node.ask("setBreakpoints", source={"path": cart}, breakpoints=[])
    await go_on(node, step)
    assert await node.ended_with() == {"event": "exited", "exitCode": 0}
    assert node.output("stdout") == "total 20\n" and node.output("stderr") == ""


@pytest.mark.parametrize("name", ["early.cjs", "early.mjs"])
async def test_the_first_line_stops_though_nothing_is_loaded_yet(node, js, name):
    file = js.folder / "a b" / "ü@(1)+~[x]" / name
    file.parent.mkdir(parents=True)
    file.write_text("const two = 1 + 1;\nconsole.log(two);\n")
    told = await node.begin(program=str(file), breakpoints={str(file): [{"line": 1}]})
    assert told[str(file)][0]["verified"] is False and "loaded yet" in told[str(file)][0]["message"]
    stop = await node.stopped()
    assert (stop["reason"], stop["frame"]["line"], stop["frame"]["source"]["path"]) == ("breakpoint", 1, str(file))
    changed = [m.body["breakpoint"] for m in node.log if m.event == "breakpoint"]
    assert changed and changed[-1]["verified"] and changed[-1]["line"] == 1


async def test_a_symbolic_link_is_the_file_it_names(node, js):
    real = js("cart.js", "real/cart.js")
    link = js.folder / "link.js"
    link.symlink_to(real)
    await node.begin(program=str(link), breakpoints={str(link): [at(real, "return sum;")]})
    assert (await node.stopped())["frame"]["name"] == "cartTotal"


async def test_two_files_of_one_name_do_not_mix(node, js):
    for folder in ("one", "two"):
        file = js.folder / folder / "same.js"
        file.parent.mkdir()
        file.write_text(f"module.exports = () => {{\n  return '{folder}';\n}};\n")
    main = js.folder / "main.js"
    main.write_text("console.log(require('./one/same')(), require('./two/same')());\n")
    two = str(js.folder / "two" / "same.js")
    await node.begin(program=str(main), breakpoints={two: [{"line": 2}]})
    stop = await node.stopped()
    assert stop["frame"]["source"]["path"] == two
    await go_on(node, stop)
    assert (await node.ended_with())["exitCode"] == 0


@pytest.mark.parametrize(
    ("hit", "expected"),
    [("3", [3]), ("==3", [3]), (">8", [9, 10]), (">=9", [9, 10]), ("<3", [1, 2]), ("<=2", [1, 2]), ("%4", [4, 8])],
)
async def test_a_hit_condition_has_one_meaning(node, js, hit, expected):
    walk = js("walk.js")
    await node.begin(program=walk, breakpoints={walk: [at(walk, "// LOOP", hitCondition=hit)]})
    seen = []
    for _ in expected:
        stop = await node.stopped()
        seen.append(int(await node.evaluate("i", stop["frame"]["id"])))
        await go_on(node, stop)
    assert seen == expected
    assert (await node.ended_with())["exitCode"] == 0


async def test_a_condition_and_a_hit_count_compose(node, js):
    walk = js("walk.js")
    wanted = at(walk, "// LOOP", condition="i % 2 === 0", hitCondition="2")
    await node.begin(program=walk, breakpoints={walk: [wanted]})
    stop = await node.stopped()
    assert await node.evaluate("i", stop["frame"]["id"]) == "4"
    await go_on(node, stop)
    assert (await node.ended_with())["exitCode"] == 0


async def test_a_condition_that_does_not_parse_is_refused_and_one_that_fails_is_told(node, js):
    walk = js("walk.js")
    wanted = [at(walk, "// LOOP", condition="i >"), at(walk, "// SUM", condition="nowhere.x")]
    told = (await node.begin(program=walk, breakpoints={walk: wanted}))[walk]
    assert not told[0]["verified"] and "cannot be parsed" in told[0]["message"] and told[0]["reason"] == "failed"
    assert (await node.ended_with())["exitCode"] == 0
    messages = [m.body["breakpoint"].get("message", "") for m in node.log if m.event == "breakpoint"]
    assert any("nowhere is not defined" in m for m in messages)


async def test_a_logpoint_logs_and_does_not_stop(node, js):
    cart = js("cart.js")
    message = "{{sum}}={sum} {item} {item.name + '}'} {nope} {() => 1}"
    await node.begin(program=cart, breakpoints={cart: [at(cart, "sum += lineTotal", logMessage=message)]})
    assert (await node.ended_with())["exitCode"] == 0
    logged = [m.body for m in node.log if m.event == "output" and m.body["category"] == "console"]
    assert logged[0]["output"] == (
        '{sum}=0 Item {name: "pen", price: 1.5, count: 4} pen} {ReferenceError: nope is not defined} f \n'
    )
    assert logged[0]["line"] == line_of(cart, "sum += lineTotal") and len(logged) == 2


async def test_a_stop_and_a_logpoint_share_a_line(node, js):
    cart = js("cart.js")
    line = line_of(cart, "sum += lineTotal")
    both = [{"line": line, "logMessage": "at {item.name}"}, {"line": line, "condition": "item.name === 'ink'"}]
    await node.begin(program=cart, breakpoints={cart: both})
    stop = await node.stopped()
    assert stop["hitBreakpointIds"] == [2] and node.output("console") == "at pen\nat ink\n"


async def test_a_changed_list_keeps_the_counts_of_what_stayed(node, js):
    walk = js("walk.js")
    counted = at(walk, "// LOOP", hitCondition=">=4")
    await node.begin(program=walk, breakpoints={walk: [counted]})
    stop = await node.stopped()
    told = await node.ask("setBreakpoints", source={"path": walk}, breakpoints=[counted, at(walk, "// SUM")])
    assert [b["id"] for b in told["breakpoints"]] == [1, 2] and all(b["verified"] for b in told["breakpoints"])
    await go_on(node, stop)
    assert await node.evaluate("i", (await node.stopped())["frame"]["id"]) == "5"


@pytest.mark.parametrize(
    ("name", "frame"), [("inner", "inner"), ("Shape.area", "area"), ("Shape.make", "make"), ("other", "other")]
)
async def test_a_function_by_its_name_in_the_source(node, js, name, frame):
    walk = js("walk.js")
    told = await node.begin(program=walk, functions=[{"name": name}])
    assert told["functions"][0]["id"] == 1
    stop = await node.stopped()
    assert (stop["reason"], stop["frame"]["name"], stop["hitBreakpointIds"]) == ("function breakpoint", frame, [1])


async def test_a_function_with_a_condition_in_an_imported_module(node, js):
    js("helper.mjs")
    main = js("module.mjs")
    await node.begin(program=main, functions=[{"name": "helper", "condition": "word === 'guarded'"}])
    stop = await node.stopped()
    assert stop["frame"]["source"]["path"].endswith("helper.mjs")


async def test_a_function_by_its_run_time_path(node, js):
    throws = js("throws.js")
    told = await node.begin(program=throws, args=["file"], functions=[{"name": "fs.readFileSync"}], filters=[])
    assert told["functions"][0]["verified"]
    stop = await node.stopped()
    frames = (await node.ask("stackTrace", threadId=stop["threadId"]))["stackFrames"]
    assert frames[0]["name"] == "readFileSync" and frames[1]["name"] == "risky"


async def test_an_unknown_function_is_not_called_verified(node, js):
    walk = js("walk.js")
    told = await node.begin(program=walk, functions=[{"name": "no_such_function"}])
    assert told["functions"][0]["verified"] is False and "no_such_function" in told["functions"][0]["message"]
    assert (await node.ended_with())["exitCode"] == 0


@pytest.mark.parametrize("name", ["walk.js", "module.mjs"])
async def test_the_places_of_a_file_are_known_before_it_is_loaded(node, js, name):
    file = js(name)
    js("helper.mjs")
    await node.initialize()
    node.send("launch", program=js("cart.js"))
    await node.event("initialized")
    found = await node.ask("breakpointLocations", source={"path": file}, line=1, endLine=30)
    lines = {b["line"] for b in found["breakpoints"]}
    if name == "walk.js":
        assert {2, 3, line_of(file, "// CALLS")} <= lines and line_of(file, "function outer()") not in lines
    else:
        assert {2, 3, 4, 5} <= lines


async def test_a_breakpoint_below_the_file_never_binds(node, js):
    walk = js("walk.js")
    told = await node.begin(program=walk, breakpoints={walk: [{"line": 4000}]})
    assert told[walk][0]["verified"] is False
    assert (await node.ended_with())["exitCode"] == 0


async def test_nothing_is_refused_for_having_no_path(node):
    await node.initialize()
    with pytest.raises(Refused, match="path"):
        await node.ask("setBreakpoints", source={"name": "x"}, breakpoints=[{"line": 1}])
