"""A real program for traces: the standard library's parser and unparser over its own modules; times itself.

python unparsing.py ROUNDS
"""

import ast
import sys
import time
from pathlib import Path

MODULES = ("argparse", "ast", "dataclasses", "difflib", "inspect", "textwrap", "tokenize")


def weigh(tree: ast.AST) -> int:
    """How many statements a module has."""
    return sum(isinstance(node, ast.stmt) for node in ast.walk(tree))


def rewrite(path: Path) -> int:
    """Parse a module, write it anew, and count what is in it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return len(ast.unparse(tree)) + weigh(tree)


def main() -> None:
    """Rewrite every module, as often as asked."""
    folder = Path(ast.__file__).parent
    began = time.perf_counter()
    written = sum(rewrite(folder / f"{name}.py") for _ in range(int(sys.argv[1])) for name in MODULES)
    print(f"written={written} took={(time.perf_counter() - began) * 1000:.1f}", file=sys.stderr)


main()
