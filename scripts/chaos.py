"""Try every fault at every step of a session and print the table: `python scripts/chaos.py [SHAPE...]`."""

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1] / "tests" / below) for below in ("", "chaos")]
import matrix  # noqa: E402


class Patch:
    """Sets attributes for good: this process ends with it."""

    def setattr(self, owner: object, name: str, value: object) -> None:
        setattr(owner, name, value)


def main(shapes: tuple[str, ...]) -> int:
    """Print a row a deed; the exit code tells whether all held."""
    folder = matrix.write_programs(Path(tempfile.mkdtemp(prefix="dapwright-chaos-")))
    expected = {shape: matrix.reference(folder, shape, Patch()) for shape in shapes}
    tried, reached, failed = Counter[str](), Counter[str](), list[str]()
    began = time.monotonic()
    for cell in matrix.cells(shapes):
        tried[cell[1]] += 1
        try:
            reached[cell[1]] += matrix.tried(cell, folder, expected[cell[0]], Patch())
        except AssertionError as wrong:
            failed.append(f"{cell}: {str(wrong)[:300]}")
    print("| deed | expected | cells | reached |\n| --- | --- | ---: | ---: |")
    for deed in matrix.DEEDS:
        kind = next((k for k in ("HARMLESS", "LETHAL", "MUTE") if deed in getattr(matrix, k)), "told").lower()
        print(f"| {deed} | {kind} | {tried[deed]} | {reached[deed]} |")
    seconds = time.monotonic() - began
    print(f"\n{tried.total()} cells, {reached.total()} reached, {len(failed)} failed, {seconds:.0f} s")
    print("\n".join(failed), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:]) or matrix.SHAPES))
