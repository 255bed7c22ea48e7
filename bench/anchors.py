"""How long a statement takes to be found in a file of 100,000 lines: `python bench/anchors.py`."""

import contextlib
import sys
import time
from collections.abc import Callable

from dapwright.core import anchors, source
from dapwright.core.errors import UsageError

PYTHON = '''@traced
def job_{n}(value, limit="# {n}"):
    """Say what job {n} does."""
    total = value + {n}  # a comment
    if total > limit:
        total = check(
            total,
            'it is # not a comment',
        )
    return total

'''
SCRIPT = """/** Say what job {n} does. */
function job_{n}(value, limit = "// {n}") {{
  const total = value + {n}; // a comment
  if (total > limit) {{
    return check(
      total,
      `it is // not a comment`,
    );
  }}
  return total;
}}

"""
LINES = 100_000
RUNS = 5


def measure(what: str, make: Callable[[], source.Structure], call: Callable[[source.Structure], object]) -> None:
    """Print what first calls take (a file just read), these once it is parsed, and later ones, in milliseconds.

    The least of several: other work on the machine only adds.
    """
    first: list[float] = []
    parsed: list[float] = []
    later: list[float] = []
    for _ in range(RUNS):
        structure = make()
        for times in (first, parsed, later):
            if times is parsed:  # a call in a file that is parsed already, with nothing else known of it
                structure = source.Structure(structure.file)
            start = time.perf_counter()
            with contextlib.suppress(UsageError):
                call(structure)
            times.append((time.perf_counter() - start) * 1000)
    print(f"{what:44} first {min(first):8.1f} ms   parsed {min(parsed):8.1f} ms   later {min(later):8.1f} ms")


def measure_language(name: str, path: str, piece: str, mark: str, end: str) -> None:
    """Measure what an agent's call costs in a file of one language."""
    count = LINES // piece.count("\n")
    text = "".join(piece.replace("{{", "{").replace("}}", "}").replace("{n}", str(n)) for n in range(count))
    middle = count // 2
    statement = f"{mark}total = value + {middle}{end}"

    def make() -> source.Structure:
        return source.Structure(source.of_text(path, text))

    lines = make().file.lines
    line = next(n for n, t in enumerate(lines, 1) if t.strip().startswith(statement))
    print(f"{name}: {len(lines):,} lines, {len(text) / 1e6:.1f} MB")
    within, nowhere = f"job_{middle}", "total = valeu + 7" + end
    measure("  a unique statement", make, lambda s: anchors.resolve(s, statement=statement))
    measure("  a statement within a function", make, lambda s: resolve_in(s, "return total" + end, within))
    measure("  a statement that is nowhere", make, lambda s: anchors.resolve(s, statement=nowhere))
    measure("  a statement on every tenth line", make, lambda s: anchors.resolve(s, statement="return total" + end))
    measure("  a line and its text", make, lambda s: anchors.check_line(s, line, statement))
    measure("  a line that moves", make, lambda s: anchors.move(s, line - 1))
    measure("  a function", make, lambda s: anchors.functions(s, within))
    measure("  a function that is nowhere", make, lambda s: anchors.functions(s, "jobs_of_7"))
    measure("  surroundings of an anchor", make, lambda s: anchors.surroundings(s, line, statement))


def resolve_in(structure: source.Structure, statement: str, function: str) -> object:
    """Resolve a statement within a function."""
    return anchors.resolve(structure, statement=statement, function=function)


if __name__ == "__main__":
    print(sys.version.split()[0])
    measure_language("python", "big.py", PYTHON, "", "")
    measure_language("javascript", "big.js", SCRIPT, "const ", ";")
