"""What Go's runner, its race detector and `go version -m` say, read."""

import pytest
from adapters.test_native import drive, host

from dapwright.adapters import _go_builds, _go_delve, _go_values, find
from dapwright.adapters._go_tests import compare, ended, panic
from dapwright.core.model import Host, Ran
from dapwright.core.parts import commands

GO = {"go": "/usr/bin/go", "apt-get": "/usr/bin/apt-get"}
RACE = """==================
WARNING: DATA RACE
Write at 0x00c000012345 by goroutine 6:
  main.race.func1()
      /m/main.go:41 +0x44

Previous write at 0x00c000012345 by main goroutine:
  main.race()
      /m/main.go:42 +0x104

Goroutine 6 (running) created at:
  main.race()
      /m/main.go:41 +0xfa
==================
"""


@pytest.mark.parametrize(
    ("message", "sides"),
    [
        ("m_test.go:9: got 5, want 6", ("5", "6")),
        ("Mean([1 2]) = 2, want 3", ("2", "3")),
        ("got: [1 2]; expected [3]", ("[1 2]", "[3]")),
        ("Error Trace:\nNot equal:\nexpected: 3\nactual  : 2\nTest: T", ("3", "2")),
        ("something is wrong", None),
    ],
)
def test_two_sides_are_taken_from_a_message(message, sides):
    assert compare(message) == (sides and {"left": sides[0], "right": sides[1]})


def test_a_verdict_counts_what_ran():
    said = ended("--- PASS: TestA (0.00s)\n    --- FAIL: TestB/x (0.00s)\n--- FAIL: TestB (0.00s)\n", 1)
    assert said["tests"] == {"passed": 1, "failed": 2} and "failure" not in said
    assert ended("--- SKIP: TestA (0.00s)\nPASS\n", 0)["testPassed"] is None
    assert ended("BenchmarkRev-2   \t       1\t      2045 ns/op\nPASS\n", 0)["tests"] == {"passed": 1}
    assert ended("PASS\n", 0)["testPassed"] is None and ended("boom", 2) == {}


def test_a_panic_s_value_is_shown_without_its_interface():
    assert (
        panic('interface {}(runtime.errorString) "integer divide by zero"') == "runtime error: integer divide by zero"
    )
    assert panic('interface {}(string) "boom"') == '"boom"'
    assert panic("interface {}(main.problem) {code: 7}") == "main.problem {code: 7}"


def test_a_data_race_is_told_with_its_two_places():
    told = (
        "data race: write at /m/main.go:41 (main.race.func1) by goroutine 6, "
        "previous write at /m/main.go:42 (main.race) by main goroutine"
    )
    assert _go_values.reports(f"out\n{RACE}") == ([told], len(f"out\n{RACE}"))
    assert _go_values.reports(f"{RACE}{RACE}")[0] == [told]
    assert _go_values.reports("WARNING: nothing\nWARN") == ([], len("WARNING: nothing\n"))


def test_a_data_race_on_a_map_is_told_where_the_program_uses_the_map():
    inside = "  runtime.mapassign_faststr()\n      /usr/local/go/src/internal/runtime/maps/x.go:263 +0x0\n"
    (told,) = _go_values.reports(RACE.replace("  main.race()", f"{inside}  main.race()"))[0]
    assert "previous write at /m/main.go:42 (main.race)" in told and "runtime" not in told


def test_of_many_data_races_the_first_are_told_and_the_rest_counted():
    many = "".join(RACE.replace(":41", f":{line}") for line in range(50, 60))
    told, end = _go_values.reports(many)
    assert len(told) == 6 and told[5].startswith("5 more data races") and end == len(many)
    assert _go_values.reports(f"{RACE}{RACE[:40]}")[1] == len(RACE) + RACE.index("WARNING")


def test_calls_and_assignments_are_written_as_delve_wants_them():
    again = _go_values.rephrase("f(1)", "function calls not allowed without using 'call'")
    assert again.expression == "call f(1)" and not again.changed
    again = _go_values.rephrase("a.b = 2", "1:5: expected '==', found '='")
    assert again.expression == "call a.b = 2" and again.changed == "a.b"
    assert _go_values.rephrase("x", "could not find symbol") is None


def test_a_delve_fits_the_versions_of_its_own_list():
    assert _go_delve.fits(27, 26) and _go_delve.fits(20, 19) and _go_delve.fits(0, 26)
    assert not _go_delve.fits(20, 26) and not _go_delve.fits(27, 24)
    assert [_go_delve.fitting(go) for go in (26, 24, 19, 0)] == ["latest", "v1.24", "v1.20", "latest"]


def lacking(machine, delve, go="go version go1.26.8 linux/amd64"):
    said = {"/usr/bin/go": go, "/usr/bin/dlv": f"Version: {delve}"}
    return drive(find("go").installs(machine), lambda argv: said[argv[0]])[0]


def test_what_go_lacks_is_installed_by_its_own_command():
    (pair,) = lacking(host({}, {"apt-get": "/usr/bin/apt-get"}), "")
    assert commands([pair], host({}, GO, glob=lambda _: ["x"], root=True)) == [
        ("apt-get", "install", "-y", "golang", "delve")
    ]
    (delve,) = lacking(host({}, {**GO, "dlv": "/usr/bin/dlv"}), "1.20.2")
    assert "no Delve here fits Go 1.26" in delve.why and delve.ways[0].endswith("@latest")
    (delve,) = lacking(host({}, {**GO, "dlv": "/usr/bin/dlv"}), "1.27.2", "go version go1.24.1 linux/amd64")
    assert delve.ways[0].endswith("@v1.24"), "too new is no better"
    assert lacking(host({}, {**GO, "dlv": "/usr/bin/dlv"}), "1.27.2") == ()


def inspected(*rows, code=0, files=()):
    text = "\n".join(["/m/bin: go1.26.8", *("\t" + "\t".join(row) for row in rows)])
    machine: Host = host(files, GO)
    return drive(_go_builds.inspect("/m/bin", "/m", machine), lambda argv: Ran(code, text, ""))[0]


def test_a_program_tells_how_it_was_built():
    assert "optimised" in inspected(("build", "-compiler=gc")).warnings[0]
    assert "stripped" in inspected(("build", '-ldflags="-s -w"')).warnings[0]
    assert inspected(("build", "-gcflags=all=-N -l")).warnings == ()
    assert inspected(("build", "-compiler=gc"), code=1) == _go_builds.Built()


def test_trimmed_paths_lead_back_to_their_sources():
    cache = "/home/u/go/pkg/mod/github.com/!a/b@v1.2.0"
    files = {"/m/go.mod": "module example.test/m\n", f"{cache}/b.go": "", "/m/vendor/example.test/v/v.go": ""}
    built = inspected(
        ("mod", "example.test/m", "(devel)", ""),
        ("dep", "github.com/A/b", "v1.2.0", "h1:x"),
        ("dep", "example.test/v", "v1.0.0", "h1:y"),
        ("build", "-gcflags=all=-N -l"),
        ("build", "-trimpath=true"),
        files=files,
    )
    assert built.substitutes == (
        ("/m", "example.test/m"),
        (cache, "github.com/A/b@v1.2.0"),
        ("/m/vendor/example.test/v", "example.test/v@v1.0.0"),
    )


def test_a_message_without_an_end_is_searched_in_bounded_time():
    assert compare("got " + "a = " * 200_000) is None
