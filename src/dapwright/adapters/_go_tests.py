"""Go tests, as launches of a package's own test binary."""

import re
from collections.abc import Generator

from dapwright.core.errors import UsageError
from dapwright.core.model import Host, Launch, Ran, Run, TestCommand, TestTarget, Wording

FAILING = ("testing.(*common).Fail",)
"""Each of Error, Errorf, Fatal, FailNow and testify's assertions comes through it, after its message is printed."""


DEFINED = re.compile(r"^func ((?:Test|Example|Fuzz)\w*)\(", re.M)


def pattern(name: str) -> str:
    """`-test.run` for exactly one test and its subtests: `TestX/a b` is `^TestX$/^a_b$`."""
    return "/".join(f"^{re.escape(part.replace(' ', '_'))}$" for part in name.split("/")) if name else "."


def test_command(target: TestTarget, host: Host) -> Generator[Run, Ran, TestCommand]:
    """The package that has the test, run for that test alone.

    Raises:
        UsageError: no package has it.
    """
    place, _, name = target.test.rpartition("::")
    if not place and (target.test.endswith(".go") or target.test.startswith(("./", "/")) or target.test == "."):
        place, name = target.test, ""
    folder = _folder(place, name, target.cwd, host)
    word = pattern(name) if name else _of_file(place, folder, host)
    chosen = {"run": word}
    if name.startswith("Benchmark"):
        chosen = {"run": "^$", "bench": word, "benchtime": "1x"}
    asked = tuple(f"-test.{flag}={value}" for flag, value in chosen.items())
    launch = Launch(
        program=folder,
        args=("-test.v", *asked, *target.args),
        env=target.env,
        cwd=folder,
        test=True,
        config={**target.config, "mode": "test"},
    )
    rerun = ("go", "test", *(part for flag, value in chosen.items() for part in (f"-{flag}", value)), folder)
    return TestCommand(launch, rerun=rerun, functions=FAILING, wording=WORDING, test_word=word)
    yield  # a generator that asks nothing: which package has a test is read from its sources


def _of_file(place: str, folder: str, host: Host) -> str:
    """`-test.run` for the tests that one file defines; for all where no file is named, or one that defines none."""
    if not place.endswith(".go"):
        return "."
    names = DEFINED.findall(host.read(f"{folder}/{place.rpartition('/')[2]}"))
    return f"^({'|'.join(names)})$" if names else "."


def _folder(place: str, name: str, cwd: str, host: Host) -> str:
    if place:
        if place.endswith("..."):
            raise UsageError(
                f"`{place}` means several packages, each a program of its own", "pass one package's folder"
            )
        path = place if place.startswith("/") else f"{cwd}/{place.removeprefix('.').removeprefix('/')}".rstrip("/")
        return path.rpartition("/")[0] if path.endswith(".go") else path
    top = name.split("/")[0]
    wanted = re.compile(rf"^func {re.escape(top)}\(", re.M)
    here = [path for path in host.glob(f"{cwd}/*_test.go") if wanted.search(host.read(path))]
    found = here or [path for path in host.glob(f"{cwd}/**/*_test.go") if wanted.search(host.read(path))]
    folders = sorted({path.rpartition("/")[0] for path in found})
    if len(folders) == 1:
        return folders[0]
    if not folders:
        if host.glob(f"{cwd}/*_test.go"):
            return cwd  # a suite's method, or a test made by a generator: the runner knows
        raise UsageError(f"no `func {top}` in the *_test.go files below `{cwd}`", "pass the package's folder as `cwd`")
    raise UsageError(f"`{top}` is in several packages: {', '.join(folders)}", f"pass `FOLDER::{name}`")


SIDES = (
    re.compile(r"^expected:\s*(?P<left>.+)\nactual\s*:\s*(?P<right>.+)$", re.M),
    re.compile(
        r"^(?:.*?(?:=|got:?)\s+)?(?P<left>[^\n,;]+?)[,;]? (?:but )?(?:want(?:ed)?|expected):?\s+(?P<right>[^\n]+)$",
        re.M,
    ),
)
"""testify's two lines, and the common `got X, want Y`, `f(1) = X, want Y`."""
LONGEST = 1_000
"""Characters of a message that are searched for its sides: more take the patterns, quadratic in a line, too long."""
OUTCOME = re.compile(r"^\s*--- (PASS|FAIL|SKIP): (\S+)", re.M)
MEASURED = re.compile(r"^Benchmark\S+\s+\d+\s+[\d.]+ ns/op", re.M)
EXAMPLE = re.compile(
    r"^--- FAIL: (Example\S*).*\ngot:\n(?P<left>.*?)\nwant:\n(?P<right>.*?)\n(?=^(?:FAIL|PASS|===|---|exit))",
    re.M | re.S,
)


def compare(message: str) -> dict[str, str] | None:
    """The two sides that a failure's message names, in its own order; None where it names none."""
    text = re.sub(r"^\S+_test\.go:\d+: ", "", message.strip()[:LONGEST])
    for sides in SIDES:
        if found := sides.search(text):
            return {"left": found["left"].strip(), "right": found["right"].strip()}
    return None


def ended(output: str, code: int | None) -> dict[str, object]:
    """What `go test -v` said: how many passed, failed, were skipped; the first example that printed another thing."""
    words = {"PASS": "passed", "FAIL": "failed", "SKIP": "skipped"}
    counts: dict[str, int] = {}
    for verdict, _ in OUTCOME.findall(output):
        counts[words[verdict]] = counts.get(words[verdict], 0) + 1
    if measured := len(MEASURED.findall(output)):
        counts["passed"] = counts.get("passed", 0) + measured
    if not counts:
        return {"testPassed": None, "message": "no test of that name ran"} if code == 0 else {}
    listed = ", ".join(f"{count} {word}" for word, count in counts.items())
    told: dict[str, object] = {"tests": counts, "message": f"the runner says: {listed}"}
    if counts == {"skipped": counts.get("skipped")}:
        told["testPassed"] = None
    if found := EXAMPLE.search(output):
        sides = {"left": found["left"], "right": found["right"]}
        told["failure"] = {"test": found[1], "message": "the example printed something else", "comparison": sides}
    return told


def panic(value: str) -> str:
    """A panic's value without its interface: `runtime error: integer divide by zero`, `"text"`, `main.T {...}`."""
    found = re.match(r"(?:interface \{\}|error|any)\(([^()]*)\) (.*)$", value, re.S)
    if found is None:
        return value
    kind, said = found[1], found[2]
    if kind.startswith("runtime."):
        return "runtime error: " + said.strip('"')
    return said if kind == "string" else f"{kind} {said}"


WORDING = Wording(
    compare,
    ended,
    looks=(("testing.(*common).Fail", "c.name", "test"), ("runtime.gopanic", "e", "panic")),
    panic=panic,
    rerun=pattern,
)
