"""TypeScript and bundles: breakpoints, stacks and steps in the source that a person wrote."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from dap import line_of

pytestmark = pytest.mark.live


def tool(name):
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"there is no `{name}` on PATH")
    return found


def tsc(source, out, *options, module="commonjs"):
    argv = [tool("tsc"), "--target", "es2020", "--module", module, "--outDir", str(out), *options, str(source)]
    subprocess.run(argv, check=True, capture_output=True, cwd=Path(source).parent)


async def stops_twice(node, source, **launch):
    """At a line that runs while the module loads, then inside a function."""
    wanted = [{"line": line_of(source, "console.log('area'")}, {"line": line_of(source, "return squared;")}]
    await node.begin(breakpoints={source: wanted}, **launch)
    stop = await node.stopped(seconds=20)
    assert (stop["frame"]["line"], stop["frame"]["source"]["path"]) == (wanted[0]["line"], source), node.story()
    await node.ask("continue", threadId=stop["threadId"])
    inner = await node.stopped()
    assert (inner["frame"]["line"], inner["frame"]["name"]) == (wanted[1]["line"], "area")
    assert (await node.locals(inner["frame"]["id"]))["squared"] == "9"
    frames = (await node.ask("stackTrace", threadId=inner["threadId"]))["stackFrames"]
    users = [f["source"]["path"] for f in frames if f.get("presentationHint") != "subtle"]
    assert set(users) == {source}, users
    await node.ask("continue", threadId=stop["threadId"])
    assert (await node.ended_with(seconds=20))["exitCode"] == 0
    assert node.output("stdout") == "area 9\n"


@pytest.mark.parametrize("options", [["--sourceMap"], ["--inlineSourceMap"], ["--sourceMap", "--sourceRoot", "../src"]])
async def test_what_tsc_made_as_commonjs(node, js, options):
    source = js("shape.ts", "src/shape.ts")
    tsc(source, js.folder / "out", *options)
    await stops_twice(node, source, program=str(js.folder / "out" / "shape.js"), cwd=str(js.folder))


async def test_what_tsc_made_as_an_es_module(node, js):
    source = js("shape.ts", "src/shape.ts")
    (js.folder / "package.json").write_text('{"type": "module"}')
    tsc(source, js.folder / "dist", "--sourceMap", module="es2020")
    await stops_twice(node, source, program=str(js.folder / "dist" / "shape.js"), cwd=str(js.folder))


async def test_a_typescript_file_is_run_as_it_is(node, js):
    tool("tsx")
    source = js("shape.ts")
    await stops_twice(node, source, program=source, cwd=str(js.folder))


async def test_a_typescript_module_is_run_as_it_is(node, js):
    tool("tsx")
    source = js("shape.ts", "shape.mts")
    await stops_twice(node, source, program=source, cwd=str(js.folder))


async def test_ts_node_runs_it(node, js):
    register = Path(tool("ts-node")).resolve().parent.parent / "register" / "transpile-only.js"
    if not register.is_file():
        pytest.skip("this ts-node has no register hook")
    source = js("shape.ts")
    (js.folder / "tsconfig.json").write_text('{"compilerOptions": {"target": "es2020", "module": "commonjs"}}')
    await stops_twice(node, source, program=source, cwd=str(js.folder), runtimeArgs=["--require", str(register)])


async def test_node_strips_the_types_itself(node, js):
    version = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout[1:].split(".")
    if tuple(map(int, version[:2])) < (22, 6):
        pytest.skip(f"node {'.'.join(version).strip()} does not strip types")
    source = js("shape.ts")
    flags = ["--experimental-strip-types", "--no-warnings"]
    await stops_twice(node, source, program=source, cwd=str(js.folder), runtimeExecutable="node", runtimeArgs=flags)


def esbuild():
    for folder in (Path(tool("tsx")).resolve().parents[1], Path(tool("tsx")).resolve().parents[2]):
        for found in folder.glob("**/esbuild/bin/esbuild"):
            return str(found)
    return pytest.skip("tsx brought no esbuild")


@pytest.mark.parametrize(
    "options", [["--format=cjs"], ["--format=esm", "--outfile=dist/app.mjs"], ["--minify", "--format=cjs"]]
)
async def test_a_bundle_of_esbuild(node, js, options):
    binary = esbuild()
    util = js.folder / "src" / "util.ts"
    util.parent.mkdir()
    util.write_text(
        "export function scale(n: number): number {\n  const by = 3; // BY\n  return n * by; // SCALED\n}\n"
    )
    main = js.folder / "src" / "main.ts"
    main.write_text("import { scale } from './util';\nconst n: number = Number('4');\nconsole.log(scale(n)); // CALL\n")
    out = next((o.partition("=")[2] for o in options if o.startswith("--outfile")), "dist/app.cjs")
    argv = [binary, str(main), "--bundle", "--sourcemap", "--platform=node", f"--outfile={out}", *options]
    subprocess.run(argv, check=True, capture_output=True, cwd=js.folder)
    wanted = [{"line": line_of(util, "// SCALED")}]
    await node.begin(program=str(js.folder / out), cwd=str(js.folder), breakpoints={str(util): wanted})
    stop = await node.stopped()
    frames = (await node.ask("stackTrace", threadId=1, levels=2))["stackFrames"]
    assert (stop["frame"]["line"], stop["frame"]["source"]["path"]) == (wanted[0]["line"], str(util))
    assert frames[1]["source"]["path"] == str(main) and frames[1]["line"] == line_of(main, "// CALL")
    await node.ask("stepOut", threadId=1)
    assert (await node.stopped())["frame"]["source"]["path"] == str(main)


async def test_an_index_map_and_a_made_up_root(node, js):
    """Two files joined into one script, their maps as sections with `webpack://` addresses."""
    one, two = js.folder / "src" / "one.js", js.folder / "src" / "two.js"
    one.parent.mkdir()
    one.write_text("function one() {\n  return 1; // ONE\n}\n")
    two.write_text("console.log(one()); // TWO\n")
    plain = lambda name, lines: {  # noqa: E731
        "version": 3,
        "sources": [f"webpack://app/./src/{name}"],
        "names": [],
        "mappings": ";".join(["AAAA"] + ["AACA"] * (lines - 1)),
    }
    sections = [
        {"offset": {"line": 0, "column": 0}, "map": plain("one.js", 3)},
        {"offset": {"line": 3, "column": 0}, "map": plain("two.js", 1)},
    ]
    bundle = js.folder / "dist" / "bundle.js"
    bundle.parent.mkdir()
    bundle.write_text(one.read_text() + two.read_text() + "//# sourceMappingURL=bundle.js.map\n")
    Path(f"{bundle}.map").write_text(json.dumps({"version": 3, "sections": sections}))
    (js.folder / "package.json").write_text("{}")
    await node.begin(
        program=str(bundle), cwd=str(js.folder), breakpoints={str(one): [{"line": 2}], str(two): [{"line": 1}]}
    )
    for path, number in ((two, 1), (one, 2)):
        stop = await node.stopped()
        assert (stop["frame"]["source"]["path"], stop["frame"]["line"]) == (str(path), number)
        await node.ask("continue", threadId=1)
    assert (await node.ended_with())["exitCode"] == 0


async def test_a_function_by_name_and_an_exception_in_typescript(node, js):
    source = js("shape.ts", "src/shape.ts")
    Path(source).write_text(
        Path(source).read_text() + "function fails(): never {\n  throw new Error('typed'); // FAILS\n}\nfails();\n"
    )
    tsc(source, js.folder / "out", "--sourceMap")
    await node.begin(program=str(js.folder / "out" / "shape.js"), cwd=str(js.folder), functions=[{"name": "area"}])
    stop = await node.stopped()
    assert (stop["reason"], stop["frame"]["name"]) == ("function breakpoint", "area")
    assert stop["frame"]["source"]["path"] == source
    await node.ask("continue", threadId=1)
    thrown = await node.stopped()
    assert thrown["reason"] == "exception" and thrown["frame"]["line"] == line_of(source, "// FAILS")


async def test_deno_by_its_own_inspector(node, js):
    source = js("shape.ts")
    wanted = [{"line": line_of(source, "return squared;")}]
    await node.begin(
        program=source,
        runtimeExecutable=tool("deno"),
        stopOnEntry=True,
        breakpoints={source: wanted},
        cwd=str(js.folder),
    )
    entry = await node.stopped(seconds=20)
    assert (entry["reason"], entry["frame"]["source"]["path"]) == ("entry", source)
    await node.ask("continue", threadId=entry["threadId"])
    inner = await node.stopped()
    assert (inner["frame"]["line"], inner["frame"]["name"]) == (wanted[0]["line"], "area")
    assert (await node.locals(inner["frame"]["id"]))["squared"] == "9"
    await node.ask("next", threadId=entry["threadId"])
    assert (await node.stopped())["returnValue"]["value"] == "9"
    await node.ask("continue", threadId=entry["threadId"])
    assert (await node.ended_with(seconds=20))["exitCode"] == 0
    assert node.output("stdout") == "area 9\n" and node.output("stderr") == ""


async def test_what_the_top_of_a_file_throws_under_tsx_is_unhandled(node, js):
    tool("tsx")
    file = js.folder / "top.ts"
    file.write_text(
        "function fail(code: number) { throw new RangeError('broken ' + code); }\n"
        "try { fail(1); } catch (e) { console.log('met'); }\n"
        "[1].forEach((n: number) => { try { fail(n); } catch (e) {} });\n"
        "fail(7);\n"
    )
    await node.begin(program=str(file), cwd=str(js.folder))
    stop = await node.stopped(seconds=20)
    assert (stop["reason"], stop["text"]) == ("exception", "RangeError: broken 7"), node.story()
    info = await node.ask("exceptionInfo", threadId=stop["threadId"])
    assert info["breakMode"] == "unhandled"
