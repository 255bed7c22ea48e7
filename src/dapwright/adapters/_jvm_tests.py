"""JUnit and TestNG tests, as launches of a runner in a JVM that we start."""

import re
from collections.abc import Generator

from dapwright.adapters import _jvm_builds, _jvm_signatures
from dapwright.adapters._jvm_builds import PACKAGE
from dapwright.adapters._jvm_projects import base, chosen, class_path, project, reactor, run, source_roots
from dapwright.core.errors import UsageError
from dapwright.core.model import Host, Launch, Ran, Run, TestCommand, TestTarget, Wording

CONSOLE = "org.junit.platform.console.ConsoleLauncher"
FILTERS = ("unhandled", "uncaught")
ENDINGS = (".java", ".kt", ".groovy", ".scala")
DEBIAN = "/usr/share/java/junit-platform-console-standalone.jar"
"""Where Debian's `junit5` has the whole launcher."""
OPERANDS = tuple(
    re.compile(pattern, re.DOTALL)
    for pattern in (
        r"expected: ?\S*?<(.*?)> but was: ?\S*?<(.*?)>\.?$",  # JUnit 5 and 4, kotlin.test on them
        r"expected \[(.*?)\] but found \[(.*?)\]",  # TestNG
        r"Expected <(.*?)>, actual <(.*?)>",  # kotlin.test alone
        r"Expected: (.*?)\n\s+but: (?:was )?(.*)",  # Hamcrest
        r"expected: (.*?)\n\s*but was: (.*)",  # AssertJ
    )
)


def compare(message: str) -> dict[str, str] | None:
    """What a failed assertion compared, first what it expected, as the frameworks of the JVM word it.

    >>> compare("posts ==> expected: <4> but was: <3>")
    {'op': 'expected, was', 'left': '4', 'right': '3'}
    """
    for pattern in OPERANDS:
        found = pattern.search(message)
        if found:
            return {"op": "expected, was", "left": found[1].strip(), "right": found[2].strip()}
    return None


WORDING = Wording(compare)


def test_command(target: TestTarget, host: Host) -> Generator[Run, Ran, TestCommand]:
    """One test (`FenceTest#longFence`, `com.x.FenceTest`, a source's path) run by the console launcher.

    Raises:
        UsageError: no source has the class, or no class path is known.
        BuildError: the tests do not compile.
    """
    class_name, method, source = find(target, host)
    folder = project(source or target.cwd, host)
    config = dict(target.config)
    entries = _jvm_builds.listed(config, "classpath")
    notes: tuple[str, ...] = ()
    built = not entries
    if built:
        if not folder:
            raise UsageError(
                f"no class path is known for `{class_name}`",
                "pass adapterLaunchConfig.classpath (the classes, the tests and JUnit), or a Maven or Gradle project",
            )
        entries, notes = yield from class_path(folder, host, test=True)
    methods = yield from _jvm_signatures.methods(class_name, method, source, entries, host)
    main, args, more = yield from runner(class_name, methods, entries, host)
    known = source_roots(folder, entries, host) if folder else ()
    own = [_jvm_builds.source_root(source, host)] if source else []
    config |= {"mainClass": main, "classpath": [*entries, *more], "sourcePaths": [*known, *own]}
    config["vmArgs"] = ["-ea", *_jvm_builds.words(config, "vmArgs")]  # as Surefire and Gradle run tests
    launch = Launch(
        program=source,
        args=(*args, *target.args),
        env=target.env,
        cwd=folder if built else target.cwd or folder,  # a build tool runs a module's tests in its folder
        executable=target.executable,
        exceptions="test",
        test=True,
        config=config,
    )
    rerun = _rerun(class_name, method, folder, target.cwd, host)
    return TestCommand(launch, rerun, filters=FILTERS, wording=WORDING, notes=notes)


def find(target: TestTarget, host: Host) -> tuple[str, str, str]:
    """Read a test's name: (class, method or "", source or "").

    Raises:
        UsageError: several classes have that name.
    """
    place, _, method = re.sub(r"::|#", "#", target.test).partition("#")
    method = method.partition("(")[0]
    if place.endswith(ENDINGS):
        source = place if place.startswith("/") else f"{target.cwd}/{place.removeprefix('./')}"
        return _full(source, host), method, source
    if not method and re.fullmatch(r"[\w.$]+\.[a-z_]\w*", place) and not place.rpartition(".")[0].islower():
        place, _, method = place.rpartition(".")
    simple = place.rpartition(".")[2].partition("$")[0]
    patterns = [f"{target.cwd}/**/{simple}{ending}" for ending in ENDINGS]
    found = [path for pattern in patterns for path in host.glob(pattern) if "/target/" not in path]
    inside = [
        path for path in found if path.rpartition(".")[0].endswith("/" + place.partition("$")[0].replace(".", "/"))
    ]
    if "." in place:
        return place, method, next(iter(inside or found), "")
    if len(found) > 1:
        raise UsageError(f"`{place}` is in several files: {', '.join(found[:10])}", "pass the class with its package")
    nested = "$" + place.partition("$")[2] if "$" in place else ""
    return (_full(found[0], host) + nested if found else place), method, next(iter(found), "")


def _full(source: str, host: Host) -> str:
    package = PACKAGE.search(host.read(source))
    stem = base(source).rpartition(".")[0]
    return f"{package[1]}.{stem}" if package else stem


Runner = tuple[str, tuple[str, ...], tuple[str, ...]]
"""(main class, its arguments, more for the class path)."""


def runner(class_name: str, methods: tuple[str, ...], entries: list[str], host: Host) -> Generator[Run, Ran, Runner]:
    """The runner that the class path asks for; JUnit's console launcher is fetched where only JUnit is there.

    Raises:
        UsageError: there is neither JUnit nor TestNG on it.
    """
    jars = [base(entry) for entry in entries]
    what = tuple(f"--select-method={class_name}#{one}" for one in methods) or (f"--select-class={class_name}",)
    options = (*what, "--disable-banner", "--details=tree", "--disable-ansi-colors")
    if any(jar.startswith("junit-platform-console") for jar in jars):
        return CONSOLE, options, ()
    if any(re.match(r"testng-?[\d.]*", jar) and jar.startswith("testng") for jar in jars):
        named = ",".join(f"{class_name}.{one.partition('(')[0]}" for one in methods)
        chosen = ("-methods", named) if methods else ("-testclass", class_name)
        return "org.testng.TestNG", (*chosen, "-usedefaultlisteners", "false"), ()
    platform = [found[1] for jar in jars if (found := re.match(r"junit-platform-engine-([\d.]+)\.jar", jar))]
    if platform:
        jar = yield from _console(platform[0], host)
        return CONSOLE, options, (jar,)
    if any(re.fullmatch(r"junit(?:-?4[\w.-]*)?\.jar", jar) for jar in jars):
        if methods and host.is_file(DEBIAN):
            return CONSOLE, options, (DEBIAN,)
        return "org.junit.runner.JUnitCore", (class_name,), ()
    raise UsageError("neither JUnit nor TestNG is on the class path", "add it to adapterLaunchConfig.classpath")


def _console(version: str, host: Host) -> Generator[Run, Ran, str]:
    """JUnit's launcher in the version of the project's own JUnit, by Maven."""
    name = f"junit-platform-console-standalone-{version}.jar"
    jar = f"{host.home}/.m2/repository/org/junit/platform/junit-platform-console-standalone/{version}/{name}"
    if not host.is_file(jar):
        artifact = f"org.junit.platform:junit-platform-console-standalone:{version}"
        tool = host.which("mvn") or "mvn"
        yield from run(
            Run(
                (tool, "-q", "-B", "dependency:get", f"-Dartifact={artifact}"), cwd="", purpose="fetch JUnit's launcher"
            ),
            "the test",
        )
    return jar


def _rerun(class_name: str, method: str, folder: str, cwd: str, host: Host) -> tuple[str, ...]:
    name = f"{class_name}#{method}" if method else class_name
    if folder and host.is_file(f"{folder}/pom.xml"):
        root = reactor(folder, host)
        where = () if cwd == root else ("-f", f"{root}/pom.xml")
        # In the modules that it needs there is no such test.
        lenient = () if root == folder else ("-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false")
        return ("mvn", "-q", *where, *chosen(folder, root), "test", f"-Dtest={name}", *lenient)
    if folder:
        where = () if cwd == folder else ("-p", folder)
        return ("gradle", *where, "test", "--tests", name.replace("#", "."))
    return (
        "java",
        "-jar",
        "junit-platform-console-standalone.jar",
        f"--select-{'method' if method else 'class'}={name}",
    )
