"""TypeScript on Node.js: the engine of JavaScript, which reads source maps and finds what runs a `.ts` file."""

from msgspec.structs import replace

from dapwright.adapters import javascript

ADAPTER = replace(
    javascript.ADAPTER,
    language="typescript",
    display_name="TypeScript",
    extensions=(".ts", ".tsx", ".mts", ".cts"),
    aliases=("ts", "tsx"),
    tested="run for real here: tsc 5.9, tsx 4, ts-node 10, esbuild, swc, webpack, vite, rollup, Deno 2.9, "
    "Node's own type stripping (22.20)",
    setup="`npm install -g tsx`, or compile with source maps and run the result",
)
