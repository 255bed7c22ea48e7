"""Go's plans, made on a machine that is not there."""

import pytest
from adapters.test_native import drive, host

from dapwright.adapters import find
from dapwright.core.errors import BuildError, SetupError, UsageError
from dapwright.core.model import Attach, Frame, Launch, Ran, TestTarget

GO = {"go": "/usr/bin/go", "dlv": "/usr/bin/dlv"}
FILES = {
    "/m/go.mod": "",
    "/m/main.go": "package main",
    "/m/sub/x_test.go": "\nfunc TestX(t *testing.T) {",
    "/m/bin": "",
}


def answers(go="go1.26.8", dlv=None, build=None, listed=""):
    dlv = dlv or {"/usr/bin/dlv": "1.27.2"}

    def answer(argv):
        if argv[-1] == "version":
            return f"go version {go} linux/amd64" if argv[0].endswith("/go") else f"Version: {dlv[argv[0]]}"
        return listed if argv[1] == "list" else build or ""

    return answer


def test_a_delve_that_fits_the_go_is_found_where_go_installs_it():
    machine = host({**FILES, "/home/u/go/bin/dlv": ""}, GO)
    versions = {"/usr/bin/dlv": "1.20.2", "/home/u/go/bin/dlv": "1.27.2"}
    plan, _ = drive(find("go").plan(Launch(program="/m/main.go"), machine), answers(dlv=versions))
    assert plan.argv[0] == "/home/u/go/bin/dlv" and plan.arguments["outputMode"] == "remote"


def test_delves_too_old_or_none_are_told_with_the_command_that_installs_one():
    with pytest.raises(SetupError, match=r"no Delve here fits Go 1\.26") as refused:
        drive(find("go").plan(Launch(program="/m/main.go"), host(FILES, GO)), answers(dlv={"/usr/bin/dlv": "1.20.2"}))
    assert "go install" in refused.value.hint
    with pytest.raises(SetupError, match="no Delve"):
        drive(find("go").plan(Launch(program="/m/main.go"), host(FILES, {"go": "/usr/bin/go"})), answers())


def test_an_old_delve_prints_for_the_program():
    old = answers(go="go1.19.8", dlv={"/usr/bin/dlv": "1.20.2"})
    plan, _ = drive(find("go").plan(Launch(program="/m/main.go"), host(FILES, GO)), old)
    assert plan.prints_are_output and "outputMode" not in plan.arguments


def test_we_build_into_the_cache_and_delve_executes():
    launch = Launch(program="/m/main.go", config={"tags": "debug", "buildFlags": "-race -v"})
    plan, asked = drive(find("go").plan(launch, host(FILES, GO)), answers())
    build = asked[-1]
    assert build[:3] == ("/usr/bin/go", "build", "-gcflags=all=-N -l") and build[-1] == "."
    assert {"-race", "-v", "-tags=debug"} <= set(build)
    assert plan.arguments["mode"] == "exec" and plan.arguments["program"].startswith("/cache/go/")
    assert "tags" not in plan.arguments and "buildFlags" not in plan.arguments


def test_a_file_outside_a_module_and_an_ignored_one_are_built_alone():
    for files in ({"/a/x.go": "package main"}, {"/a/go.mod": "", "/a/x.go": "//go:build ignore\n\npackage main"}):
        _, asked = drive(find("go").plan(Launch(program="/a/x.go"), host(files, GO)), answers())
        assert asked[-1][-1] == "/a/x.go"


def test_a_folder_outside_a_module_is_built_from_its_files():
    files = dict.fromkeys(("/a/x.go", "/a/y.go", "/a/y_test.go"), "package main") | {
        "/a/z.go": "//go:build ignore\n\npackage main"
    }
    machine = host(files, GO, glob=lambda pattern: list(files))
    _, asked = drive(find("go").plan(Launch(program="/a"), machine), answers())
    assert asked[-1][-2:] == ("/a/x.go", "/a/y.go")


def test_what_is_no_program_is_refused_before_it_is_built():
    files = {"/m/go.mod": "module m", "/m/lib/l.go": "package lib", "/m/cmd/app/m.go": "package main"}
    machine = host(files, GO, glob=lambda pattern: ["/m/cmd/app/m.go"] if "**" in pattern else [])
    with pytest.raises(UsageError, match="package `lib`"):
        drive(find("go").plan(Launch(program="/m/lib/l.go"), machine), answers())
    with pytest.raises(UsageError, match="no Go files") as refused:
        drive(find("go").plan(Launch(program="/m"), machine), answers())
    assert refused.value.hint == "pass a program's folder: cmd/app"


def test_a_package_is_launched_by_its_import_path_and_stopped_at_its_entry():
    found = answers(listed="/m\n")
    machine = host(FILES, GO, glob=lambda pattern: ["/m/main.go"])
    plan, asked = drive(find("go").plan(Launch(module="m/app", cwd="/m", stop_on_entry=True), machine), found)
    assert ("/usr/bin/go", "list", "-f", "{{.Dir}}", "m/app") in asked and asked[-1][1] == "build"
    assert plan.entry == "main.main" and plan.arguments["stopOnEntry"] is False


def test_what_the_compiler_says_is_the_error():
    failing = answers(build=Ran(1, "", "./main.go:6:18: cannot use"))
    with pytest.raises(BuildError, match="main.go:6:18"):
        drive(find("go").plan(Launch(program="/m/main.go"), host(FILES, GO)), failing)


def test_a_program_is_taken_as_it_is():
    plan, asked = drive(find("go").plan(Launch(program="/m/bin"), host(FILES, GO)), answers())
    assert plan.arguments["program"] == "/m/bin" and [words[1] for words in asked] == ["version"] * 3


def test_a_test_is_found_in_its_package_and_run_alone():
    machine = host(FILES, GO, glob=lambda pattern: ["/m/sub/x_test.go"] if "**" in pattern else [])
    made, _ = drive(find("go").test_command(TestTarget("TestX/a case", cwd="/m"), machine), answers())
    assert made.launch.program == "/m/sub" and made.launch.config["mode"] == "test"
    assert "-test.run=^TestX$/^a_case$" in made.launch.args
    assert made.functions == ("testing.(*common).Fail",)
    rows = {**FILES, "/m/sub/y_test.go": "func TestY(t *testing.T) {}\nfunc ExampleY() {}\nfunc help() {}"}
    made, _ = drive(find("go").test_command(TestTarget("sub/y_test.go", cwd="/m"), host(rows, GO)), answers())
    assert "-test.run=^(TestY|ExampleY)$" in made.launch.args and made.launch.program == "/m/sub"
    made, _ = drive(find("go").test_command(TestTarget(".", cwd="/m/sub"), host(rows, GO)), answers())
    assert "-test.run=." in made.launch.args and made.launch.program == "/m/sub"
    made, _ = drive(find("go").test_command(TestTarget("/m/sub::BenchmarkY", cwd="/m"), host(rows, GO)), answers())
    assert made.rerun == ("go", "test", "-run", "^$", "-bench", "^BenchmarkY$", "-benchtime", "1x", "/m/sub")
    with pytest.raises(UsageError, match="several packages"):
        drive(find("go").test_command(TestTarget("./...", cwd="/m"), machine), answers())
    with pytest.raises(UsageError, match="TestNone"):
        drive(find("go").test_command(TestTarget("TestNone", cwd="/m"), machine), answers())


def test_attaching_is_by_process_or_to_a_headless_delve():
    plan, _ = drive(find("go").attach(Attach(process_id=7), host(FILES, GO)), answers())
    assert plan.arguments["mode"] == "local" and plan.arguments["processId"] == 7
    plan, asked = drive(find("go").attach(Attach(port=2345), host(FILES, {})), answers())
    assert plan.port == 2345 and not plan.argv and not asked and plan.arguments["showPprofLabels"] == ["*"]


def test_hit_conditions_and_names_are_spelled_as_delve_reads_them():
    go = find("go")
    assert go.hit_condition("3") == "== 3" and go.hit_condition("%2") == "%2"
    assert go.function_name("main") == "main.main" and go.function_name("mean") == "mean"
    assert go.function_name("(*T).Grow") == "(*T).Grow" and go.function_name("(T).Value") == "T.Value"
    assert (
        go.function_name("main.(*Pair[K, V]).Key") == "main.(*Pair).Key" and go.function_name("init") == "main.init.0"
    )
    assert go.internal_frame(Frame(1, "runtime.fatalpanic", "/usr/local/go/src/runtime/panic.go", 1))
    assert not go.internal_frame(Frame(1, "main.mean", "/m/main.go", 1))
    assert go.internal_frame(Frame(1, "main.main.gowrap1", "/m/main.go", 1))
