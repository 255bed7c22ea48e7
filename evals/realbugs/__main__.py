"""Play the evidence tools over the real bugs, and print what they showed and cost.

python -m evals.realbugs [--only WORD]... [--check] [--answers FILE] [--table FILE]

Needs the package and pytest in the interpreter that runs it, and a registry that pip can reach.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2] / "bench")]

from evals.realbugs import report  # noqa: E402
from evals.realbugs.corpus import Bug, read  # noqa: E402
from evals.realbugs.installing import Unreachable, install, passes  # noqa: E402
from evals.realbugs.playing import Played, play  # noqa: E402


def check(bugs: Sequence[Bug]) -> int:
    """Prove each bug: its test fails at the release that has it and passes at the mended one."""
    wrong = 0
    for bug in bugs:
        has, words = passes(bug, install(bug))
        mended, more = passes(bug, install(bug, fixed=True))
        good = mended and not has
        wrong += not good
        said = f"fails at {bug.version}, passes at {bug.fixed}" if good else (words if has else more)[-1500:]
        print(f"{bug.name:24} {'proved' if good else 'WRONG '} {said}", flush=True)
    return wrong


def played(bugs: Sequence[Bug]) -> Iterator[Played]:
    """Play them one after the other; what cannot be installed is told and left out."""
    for bug in bugs:
        try:
            folder = install(bug)
        except Unreachable as no:
            print(f"{bug.name:24} not installed: {no}", flush=True)
            continue
        one = play(bug, folder)
        marks = " ".join(
            f"{name} {'shown ' if getattr(one, name) else 'MISSED'}" for name in ("frame", "value", "function")
        )
        cost = f"{one.seen.calls} calls {one.seen.characters:6} characters {one.seen.seconds:5.1f} s"
        print(f"{bug.name:24} {marks} {cost} {one.refused[:200]}", flush=True)
        yield one


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, or check; 1 where a bug could not be proved or none was played."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], help="bugs with this word in their name")
    parser.add_argument("--check", action="store_true", help="no tools: prove that each test fails and passes")
    parser.add_argument("--answers", type=Path, help="write what each tool answered, whole")
    parser.add_argument("--table", type=Path, help="write the table as Markdown")
    asked = parser.parse_args(arguments)
    bugs = [bug for bug in read() if not asked.only or any(word in bug.name for word in asked.only)]
    if asked.check:
        return min(check(bugs), 1)
    runs: list[Played] = []
    for one in played(bugs):  # written anew after each: a run that is broken off leaves what it has
        runs.append(one)
        if asked.answers:
            asked.answers.write_text(report.answers(runs), encoding="utf-8")
        if asked.table:
            asked.table.write_text(report.table(runs) + "\n", encoding="utf-8")
    print(f"\n{report.sums(runs)}")
    return 0 if runs else 1


if __name__ == "__main__":
    raise SystemExit(main())
