"""Values and expressions of a stopped program, for real."""

import dap
import pytest
from jvm_programs import ENGINE, build, paused

pytestmark = pytest.mark.live


async def test_values_are_shown_as_their_content(tour):
    async with paused(tour, "// values", "values") as (engine, stop):
        shown = await engine.locals(stop["frame"]["id"])
    assert shown | {"numbers": "", "account": "", "shape": ""} == {
        "text": '"a \\"quote\\"\\n"',
        "letter": "'x'",
        "half": "0.5",
        "third": "1.1",
        "big": str(1 << 40),
        "boxed": "7",
        "nothing": "null",
        "numbers": "",
        "table": 'String[2][] {String[1] {"a"}, String[2] {"b", "c"}}',
        "points": "ArrayList size=2 [Tour.Point {x=1, y=2}, Tour.Point {x=3, y=4}]",
        "fixed": 'Arrays.ArrayList size=2 ["one", "two"]',
        "ages": 'LinkedHashMap size=2 {"tea"=3, "milk"=4}',
        "hash": 'HashMap size=1 {5="five"}',
        "tree": 'TreeMap size=2 {"a"=1, "b"=2}',
        "color": "Tour.Color.GREEN",
        "builder": 'StringBuilder "built"',
        "account": "",
        "shape": "",
    }
    assert shown["numbers"].startswith("int[500] {0, 0, 0, 9") and "490 more" in shown["numbers"]
    assert shown["account"] == 'Tour.Account {owner="Mia", cents=5}'


async def children(engine, frame, name, **page):
    scope = (await engine.ask("scopes", frameId=frame))["scopes"][0]
    listed = (await engine.ask("variables", variablesReference=scope["variablesReference"]))["variables"]
    reference = next(v for v in listed if v["name"] == name)["variablesReference"]
    return (await engine.ask("variables", variablesReference=reference, **page))["variables"]


async def test_arrays_and_collections_are_opened_by_page(tour):
    async with paused(tour, "// values", "values") as (engine, stop):
        frame = stop["frame"]["id"]
        page = await children(engine, frame, "numbers", start=3, count=2)
        assert [(v["name"], v["value"]) for v in page] == [("[3]", "9"), ("[4]", "0")]
        assert await children(engine, frame, "numbers", start=600, count=5) == []
        pairs = await children(engine, frame, "ages")
        assert [(v["name"], v["value"]) for v in pairs] == [('"tea"', "3"), ('"milk"', "4")]
        point = await children(engine, frame, "points", start=1, count=1)
        fields = await engine.ask("variables", variablesReference=point[0]["variablesReference"])
        assert [v["name"] for v in fields["variables"]] == ["x", "y"]


async def test_statics_have_a_scope_of_their_own(tour):
    async with paused(tour, "// values", "values") as (engine, stop):
        scopes = (await engine.ask("scopes", frameId=stop["frame"]["id"]))["scopes"]
        assert [one["name"] for one in scopes] == ["Local", "Static"]
        listed = await engine.ask("variables", variablesReference=scopes[1]["variablesReference"])
        assert {v["name"]: v["value"] for v in listed["variables"]} == {"LIMIT": "42", "counter": "0"}


EXPRESSIONS = {
    "account.cents": "5",
    "account.secret()": '"Mia!"',
    'new Account("Zoe").deposit(3)': "3",
    "numbers.length + numbers[3]": "509",
    "points.get(1).x() * 2": "6",
    'ages.get("tea") > 2 && !text.isEmpty()': "true",
    "nothing == null || nothing.toString() == null": "true",
    "(Object) boxed instanceof Number": "true",
    "(byte) 300": "44",
    "7 / 2 + 7 % 4 + (7 >> 1)": "9",
    "1.0f / 3": "0.33333334",
    "'a' + 1": "98",
    '"" + letter + half + boxed + nothing': '"x0.57null"',
    "color == Color.GREEN ? LIMIT : -1": "42",
    "Integer.toHexString(255)": '"ff"',
    'String.format("%s-%d", text.trim(), boxed)': '"a \\"quote\\"-7"',
    "new int[]{4, 5}[1]": "5",
    "Long.MAX_VALUE + 1": str(-(1 << 63)),
    "table[1][1]": '"c"',
    "shape.area()": str((1 << 40) * 0.5).replace("549755813888.0", "5.49755813888E11"),
    "tour.Tour.counter": "0",
    "java.util.Collections.max(fixed)": '"two"',
    "points.stream().mapToInt(p -> p.x()).sum()": "4",
    'ages.entrySet().stream().map(e -> e.getKey() + e.getValue()).collect(Collectors.joining(","))': '"tea3,milk4"',
    "int sum = 0; for (int n : numbers) sum += n; sum": "9",
    "switch (color) { case RED -> 1; case GREEN -> 2; }": "2",
    "new Object() { int twice(int n) { return 2 * n; } }.twice(LIMIT)": "84",
}


async def test_expressions_are_javas(tour):
    async with paused(tour, "// values", "values") as (engine, stop):
        frame = stop["frame"]["id"]
        found = {one: await engine.evaluate(one, frame, seconds=30, timeout=20000) for one in EXPRESSIONS}
    assert found == EXPRESSIONS


FAILURES = {
    "missing": "not a variable",
    "account.missing": "no field",
    "account.deposit(1, 2)": "does not take",
    "nothing.toString()": "NullPointerException",
    "1 / 0": "ArithmeticException",
    'Long.parseLong("x")': "NumberFormatException",
    "numbers[500]": "ArrayIndexOutOfBoundsException",
    "text - 1": "does not take",
    "(String) (Object) boxed": "ClassCastException",
    "account..x": "cannot be read",
    '"open': "cannot be read",
    "fixed.stream().map(e -> e.nope())": "nope",
    "": "nothing to evaluate",
}


async def test_a_failing_expression_says_why(tour):
    async with paused(tour, "// values", "values") as (engine, stop):
        for expression, words in FAILURES.items():
            with pytest.raises(dap.Refused, match=words):
                await engine.evaluate(expression, stop["frame"]["id"], seconds=30)


async def test_a_snippet_may_name_a_class_that_nobody_loaded(tour):
    async with paused(tour, "// loop body", "loop", "3") as (engine, stop):
        text = "((Object) total) instanceof Point p ? p.x() : 7"
        assert await engine.evaluate(text, stop["frame"]["id"], seconds=30, timeout=20000) == "7"


async def test_assignments_change_the_program(tour):
    async with paused(tour, "// loop body", "loop", "3") as (engine, stop):
        frame = stop["frame"]["id"]
        assert await engine.evaluate("total = 100", frame) == "100"
        assert await engine.evaluate("total += i + 1", frame) == "101"
        assert await engine.evaluate("counter++", frame) == "0"
        assert await engine.evaluate("counter", frame) == "1"
        await engine.evaluate("for (int n = 0; n < 3; n++) total += n;", frame, timeout=20000)
        assert await engine.evaluate("total", frame) == "104"
        await engine.ask("setBreakpoints", source={"path": tour.source}, breakpoints=[])
        await engine.ask("continue", threadId=stop["threadId"])
        await engine.ended_with()
        assert engine.output("stdout").strip() == "107"


async def test_set_variable_answers_what_it_is_now(tour):
    async with paused(tour, "// values", "values") as (engine, stop):
        frame = stop["frame"]["id"]
        scope = (await engine.ask("scopes", frameId=frame))["scopes"][0]["variablesReference"]

        async def put(name, value, where=scope):
            return (await engine.ask("setVariable", variablesReference=where, name=name, value=value))["value"]

        assert await put("boxed", "8 + 1") == "9"
        assert await put("text", '"new"') == '"new"'
        assert await put("color", "Color.RED") == "Tour.Color.RED"
        assert await put("third", "2") == "2.0"
        with pytest.raises(dap.Refused, match="does not fit"):
            await put("half", '"x"')
        listed = (await engine.ask("variables", variablesReference=scope))["variables"]
        numbers = next(v for v in listed if v["name"] == "numbers")["variablesReference"]
        assert await put("[3]", "77", numbers) == "77"
        assert await engine.evaluate("numbers[3] + text", frame) == '"77new"'


async def test_a_breakpoint_inside_an_evaluation_neither_hangs_nor_lies(tour):
    async with paused(tour, "// string") as (engine, stop):
        where = [{"line": tour.line("// deposit")}, {"line": tour.line("// string")}]
        await engine.ask("setBreakpoints", source={"path": tour.source}, breakpoints=where)
        found = await engine.ask("evaluate", expression="account.deposit(1)", frameId=stop["frame"]["id"])
        assert found["result"] == "101" and "1 stops inside" in found["note"]
        assert await engine.evaluate("account.cents", stop["frame"]["id"]) == "101"
        await engine.ask("continue", threadId=stop["threadId"])
        assert (await engine.stopped())["frame"]["line"] == tour.line("// deposit")


async def test_an_evaluation_that_does_not_end_is_left_at_its_limit(tour):
    async with paused(tour, "// loop body", "loop", "3") as (engine, stop):
        with pytest.raises(dap.Refused, match="still running"):
            await engine.evaluate("Thread.sleep(60000)", stop["frame"]["id"], timeout=300)
        assert (await engine.ask("threads"))["threads"]


async def test_locals_without_debug_information_are_told_as_such(tmp_path):
    plain = build("Tour.java", tmp_path, "-g:source,lines")
    async with paused(plain, "// loop body", "loop", "3") as (engine, stop):
        assert "without -g" in (await engine.locals(stop["frame"]["id"]))["(locals)"]
        with pytest.raises(dap.Refused) as refused:
            await engine.evaluate("total", stop["frame"]["id"])
        assert "-g" in refused.value.body["hint"]


async def test_stale_ids_are_refused(tour):
    async with paused(tour, "// loop body", "loop", "3") as (engine, stop):
        await engine.ask("continue", threadId=stop["threadId"])
        await engine.stopped()
        with pytest.raises(dap.Refused, match="not of the present stop"):
            await engine.ask("scopes", frameId=stop["frame"]["id"])


async def test_a_lambda_sees_what_it_captured(tour):
    async with paused(tour, "// lambda", "lambdas") as (engine, stop):
        if "lambda$" not in stop["frame"]["name"]:  # the line is that of its creation too
            await engine.ask("continue", threadId=stop["threadId"])
            stop = await engine.stopped()
        assert await engine.locals(stop["frame"]["id"]) == {"base": "10", "n": "5"}


async def test_a_frame_is_restarted(tour):
    async with paused(tour, "// bottom", "recurse") as (engine, stop):
        await engine.ask("restartFrame", frameId=stop["frame"]["id"])
        stop = await engine.stopped()
        assert stop["frame"]["name"] == "Tour.recurse"


async def test_the_engine_runs_as_a_command_of_ours(tour):
    async with dap.engine(ENGINE[0], "-m", "dapwright", "adapter", "jvm") as engine:
        await engine.begin(mainClass="tour.Tour", classpath=[tour.classes], args=["exit"])
        assert (await engine.ended_with())["exitCode"] == 7
