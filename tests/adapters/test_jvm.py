"""Plans of the JVM's languages, made on a machine that is not there."""

import fnmatch

import pytest
from adapters.test_native import drive, host

from dapwright.adapters import find, scala
from dapwright.adapters._jvm_tests import compare
from dapwright.core.errors import BuildError, SetupError, UsageError
from dapwright.core.model import Attach, Frame, Launch, Ran, TestTarget

BIN = {"java": "/usr/bin/java", "javac": "/usr/bin/javac", "kotlinc": "/usr/bin/kotlinc", "mvn": "/usr/bin/mvn"}
MAIN = "package a.b;\npublic class Hello {\n  public static void main(String[] args) { }\n}\n"


def machine(files=(), commands=BIN, **more):
    texts = dict(files)
    return host(texts, commands, glob=lambda pattern: sorted(p for p in texts if matches(p, pattern)), **more)


def matches(path, pattern):
    return fnmatch.fnmatchcase(path, pattern.replace("/**/", "/*")) or fnmatch.fnmatchcase(path, pattern)


def java(launch, files=(), answer=lambda argv: "", commands=BIN, language="java"):
    return drive(find(language).plan(launch, machine(files, commands)), answer)


def test_a_main_class_and_its_class_path_are_launched_as_given():
    launch = Launch(
        args=("x",), cwd="/w", env={"A": "1"}, stop_on_entry=True,
        config={"mainClass": "p.M", "classpath": ["/c", "/l.jar"], "vmArgs": ["-ea"]},
    )  # fmt: skip
    plan, asked = java(launch)
    assert asked == [] and plan.argv == ("/venv/bin/python", "-m", "dapwright.engines.jvm")
    assert plan.arguments["mainClass"] == "p.M" and plan.arguments["classpath"] == ["/c", "/l.jar"]
    assert plan.arguments["vmArgs"] == ["-ea"] and plan.arguments["args"] == ["x"] and plan.arguments["stopOnEntry"]
    assert plan.exception_filters == ("uncaught",)


def test_a_jar_is_launched_by_itself():
    plan, _ = java(Launch(program="/w/app.jar"))
    assert plan.arguments["jar"] == "/w/app.jar" and "mainClass" not in plan.arguments


def test_a_lone_source_is_compiled_into_the_cache_under_its_content():
    plan, asked = java(Launch(program="/w/a/b/Hello.java"), {"/w/a/b/Hello.java": MAIN})
    assert asked[0][0] == "/usr/bin/javac" and "-g" in asked[0] and asked[0][-1] == "/w/a/b/Hello.java"
    folder = plan.arguments["classpath"][0]
    assert folder.startswith("/cache/jvm/") and plan.arguments["mainClass"] == "a.b.Hello"
    assert plan.arguments["sourcePaths"] == ["/w"] and "/w" in asked[0]
    built = {"/w/a/b/Hello.java": MAIN, f"{folder}/a/b/Hello.class": ""}
    assert java(Launch(program="/w/a/b/Hello.java"), built)[1] == []
    changed = {**built, "/w/a/b/Hello.java": MAIN + "// changed"}
    assert java(Launch(program="/w/a/b/Hello.java"), changed)[1] != []


def test_a_source_that_does_not_compile_fails_in_the_compilers_words():
    with pytest.raises(BuildError, match="';' expected"):
        java(Launch(program="/w/Hello.java"), {"/w/Hello.java": MAIN}, lambda argv: Ran(1, "", "error: ';' expected"))


def test_a_missing_java_names_the_command_that_installs_one():
    with pytest.raises(SetupError) as missing:
        java(Launch(program="/w/app.jar"), commands={})
    assert "openjdk" in missing.value.hint
    assert "openjdk" in find("java").check(machine(commands={})) and find("java").check(machine()) == ""


def test_maven_is_asked_for_the_class_path():
    files = {"/w/pom.xml": "", "/w/src/main/java/a/b/Hello.java": MAIN}
    _, asked = java(Launch(program="/w"), files)
    out = next(part for part in asked[0] if part.startswith("-Dmdep.outputFile=")).partition("=")[2]
    assert asked[0][0] == "/usr/bin/mvn" and "compile" in asked[0] and out.startswith("/cache/jvm/")
    plan, _ = java(Launch(program="/w"), {**files, out: "/m/one.jar:/m/two.jar\n"})
    assert plan.arguments["classpath"] == ["/w/target/classes", "/m/one.jar", "/m/two.jar"]
    assert plan.arguments["mainClass"] == "a.b.Hello" and plan.arguments["sourcePaths"] == ["/w/src/main/java"]


ROOT = (
    "<project><modules><module>core</module><!-- <module>old</module> --><module>apps/shop</module></modules></project>"
)
REACTOR = {
    "/w/pom.xml": ROOT, "/w/core/pom.xml": "", "/w/apps/shop/pom.xml": "",
    "/w/core/src/main/java/a/Fence.java": "", "/w/apps/shop/src/main/java/a/b/Hello.java": MAIN,
}  # fmt: skip


@pytest.mark.parametrize("program", ["/w", "/w/apps/shop", "/w/apps/shop/src/main/java/a/b/Hello.java"])
def test_a_module_of_a_maven_build_is_built_with_those_that_it_needs_and_their_sources_are_known(program):
    _, asked = java(Launch(program=program), REACTOR)
    assert asked[0][3:7] == ("-pl", "apps/shop", "-am", "compile")
    out = next(part for part in asked[0] if part.startswith("-Dmdep.outputFile=")).partition("=")[2]
    plan, _ = java(Launch(program=program), {**REACTOR, out: "/w/core/target/classes:/m/one.jar"})
    assert plan.arguments["classpath"] == ["/w/apps/shop/target/classes", "/w/core/target/classes", "/m/one.jar"]
    assert plan.arguments["sourcePaths"] == ["/w/apps/shop/src/main/java", "/w/core/src/main/java"]
    assert plan.arguments["mainClass"] == "a.b.Hello"


def test_a_build_beside_its_modules_is_found_by_the_parent_that_they_name():
    inherits = "<project><parent><relativePath>../all/pom.xml</relativePath></parent></project>"
    files = {"/w/all/pom.xml": "<module>../shop</module>", "/w/shop/pom.xml": inherits, "/w/shop/Hello.java": MAIN}
    _, asked = java(Launch(program="/w/shop/Hello.java"), files)
    assert asked[0][3:6] == ("-pl", "../shop", "-am")


def test_a_test_of_a_module_runs_in_its_folder_with_assertions_on_and_is_run_again_from_the_whole():
    files = {**REACTOR, "/w/apps/shop/src/test/java/p/FenceTest.java": "package p;\nclass FenceTest { }"}
    target = TestTarget("FenceTest#a", cwd="/w", config={**CONSOLE, "vmArgs": "-Xmx64m '-Dx=a b'"})
    made, _ = drive(find("java").test_command(target, machine(files)), lambda argv: "")
    assert made.launch.cwd == "/w" and made.launch.config["vmArgs"] == ["-ea", "-Xmx64m", "-Dx=a b"]
    _, asked = java(Launch(program="/w/apps/shop", test=True), files)
    out = next(part for part in asked[0] if part.startswith("-Dmdep.outputFile=")).partition("=")[2]
    files |= {out: "/m/junit-platform-console-standalone-1.9.2.jar"}
    made, _ = drive(find("java").test_command(TestTarget("FenceTest#a", cwd="/w"), machine(files)), lambda argv: "")
    assert (
        made.launch.cwd == "/w/apps/shop" and made.launch.config["classpath"][0] == "/w/apps/shop/target/test-classes"
    )
    assert made.rerun[:6] == ("mvn", "-q", "-pl", "apps/shop", "-am", "test") and "-Dtest=p.FenceTest#a" in made.rerun


def test_a_module_of_gradle_without_a_build_file_is_found_by_the_settings():
    files = {
        "/w/build.gradle": "",
        "/w/settings.gradle": "include 'core',\n  ':apps:shop'\n",
        "/w/apps/shop/Hello.java": MAIN,
    }
    asked = []
    planning = find("java").plan(Launch(program="/w/apps/shop/Hello.java"), machine(files, {**BIN, "gradle": "/g"}))
    asked.append(next(planning))
    assert asked[0].cwd == "/w/apps/shop"


@pytest.mark.parametrize(("text", "entries"), [("/a:/b.jar", ["/a", "/b.jar"]), ("C:\\a;D:/b", ["C:\\a", "D:/b"])])
def test_a_class_path_may_be_one_text(text, entries):
    plan, _ = java(Launch(config={"mainClass": "M", "classpath": text}))
    assert plan.arguments["classpath"] == entries


def test_gradle_tells_its_class_path_line_by_line():
    files = {"/w/build.gradle": "", "/w/gradlew": "", "/w/src/main/java/a/b/Hello.java": MAIN}
    said = "noise\ndapwright-classpath:/w/build/classes\ndapwright-classpath:/g/x.jar\n"
    plan, asked = java(Launch(program="/w"), files, lambda argv: said)
    assert asked[0][0] == "/w/gradlew" and "/inject/classpath.gradle" in asked[0]
    assert "classes" in asked[0] and "-PdapwrightSet=main" in asked[0] and "--no-daemon" in asked[0]
    assert plan.arguments["classpath"] == ["/w/build/classes", "/g/x.jar"]


def test_a_module_of_a_gradle_build_is_started_by_the_wrapper_above_it():
    files = {"/w/gradlew": "", "/w/part/build.gradle": "", "/w/part/src/main/java/a/b/Hello.java": MAIN}
    _, asked = java(Launch(program="/w/part"), files, lambda argv: "dapwright-classpath:/w/part/build/classes\n")
    assert asked[0][0] == "/w/gradlew"


def test_a_class_name_is_a_program():
    plan, _ = java(Launch(program="com.x.Main", config={"classpath": ["/c"]}))
    assert plan.arguments["mainClass"] == "com.x.Main" and plan.arguments["classpath"] == ["/c"]


def test_several_mains_are_listed_instead_of_guessed():
    files = {"/w/pom.xml": "", "/w/src/main/java/a/b/Hello.java": MAIN, "/w/src/main/java/a/b/Again.java": MAIN}
    with pytest.raises(UsageError, match="several"):
        java(Launch(program="/w"), files)


def test_kotlin_brings_its_library_and_names_the_files_class():
    files = {"/w/greet.kt": "fun main() {}", "/opt/k/lib/kotlin-stdlib.jar": "", "/opt/k/bin/kotlinc": ""}
    answer = lambda argv: "/opt/k/bin/kotlinc\n" if argv[0] == "readlink" else ""  # noqa: E731
    plan, asked = java(Launch(program="/w/greet.kt"), files, answer, language="kotlin")
    assert asked[0][0] == "/usr/bin/kotlinc" and plan.arguments["mainClass"] == "GreetKt"
    assert plan.arguments["classpath"][-1] == "/opt/k/lib/kotlin-stdlib.jar"


@pytest.mark.parametrize(
    ("wanted", "filters"),
    [("uncaught", ("uncaught",)), ("all", ("caught", "uncaught")), ("none", ()), ("test", ("unhandled", "uncaught"))],
)
def test_exceptions_become_filters(wanted, filters):
    plan, _ = java(Launch(program="/w/app.jar", exceptions=wanted))
    assert plan.exception_filters == filters


def test_exception_classes_become_options():
    plan, _ = java(Launch(program="/w/app.jar", exceptions=("java.io.IOException",)))
    assert plan.exception_options[0]["path"][1] == {"names": ["java.io.IOException"]}


def test_attaching_is_by_port():
    plan, _ = drive(find("java").attach(Attach(port=5005), machine()), lambda argv: "")
    assert plan.request == "attach" and plan.arguments["port"] == 5005 and plan.arguments["stopOnEntry"]
    with pytest.raises(UsageError, match="by its debug port") as refused:
        drive(find("java").attach(Attach(process_id=7), machine()), lambda argv: "")
    assert "agentlib:jdwp" in refused.value.hint


def test_class_names_and_files_are_told_apart():
    names = find("java").names_classes
    assert names("com.x.Outer$Inner") and names("Ledger")
    assert not names("/a/B.java") and not names("B.java") and not names("app.jar") and not names("a/B")


def test_frames_of_the_platform_are_internal():
    internal = find("java").internal_frame
    assert internal(Frame(1, "ArrayList.add", "", 1, hint="subtle")) and not internal(Frame(1, "Ledger.add", "", 1))


TESTS = {"/w/FenceTest.java": "package p;\nclass FenceTest { }", "/w/pom.xml": ""}
CONSOLE = {"classpath": ["/c", "/l/junit-platform-console-standalone-1.9.2.jar"]}


@pytest.mark.parametrize(
    ("test", "select"),
    [
        ("FenceTest#longFence", "--select-method=p.FenceTest#longFence"),
        ("p.FenceTest", "--select-class=p.FenceTest"),
        ("FenceTest", "--select-class=p.FenceTest"),
        ("FenceTest.java::longFence", "--select-method=p.FenceTest#longFence"),
        ("FenceTest.longFence", "--select-method=p.FenceTest#longFence"),
        ("p.FenceTest#longFence()", "--select-method=p.FenceTest#longFence"),
    ],
)
def test_a_test_is_named_as_people_name_it(test, select):
    made, asked = drive(
        find("java").test_command(TestTarget(test, cwd="/w", config=CONSOLE), machine(TESTS)), lambda argv: ""
    )
    assert asked == [] and select in made.launch.args
    assert made.launch.config["mainClass"].endswith("ConsoleLauncher") and made.filters == ("unhandled", "uncaught")
    assert made.rerun[0] == "mvn" and made.launch.exceptions == "test" and made.wording.compare is compare


def test_the_runner_follows_the_class_path():
    def launch(*jars):
        target = TestTarget("FenceTest#a", cwd="/w", config={"classpath": ["/c", *jars]})
        return drive(find("java").test_command(target, machine(TESTS)), lambda argv: "")

    assert launch("/l/testng-7.4.jar")[0].launch.args[:2] == ("-methods", "p.FenceTest.a")
    assert launch("/l/junit4.jar")[0].launch.config["mainClass"] == "org.junit.runner.JUnitCore"
    made, asked = launch("/l/junit-platform-engine-1.9.2.jar")
    assert "junit-platform-console-standalone:1.9.2" in asked[0][-1]
    assert made.launch.config["classpath"][-1].endswith("junit-platform-console-standalone-1.9.2.jar")
    with pytest.raises(UsageError, match="neither JUnit nor TestNG"):
        launch("/l/other.jar")


JAVAP = """Compiled from "FenceTest.java"
class p.FenceTest extends p.Base {
  p.FenceTest();
  void many(int, java.util.Map<java.lang.String, int[]>) throws java.io.IOException;
  void plain();
}
"""


def run_test(test, files, answer):
    target = TestTarget(test, cwd="/w", config=CONSOLE)
    return drive(find("java").test_command(target, machine(files, {**BIN, "javap": "/usr/bin/javap"})), answer)


@pytest.mark.parametrize(
    ("source", "method", "selected"),
    [
        ("class FenceTest { @Test void plain() {} }", "plain", "plain"),
        ("class FenceTest { void many(int a, Map<String, int[]> b) {} }", "many", "many(int, java.util.Map)"),
        (
            "class FenceTest { void many(int a, Map b) { a.many(); if (b == many()) {} } }",
            "many",
            "many(int, java.util.Map)",
        ),
        ("class FenceTest { void plain() throws a.B, C {} }", "plain", "plain"),
        ("class FenceTest { fun `plain`() = 1 }", "plain", "plain"),
    ],
)
def test_a_parameterized_test_is_selected_with_its_types(source, method, selected):
    files = {"/w/FenceTest.java": f"package p;\n{source}", "/w/pom.xml": ""}
    command, asked = run_test(f"FenceTest#{method}", files, lambda argv: JAVAP if "javap" in argv[0] else "")
    assert f"--select-method=p.FenceTest#{selected}" in command.launch.args
    assert bool(asked) == (method == "many")


def test_a_test_that_is_not_there_is_refused_with_those_that_are():
    files = {"/w/FenceTest.java": "package p;\nclass FenceTest extends Base { }", "/w/pom.xml": ""}
    said = {"p.FenceTest": JAVAP, "p.Base": "class p.Base {\n  void above();\n}\n"}
    with pytest.raises(UsageError, match="has no method `gone`") as refused:
        run_test("FenceTest#gone", files, lambda argv: said[argv[-1]])
    assert "many, plain, above" in refused.value.hint
    command, _ = run_test("FenceTest#above", files, lambda argv: said[argv[-1]])
    assert "--select-method=p.FenceTest#above" in command.launch.args


@pytest.mark.parametrize(
    ("message", "sides"),
    [
        ("posts ==> expected: <4> but was: <3>", ("4", "3")),
        ("expected: java.lang.Long@1f<4> but was: java.lang.Integer@2<4>", ("4", "4")),
        ("expected:<a[b]> but was:<a[c]>", ("a[b]", "a[c]")),
        ("expected [4] but found [3]", ("4", "3")),
        ("\nExpected: is <4>\n     but: was <3>", ("is <4>", "<3>")),
        ("\nexpected: 4\n but was: 3", ("4", "3")),
        ("something else", None),
    ],
)
def test_what_was_compared_is_read_from_the_message(message, sides):
    found = compare(message)
    assert (found and (found["left"], found["right"])) == sides


def test_clojure_keeps_its_locals_and_loads_the_script():
    files = {"/w/cart.clj": "(ns cart)", "/usr/share/java/clojure.jar": ""}
    plan, _ = java(Launch(program="/w/cart.clj", args=("x",), cwd="/w"), files, language="clojure")
    assert plan.arguments["mainClass"] == "clojure.main" and plan.arguments["args"] == ["/w/cart.clj", "x"]
    assert plan.arguments["classpath"][-1] == "/usr/share/java/clojure.jar"
    assert any("disable-locals-clearing" in flag for flag in plan.arguments["vmArgs"])


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("@main def shop(): Unit = ()", "shop"),
        ("case class A(n: Int)\nobject Run extends App {}", "Run"),
        ("object Tools\nobject Go { def main(args: Array[String]) = () }", "Go"),
    ],
)
def test_scalas_main_class_is_found_in_the_text(text, main):
    assert scala.scala_main(text, "File.scala") == main
