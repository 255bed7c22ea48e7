"""What swc, webpack, vite and rollup make of TypeScript: breakpoints, stack, names and steps in the source."""

import os
import subprocess

import pytest
from dap import line_of
from toolchains import NODE_MODULES, needs

pytestmark = pytest.mark.live

UTIL = """\
export class Scale {
  constructor(private by: number) {}
  of(weight: number): number { return this.by * weight; } // ONE LINE
}
export function scale(weight: number): number {
  const scaled: number = new Scale(3).of(weight); // SCALE
  return scaled > 1 ? scaled + 1 : scaled; // SCALED
}
"""
MAIN = """\
import { scale } from './util';
interface Box { weight: number }
const box: Box = { weight: Number(process.env.WEIGHT ?? '4') }; // LOADS
console.log(scale(box.weight), scale(box.weight + 1)); // CALL
"""
TRANSPILE = """
const ts = require('typescript');
const transpile = (text, file, module) => ts.transpileModule(text, { fileName: file, compilerOptions: {
  sourceMap: true, target: 'es2022', module } });
"""
BUILDS = {
    "swc": """
const swc = require('@swc/core'), fs = require('fs');
fs.mkdirSync('dist');
for (const name of ['main', 'util']) {
  const made = swc.transformFileSync(`src/${name}.ts`, { sourceMaps: true, outputPath: 'dist',
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, module: { type: 'commonjs' } });
  fs.writeFileSync(`dist/${name}.js`, made.code + `\\n//# sourceMappingURL=${name}.js.map\\n`);
  fs.writeFileSync(`dist/${name}.js.map`, made.map);
}""",
    "webpack": TRANSPILE
    + """
require('fs').writeFileSync('loader.js', `${TRANSPILE}
module.exports = function (text) {
  const made = transpile(text, this.resourcePath, 'es2022');
  this.callback(null, made.outputText, { ...JSON.parse(made.sourceMapText), sources: [this.resourcePath],
    sourcesContent: [text] });
};`);
require('webpack')({ mode: process.env.MODE, target: 'node', devtool: 'source-map', entry: './src/main.ts',
  context: process.cwd(), output: { path: process.cwd() + '/dist', filename: 'main.js' },
  resolve: { extensions: ['.ts', '.js'] }, module: { rules: [{ test: /[.]ts$/, use: process.cwd() + '/loader.js' }] },
}, (bad, stats) => { if (bad || stats.hasErrors()) { console.error(bad || stats.toString()); process.exit(1); } });
""",
    "vite": """
require('vite').build({ logLevel: 'error', configFile: false, build: { ssr: 'src/main.ts', sourcemap: true,
  minify: process.env.MODE === 'production', rollupOptions: { output: { entryFileNames: 'main.mjs' } } } });""",
    "rollup": TRANSPILE
    + """
const plugin = { name: 'ts', resolveId: (name, from) => name.startsWith('./') && from
  ? require('path').join(require('path').dirname(from), name + '.ts') : null,
  transform(text, id) { const made = transpile(text, id, 'es2022');
    return { code: made.outputText, map: JSON.parse(made.sourceMapText) }; } };
require('rollup').rollup({ input: process.cwd() + '/src/main.ts', plugins: [plugin] })
  .then((b) => b.write({ file: 'dist/main.mjs', format: 'es', sourcemap: true }));""",
}


@pytest.mark.parametrize(
    ("tool", "mode", "out"),
    [
        ("swc", "", "dist/main.js"),
        ("webpack", "development", "dist/main.js"),
        ("webpack", "production", "dist/main.js"),
        ("vite", "development", "dist/main.mjs"),
        ("vite", "production", "dist/main.mjs"),
        ("rollup", "", "dist/main.mjs"),
    ],
)
async def test_what_a_builder_made_is_debugged_in_its_source(node, js, tool, mode, out):
    needs("tsc")
    main, util = js.folder / "src" / "main.ts", js.folder / "src" / "util.ts"
    main.parent.mkdir()
    main.write_text(MAIN)
    util.write_text(UTIL)
    (js.folder / "package.json").write_text('{"name": "built"}')
    (js.folder / "build.cjs").write_text(f"const TRANSPILE = {TRANSPILE!r};\n{BUILDS[tool]}")
    env = {**os.environ, "NODE_PATH": str(NODE_MODULES), "MODE": mode}
    subprocess.run(["node", "build.cjs"], check=True, cwd=js.folder, env=env, timeout=60)
    at_main, at_util = [line_of(main, "// LOADS")], [line_of(util, "// ONE LINE"), line_of(util, "// SCALED")]
    wanted = {str(f): [{"line": n} for n in lines] for f, lines in ((main, at_main), (util, at_util))}
    await node.begin(program=str(js.folder / out), cwd=str(js.folder), breakpoints=wanted)
    seen = []
    for _ in range(3):
        stop = await node.stopped(seconds=20)
        seen.append((stop["frame"]["source"]["path"], stop["frame"]["line"]))
        last, stop = stop, await node.ask("continue", threadId=1) if len(seen) < 3 else stop
    assert seen == [(str(main), at_main[0]), (str(util), at_util[0]), (str(util), at_util[1])]
    frames = (await node.ask("stackTrace", threadId=1, levels=2))["stackFrames"]
    assert (frames[1]["source"]["path"], frames[1]["line"]) == (str(main), line_of(main, "// CALL"))
    if mode != "production":
        assert (await node.locals(last["frame"]["id"]))["scaled"] == "12"
    for file in wanted:
        await node.ask("setBreakpoints", source={"path": file}, breakpoints=[])
    await node.ask("stepOut", threadId=1)
    out = await node.stopped()
    assert out["frame"]["source"]["path"] == str(main) and out["returnValue"]["value"] == "13"
    await node.ask("continue", threadId=1)
    assert (await node.ended_with(seconds=20))["exitCode"] == 0 and node.output("stdout") == "13 16\n"
