"""The architecture as a test: the direction of imports, purity, sizes."""

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[1] / "src" / "dapwright"
LAYERS = [
    ["core"],
    ["adapters", "policy"],
    [
        "client",
        "transport",
        "guard",
        "launcher",
        "files",
        "described",
        "leases",
        "watchers",
        "builds",
        "bounds",
        "freshness",
    ],
    ["session"],
    ["sessions"],
    ["evidence"],
    ["tools"],
    ["server", "cli", "commands", "demo", "agents", "checkup", "__main__"],
]
"""A module imports what stands above it here, or beside it. A package or a module prefix counts for all below it."""
PURE = ["core", "adapters", "policy"]
DOING = {"asyncio", "socket", "subprocess", "os", "time", "random", "threading", "pathlib", "shutil", "secrets"}
EDGE_ONLY = {
    "mcp": ("server.http", "server.router", "demo"),
    "starlette": ("server.http", "server.router", "server.page"),
}
MAX_FILE, MAX_FUNCTION = 300, 45
FILES = sorted(SRC.rglob("*.py"))


def name(path: Path) -> str:
    return ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")


def within(module: str, prefix: str) -> bool:
    return module == prefix or module.startswith(prefix + ".")


def rank(module: str) -> int | None:
    best = [(len(p), i) for i, layer in enumerate(LAYERS) for p in layer if within(module, p)]
    return max(best)[1] if best else None


@functools.cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            if node.module.split(".")[0] == "dapwright":
                yield from (f"{node.module}.{alias.name}" for alias in node.names)


def ours(path: Path) -> Iterator[str]:
    for target in imports(path):
        if target.startswith("dapwright."):
            yield target.removeprefix("dapwright.")


@pytest.mark.parametrize("path", FILES, ids=name)
def test_imports_point_one_way(path):
    me = name(path)
    if within(me, "engines"):
        assert all(within(t, "core") or within(t, "engines") for t in ours(path)), me
        return
    if within(me, "inject"):
        assert not list(ours(path)), me
        return
    for target in ours(path):
        above, here = rank(target), rank(me)
        if above is not None and here is not None:
            assert above <= here, f"{me} imports {target}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_pure_modules_do_nothing(path):
    if not any(within(name(path), prefix) for prefix in PURE):
        return
    assert not DOING & {target.split(".")[0] for target in imports(path)}
    for node in ast.walk(tree(path)):
        assert not isinstance(node, (ast.AsyncFunctionDef, ast.Await)), name(path)
        assert not (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "open"), name(path)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_heavy_libraries_stay_at_the_edge(path):
    for library, allowed in EDGE_ONLY.items():
        if library in {target.split(".")[0] for target in imports(path)}:
            assert any(within(name(path), prefix) for prefix in allowed), f"{name(path)} imports {library}"


@pytest.mark.parametrize("path", FILES, ids=name)
def test_only_the_core_calls_text_safe(path):
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Safe":
            assert within(name(path), "core"), name(path)


@pytest.mark.parametrize("path", FILES, ids=name)
def test_sizes(path):
    assert len(path.read_text().splitlines()) <= MAX_FILE, f"{name(path)} is too long"
    for node in ast.walk(tree(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno - node.lineno < MAX_FUNCTION, f"{name(path)}.{node.name}"
