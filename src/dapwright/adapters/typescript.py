"""TypeScript on Node.js: the engine of JavaScript, which reads source maps and finds what runs a `.ts` file."""

from msgspec.structs import replace

from dapwright.adapters import javascript
from dapwright.core.model import Host
from dapwright.core.parts import Installing, Part, told

TSX = Part("tsx", ("npm install -g tsx",))
NPM = Part("npm", ("apt-get install npm",), "https://nodejs.org")


def installs(host: Host) -> Installing:
    """Node.js; and tsx, which runs TypeScript of any kind."""
    node = () if host.which("node") else (javascript.NODE,)
    npm = () if node or host.which("npm") else (NPM,)
    return (*node, *npm, *(() if host.which("tsx") else (TSX,)))
    yield  # a generator that asks nothing


ADAPTER = replace(
    javascript.ADAPTER,
    language="typescript",
    display_name="TypeScript",
    extensions=(".ts", ".tsx", ".mts", ".cts"),
    aliases=("ts", "tsx"),
    tested="run for real here: tsc 5.9, tsx 4, ts-node 10, esbuild, swc, webpack, vite, rollup, Deno 2.9, "
    "Node's own type stripping (22.20)",
    setup=told(javascript.NODE, TSX) + ", or compile with source maps and run the result",
    installs=installs,
)
