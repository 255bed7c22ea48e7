"""Plans of native languages, made on a machine that is not there."""

import json

import pytest

from dapwright.adapters import _lldb, _native_words, find
from dapwright.core.errors import BuildError, NotAllowed, SetupError, UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Ran, Raw, TestTarget, Variable

NEW, OLD = "GNU gdb (GDB) 18.1", "GNU gdb (Debian 13.1-3) 13.1"
BIN = {"gdb": "/usr/bin/gdb", "g++": "/usr/bin/g++", "gcc": "/usr/bin/gcc", "cargo": "/c/cargo", "rustc": "/c/rustc"}


def host(files=(), commands=BIN, **more):
    texts = dict(files) if isinstance(files, dict) else dict.fromkeys(files, "")
    folders = {path.rsplit("/", n)[0] for path in texts for n in range(1, path.count("/"))}
    return Host(
        platform="linux",
        which=commands.get,
        env=more.pop("env", {}),
        is_file=texts.__contains__,
        is_dir=folders.__contains__,
        read=lambda path: texts.get(path, ""),
        glob=more.pop("glob", lambda pattern: ()),
        python="/venv/bin/python",
        home="/home/u",
        cache="/cache",
        packages={"inject": "/inject"},
        **more,
    )


def drive(planning, answer):
    """Run a plan; `answer(argv)` stands for the processes that it wants. Returns (plan, commands)."""
    asked = []
    try:
        wanted = next(planning)
        while True:
            asked.append(wanted.argv)
            ran = answer(wanted.argv)
            wanted = planning.send(ran if isinstance(ran, Ran) else Ran(0, ran, ""))
    except StopIteration as made:
        return made.value, asked


def gdb_says(text, otherwise=""):
    return lambda argv: text if "--version" in argv else otherwise


def test_the_gdb_beside_our_interpreter_comes_first():
    machine = host(["/venv/bin/gdb", "/x/app"])
    plan, asked = drive(find("cpp").plan(Launch(program="/x/app"), machine), gdb_says(NEW))
    assert asked[0][0] == "/venv/bin/gdb" and plan.argv[0] == "/venv/bin/gdb"
    assert plan.argv[-2:] == ("-i", "dap") and "debugger: gdb 18" in plan.notes


def test_the_gdb_that_is_started_ahead_is_the_one_that_any_launch_takes():
    machine = host(["/venv/bin/gdb", "/x/app", "/x/core", "/root/lib/rustlib/etc/here"], {"rustc": "/c/rustc"})
    mapped = Launch(program="/x/app", cwd="/x", path_mappings=(("/l", "/r"),), config={"gdbCommands": ["set width 0"]})
    for language in ("c", "cpp", "rust", "cobol", "fortran"):
        ahead, asked = drive(find(language).warm(machine, ""), gdb_says(NEW))
        assert all("--version" in argv for argv in asked), "the launch asks the toolchain, in the meantime"
        for launch in (Launch(program="/x/app"), mapped, Launch(program="/x/app", core_file="/x/core")):
            plan, _ = drive(find(language).plan(launch, machine), gdb_says(NEW, "/root"))
            assert plan.argv == ahead.argv and plan.env == ahead.env
        joined, _ = drive(find(language).attach(Attach(process_id=3, executable="/x/app"), machine), gdb_says(NEW, "/"))
        assert joined.argv == ahead.argv
    plan, _ = drive(find("rust").plan(mapped, machine), gdb_says(NEW, "/root"))
    commands = plan.arguments["dapwrightCommands"]
    assert commands[-2:] == ["set substitute-path /r /l", "set width 0"] and "/root/lib/rustlib/etc" in commands[0]


def test_nothing_is_started_ahead_where_gdb_is_not_what_a_launch_takes():
    machine = host(["/x/app"], {**BIN, "lldb-dap-19": "/usr/bin/lldb-dap-19"})
    assert drive(find("c").warm(machine, ""), gdb_says(OLD))[0] is None


def test_commands_for_gdb_come_from_the_plan_alone():
    machine = host(["/venv/bin/gdb", "/x/app"])
    sly = {"dapwrightCommands": ["shell id"]}
    plan, _ = drive(find("c").plan(Launch(program="/x/app", config=sly, extra=sly), machine), gdb_says(NEW))
    assert "dapwrightCommands" not in plan.arguments
    joined, _ = drive(find("c").attach(Attach(process_id=3, config=sly), machine), gdb_says(NEW))
    assert "dapwrightCommands" not in joined.arguments


def test_an_old_gdb_is_passed_over_for_lldb_and_told_where_there_is_none():
    machine = host(["/x/app"])
    with pytest.raises(SetupError, match="older than 14") as refused:
        drive(find("c").plan(Launch(program="/x/app"), machine), gdb_says(OLD))
    assert "dapwright[native]" in refused.value.hint
    machine = host(["/x/app"], {**BIN, "lldb-dap-19": "/usr/bin/lldb-dap-19"})
    plan, _ = drive(find("c").plan(Launch(program="/x/app"), machine), gdb_says(OLD))
    assert plan.argv == ("/usr/bin/lldb-dap-19",) and plan.facts["hit_condition"]("3") is None


def test_the_debugger_that_is_asked_for_is_taken_and_an_unknown_one_refused():
    machine = host(["/venv/bin/gdb", "/venv/bin/lldb-dap", "/x/app"])
    plan, _ = drive(find("c").plan(Launch(program="/x/app", debugger="lldb"), machine), gdb_says(NEW))
    by_key, _ = drive(find("c").plan(Launch(program="/x/app", config={"debugger": "lldb"}), machine), gdb_says(NEW))
    assert by_key == plan
    assert plan.argv == ("/venv/bin/lldb-dap",)
    with pytest.raises(UsageError, match="windbg"):
        drive(find("c").plan(Launch(program="/x/app", debugger="windbg"), machine), gdb_says(NEW))
    with pytest.raises(SetupError, match="codelldb"):
        drive(find("c").plan(Launch(program="/x/app", debugger="codelldb"), machine), gdb_says(NEW))


def test_a_lone_source_is_compiled_into_the_cache_and_once_only():
    machine = host({"/x/a b.cpp": "int main() {}"})
    plan, asked = drive(find("cpp").plan(Launch(program="/x/a b.cpp"), machine), gdb_says(NEW))
    program = plan.arguments["program"]
    assert program.startswith("/cache/native/") and program.endswith("/a b")
    assert asked[1][0] == "mkdir" and asked[2][:3] == ("/usr/bin/g++", "-g", "-O0")
    again = host({"/x/a b.cpp": "int main() {}", program: ""})
    plan, asked = drive(find("cpp").plan(Launch(program="/x/a b.cpp"), again), gdb_says(NEW))
    assert len(asked) == 1 and "earlier build" in plan.notes[1]
    including = host({"/x/a b.cpp": '#include "own.h"\n', program: ""})
    assert len(drive(find("cpp").plan(Launch(program="/x/a b.cpp"), including), gdb_says(NEW))[1]) == 4


def test_what_the_compiler_says_is_the_error():
    def answer(argv):
        return NEW if "--version" in argv else Ran(int("-g" in argv), "", "a.c:3: error: expected ';'")

    with pytest.raises(BuildError, match="a.c:3: error"):
        drive(find("c").plan(Launch(program="/x/a.c"), host({"/x/a.c": ""})), answer)


def test_a_cmake_build_folder_is_built_and_its_only_program_taken():
    machine = host(["/p/build/CMakeCache.txt", "/p/CMakeLists.txt", "/p/build/app"], {**BIN, "cmake": "/usr/bin/cmake"})
    one, two = gdb_says(NEW, "./app\n./libx.so\n"), gdb_says(NEW, "./app\n./tests\n")
    plan, asked = drive(find("cpp").plan(Launch(program="/p"), machine), one)
    assert asked[1] == ("/usr/bin/cmake", "--build", "/p/build") and plan.arguments["program"] == "/p/build/app"
    with pytest.raises(UsageError, match="2 programs"):
        drive(find("cpp").plan(Launch(program="/p"), machine), two)
    chosen = Launch(program="/p", config={"target": "app"})
    assert drive(find("cpp").plan(chosen, machine), two)[0].arguments["program"] == "/p/build/app"


def test_the_program_inherits_nothing_of_the_debuggers_python():
    machine = host(["/x/app"], env={"PYTHONPATH": "/mine"})
    plan, _ = drive(find("c").plan(Launch(program="/x/app", env={"A": "1", "B": None}), machine), gdb_says(NEW))
    given = plan.arguments["environment"]
    assert given["PYTHONHOME"] is None and given["PYTHONPATH"] == "/mine" and given["A"] == "1" and given["B"] is None


def test_exceptions_are_filters_and_types_are_patterns():
    machine = host(["/x/app"])
    plan, _ = drive(
        find("cpp").plan(Launch(program="/x/app", exceptions=("std::out_of_range",)), machine), gdb_says(NEW)
    )
    assert plan.exception_options == ({"filterId": "throw", "condition": "std::out_of_range"},)
    plan, _ = drive(find("cpp").plan(Launch(program="/x/app", exceptions="none"), machine), gdb_says(NEW))
    assert plan.exception_filters == ()


def test_a_core_file_is_looked_at_after_the_end():
    machine = host(["/x/app"])
    plan, _ = drive(find("c").plan(Launch(program="/x/app", core_file="/x/core"), machine), gdb_says(NEW))
    assert plan.post_mortem and plan.request == "attach" and plan.arguments["coreFile"] == "/x/core"


def test_attaching_is_by_process_or_gdbserver():
    plan, _ = drive(find("c").attach(Attach(process_id=7), host()), gdb_says(NEW))
    assert plan.arguments["pid"] == 7
    plan, _ = drive(find("c").attach(Attach(host="pi", port=2345), host()), gdb_says(NEW))
    assert plan.arguments["target"] == "pi:2345"
    with pytest.raises(UsageError):
        drive(find("c").attach(Attach(), host()), gdb_says(NEW))


def cargo_says(*artifacts, errors=(), listing=""):
    messages = [{"reason": "compiler-artifact", **one} for one in artifacts]
    messages += [{"reason": "compiler-message", "message": {"level": "error", "rendered": text}} for text in errors]
    told = "not json\n" + "\n".join(map(json.dumps, messages))

    def answer(argv):
        if "--version" in argv:
            return NEW
        if argv[0] == "/c/cargo":
            return Ran(101 if errors else 0, told, "could not compile")
        return listing if "--list" in argv else "/sysroot\n"

    return answer


def artifact(name, source, program, kind="bin"):
    return {"target": {"name": name, "src_path": source, "kind": [kind]}, "executable": program}


RUST = ["/r/Cargo.toml", "/r/src/main.rs", "/r/examples/demo.rs", "/t/app", "/t/demo"]


def test_cargo_names_the_program_of_a_source():
    answer = cargo_says(artifact("app", "/r/src/main.rs", "/t/app"), artifact("other", "/r/src/bin/o.rs", "/t/other"))
    plan, asked = drive(find("rust").plan(Launch(program="/r/src/main.rs"), host(RUST)), answer)
    assert plan.arguments["program"] == "/t/app" and plan.exception_filters == ("signal", "rust_panic")
    assert asked[1] == ("/c/cargo", "build", "--message-format=json")
    demo = cargo_says(artifact("demo", "/r/examples/demo.rs", "/t/demo", "example"))
    plan, asked = drive(find("rust").plan(Launch(program="/r/examples/demo.rs"), host(RUST)), demo)
    assert asked[1][1:4] == ("build", "--example", "demo") and plan.arguments["program"] == "/t/demo"


def test_the_compilers_errors_are_cargos_answer():
    with pytest.raises(BuildError, match="E0308"):
        drive(
            find("rust").plan(Launch(program="/r/src/main.rs"), host(RUST)),
            cargo_says(errors=["error[E0308]: mismatched types"]),
        )


def test_several_programs_ask_for_a_name_and_a_library_says_what_to_do():
    both = cargo_says(artifact("a", "/r/src/bin/a.rs", "/t/a"), artifact("b", "/r/src/bin/b.rs", "/t/b"))
    with pytest.raises(UsageError, match="a, b"):
        drive(find("rust").plan(Launch(program="/r/Cargo.toml"), host(RUST)), both)
    with pytest.raises(UsageError, match="library"):
        drive(find("rust").plan(Launch(program="/r/Cargo.toml"), host(RUST)), cargo_says())


def test_a_rust_test_runs_from_the_binary_that_has_it():
    answer = cargo_says(artifact("app", "/r/src/main.rs", "/t/app"), listing="tests::one: test\ntests::two: test\n")
    made, _ = drive(find("rust").test_command(TestTarget("tests::one", cwd="/r"), host(RUST)), answer)
    assert made.launch.program == "/t/app" and made.launch.args[:3] == ("tests::one", "--exact", "--nocapture")
    assert made.rerun == ("cargo", "test", "tests::one") and "rust_panic" in made.filters
    assert made.wording.compare("left: 1\nright: 2") == {"left": "1", "right": "2"}
    with pytest.raises(UsageError, match="tests::one, tests::two"):
        drive(find("rust").test_command(TestTarget("nosuch", cwd="/r"), host(RUST)), answer)


def test_frames_of_libraries_are_internal():
    cpp, rust = find("cpp").internal_frame, find("rust").internal_frame
    assert cpp(Frame(1, "raise", "/build/glibc/nptl/pthread_kill.c", 3)) and cpp(Frame(1, "??", "", 0))
    assert not cpp(Frame(1, "main", "/x/main.cpp", 3))
    assert rust(Frame(1, "core::panicking::panic_fmt", "/rustc/5/library/core/src/panicking.rs", 1))
    assert not rust(Frame(1, "stock::reserve", "/r/src/main.rs", 1))


def test_ctest_tells_the_command_of_a_test():
    listing = {
        "tests": [
            {"name": "math.adds", "command": ["/b/t", "--gtest_filter=math.adds"],
             "properties": [{"name": "WORKING_DIRECTORY", "value": "/w"}, {"name": "ENVIRONMENT", "value": ["A=1"]}]},
            {"name": "math.subs", "command": ["/b/t"]},
        ]
    }  # fmt: skip
    machine = host(["/b/CTestTestfile.cmake"], {"ctest": "/usr/bin/ctest", "cmake": "/usr/bin/cmake"})

    def answer(argv):
        return Ran(1, "0", "") if argv[0] == "grep" else json.dumps(listing)

    made, _ = drive(find("cpp").test_command(TestTarget("adds", cwd="/b"), machine), answer)
    assert made.launch.program == "/b/t" and made.launch.cwd == "/w" and made.launch.env == {"A": "1"}
    assert made.wording.compare is _native_words.compare
    with pytest.raises(UsageError, match=r"math\.adds, math\.subs"):
        drive(find("cpp").test_command(TestTarget("math", cwd="/b"), machine), answer)


@pytest.mark.parametrize(
    ("name", "chosen"),
    [("Sizes.Small/1", "All/Sizes.Small/1"), ("All/Sizes.Small/9", "All/Sizes.Small/1"),
     ("Sizes", "All/Sizes.Small/0:All/Sizes.Small/1")],
)  # fmt: skip
def test_ctest_takes_googletests_own_names_too(name, chosen):
    tests = [
        {"name": f"All/Sizes.Small/{value}", "command": ["/b/t", f"--gtest_filter=All/Sizes.Small/{at}"]}
        for at, value in enumerate((4, 9))
    ]
    machine = host(["/b/CTestTestfile.cmake"], {"ctest": "/usr/bin/ctest", "cmake": "/usr/bin/cmake"})
    made, _ = drive(
        find("cpp").test_command(TestTarget(name, cwd="/b"), machine),
        lambda argv: Ran(1, "0", "") if argv[0] == "grep" else json.dumps({"tests": tests}),
    )
    assert made.launch.args == (f"--gtest_filter={chosen}",)


LISTED = "Math.\n  Adds\n  Fine\nAll/Sizes.\n  Small/0  # GetParam() = 1\n  Small/1  # GetParam() = 2\n"


def gtest_says(argv):
    return LISTED if "--gtest_list_tests" in argv else "  --gtest_filter=POSITIVE"


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("Math.Adds", "Math.Adds"),
        ("Math::Adds", "Math.Adds"),
        ("Math", "Math.*"),
        ("All/Sizes.Small/1", "All/Sizes.Small/1"),
        ("Sizes.Small", "*/Sizes.Small/*"),
        ("Sizes", "*/Sizes.*/*"),
        ("Sizes.Small/1", "*/Sizes.Small/1"),
        ("Adds", "*.Adds"),
    ],
)
def test_a_googletest_is_found_by_the_names_that_people_write(name, chosen):
    target = TestTarget(name, config={"program": "/b/t"})
    made, _ = drive(find("cpp").test_command(target, host()), gtest_says)
    assert made.launch.args[0] == f"--gtest_filter={chosen}" and "--gtest_break_on_failure" in made.launch.args
    assert made.wording.compare is _native_words.compare


def test_a_test_that_no_binary_lists_is_refused_and_not_run_as_passed():
    target = TestTarget("Math.Add", config={"program": "/b/t"})
    with pytest.raises(UsageError, match=r"no test is named `Math\.Add`; there are: Math\.Adds"):
        drive(find("cpp").test_command(target, host()), gtest_says)
    with pytest.raises(UsageError, match="there are: adds"):
        drive(find("cpp").test_command(target, host()), lambda argv: "adds\n" if "--list" in argv[1] else "")


CASES = "adds\nthrows, at times\nbig [x]\n"
RUN = (
    '<TestCase name="adds">noise <b> from it<Section name="small"><Expression/></Section>'
    '<Section name="a &amp; b"><Section name="deep"></Section></Section></TestCase>'
)


def catch2_says(argv):
    if "--list-test-names-only" in argv:
        return CASES if len(argv) == 2 or argv[1].startswith("[fast]") else ""
    if "throws" in argv[1]:
        return '<TestCase name="throws, at times"><Exception filename="t.cpp">boom</Exception></TestCase>'
    return RUN


@pytest.mark.parametrize(
    ("name", "chosen", "filters"),
    [
        ("adds", ("adds",), ("signal",)),
        ("throws, at times", ("throws\\, at times",), ("signal", "throw")),
        ("adds/small", ("adds", "-c", "small"), ("signal",)),
        ("adds::a & b::deep", ("adds", "-c", "a & b", "-c", "deep"), ("signal",)),
        ("big [x]", ("big \\[x\\]",), ("signal",)),
        ("[fast]", ("[fast]",), ("signal",)),
    ],
)
def test_a_catch2_case_a_section_or_a_tag_is_run_to_its_failure(name, chosen, filters):
    target = TestTarget(name, config={"program": "/b/t"})
    made, _ = drive(find("cpp").test_command(target, host()), catch2_says)
    assert made.launch.args == (*chosen, "--break") and made.filters == filters
    assert made.rerun == ("/b/t", *chosen)
    assert made.wording.compare is _native_words.compare


@pytest.mark.parametrize(
    ("name", "there"), [("adds/large", "adds/small, adds/a & b, adds/a & b/deep"), ("[slow]", "adds")]
)
def test_a_section_or_a_tag_that_is_not_there_is_refused_though_catch2_would_pass(name, there):
    with pytest.raises(UsageError) as refused:
        drive(find("cpp").test_command(TestTarget(name, config={"program": "/b/t"}), host()), catch2_says)
    assert f"no test is named `{name}`" in str(refused.value)
    assert set(there.split(", ")) <= set(str(refused.value).partition("there are: ")[2].split(", "))


DOCTEST_LIST = '<TestCase name="adds, twice" testsuite="math" line="5"/><TestCase name="fine" line="9"/>'
DOCTEST_RUN = (
    '<TestCase name="adds, twice"><SubCase name="small"><SubCase name="a &amp; b"></SubCase></SubCase></TestCase>'
)


def doctest_says(argv):
    return DOCTEST_LIST if "--list-test-cases" in argv else DOCTEST_RUN


@pytest.mark.parametrize(
    ("name", "chosen"),
    [
        ("adds, twice", ("--test-case=adds? twice",)),
        ("math", ("--test-suite=math",)),
        ("math/adds, twice", ("--test-suite=math", "--test-case=adds? twice")),
        ("adds, twice/small/a & b", ("--test-case=adds? twice", "--subcase=small,a & b")),
        ("", ()),
    ],
)
def test_a_doctest_case_a_suite_or_a_subcase_is_run_to_its_failure(name, chosen):
    target = TestTarget(name, runner="doctest", config={"program": "/b/t"})
    made, _ = drive(find("cpp").test_command(target, host()), doctest_says)
    assert made.launch.args == (*chosen, "--no-colors") and made.rerun == ("/b/t", *chosen)
    assert made.filters == ("signal",) and made.wording.compare is _native_words.compare


@pytest.mark.parametrize(("name", "there"), [("add", "adds, twice"), ("adds, twice/big", "small/a & b")])
def test_a_doctest_case_or_subcase_that_is_not_there_is_refused(name, there):
    target = TestTarget(name, runner="doctest", config={"program": "/b/t"})
    with pytest.raises(UsageError, match=f"no test is named `{name}`; there are: .*{there}"):
        drive(find("cpp").test_command(target, host()), doctest_says)


def boost_says(argv):
    if "--help" in argv:
        return "The program 't' is a Boost.Test module containing unit tests."
    return "math*\n    adds*: sums\n    off\nthrows*\n" if "--list_content=HRF" in argv else "<Exception name="


@pytest.mark.parametrize(
    ("name", "chosen"), [("math::adds", ("--run_test=math/adds",)), ("off", ("--run_test=math/off",)), ("", ())]
)
def test_a_boost_test_is_found_by_its_path_or_its_own_name(name, chosen):
    made, _ = drive(find("cpp").test_command(TestTarget(name, config={"program": "/b/t"}), host()), boost_says)
    assert made.rerun == ("/b/t", *chosen) and made.functions == ("first_failed_assertion",)
    assert made.filters == ("signal", "throw") and made.launch.args[: len(chosen)] == chosen


def test_a_boost_test_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(UsageError, match="there are: .*math/adds"):
        drive(find("cpp").test_command(TestTarget("math/add", config={"program": "/b/t"}), host()), boost_says)


@pytest.mark.parametrize("text", ["x = 3", "x += 1", "x <<= 1", "n++", "--n", "f(3)", "xs.size ()", "table[f(1)]"])
def test_what_may_change_the_program_is_refused_where_that_is_asked(text):
    with pytest.raises(NotAllowed):
        find("cpp").refuse_effects(text)


@pytest.mark.parametrize(
    "text", ["x == 3", "a <= b && c >= d", "(a + b) * c", "sizeof(x)", "p->v", 'name == "f(x) = 1"']
)
def test_what_only_looks_is_allowed(text):
    find("cpp").refuse_effects(text)


def test_the_version_of_a_wheel_is_read_from_its_name():
    wheel = "/venv/lib/python3.11/site-packages/gdb_for_pwndbg-18.1.0.post1.dist-info"
    machine = host(["/venv/bin/gdb", "/x/app"], glob=lambda pattern: [wheel] if "gdb_for_pwndbg" in pattern else [])
    plan, asked = drive(find("c").plan(Launch(program="/x/app"), machine), gdb_says(NEW))
    assert plan.argv[0] == "/venv/bin/gdb" and not asked and "debugger: gdb 18" in plan.notes


@pytest.mark.parametrize("text", ["i = 5", "i++", "--i", "p->next = 0", "x <<= 2", "n += 1"])
def test_what_assigns_is_no_condition_to_look_by(text):
    with pytest.raises(NotAllowed, match="assigns"):
        find("c").refuse_writes(text)


@pytest.mark.parametrize("text", ["i == 5", "a <= b && c != '='", 'strcmp(s, "a=b") == 0', "p->n >= size(x)"])
def test_what_compares_and_calls_may_be_one(text):
    find("c").refuse_writes(text)
    find("pascal").refuse_writes("i = 5")


@pytest.mark.parametrize(
    ("kind", "value", "count"),
    [
        ("int[100000]", "int[100000]", 100_000),
        ("char *[3][40]", "", 3),
        ("std::vector<int[2]>", "size=7", 7),
        ("int (*)[100000]", "0x00007ffff", None),
        ("std::string", '"size=7"', None),
        ("Order", "{...}", None),
    ],
)
def test_lldb_tells_the_number_of_items_in_a_type_or_a_summary(kind, value, count):
    assert _lldb.ITEMS.count(Variable("x", Raw(value), kind)) == count


def test_a_gdb_that_was_asked_for_and_is_too_old_is_the_one_that_is_told():
    launch = Launch(program="/x/app", debugger="gdb", config={"gdbPath": "/old/gdb"})
    with pytest.raises(SetupError, match="`/old/gdb` is older than 14 and does not speak DAP$"):
        drive(find("c").plan(launch, host(["/x/app", "/old/gdb"])), gdb_says(OLD))


def test_what_we_compiled_ourselves_is_never_called_stale_and_lldb_gets_an_input():
    source = "int main(void) { return 0; }"
    machine = host({"/x/a.c": source}, {**BIN, "lldb-dap": "/usr/bin/lldb-dap"})
    plan, _ = drive(find("c").plan(Launch(program="/x/a.c"), machine), gdb_says(NEW))
    assert plan.arguments["fresh"] is True
    plan, _ = drive(find("c").plan(Launch(program="/x/a.c", debugger="lldb"), machine), gdb_says(NEW))
    assert plan.fed and any("{fed_input}" in each for each in plan.arguments["initCommands"])
