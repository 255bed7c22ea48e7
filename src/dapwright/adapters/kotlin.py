"""Kotlin, on the JVM's engine: inlined lines are told by the class file's own source map."""

from collections.abc import Generator

from dapwright.adapters import _jvm, _jvm_builds, _jvm_tests
from dapwright.core.model import Host, Ran, Run


def library(compiler: str, host: Host) -> Generator[Run, Ran, tuple[str, ...]]:
    """Kotlin's own library, where a `kotlinc` distribution has it beside the compiler."""
    real = compiler
    if host.platform != "win32":
        told = yield Run(("readlink", "-f", compiler), cwd="", purpose="find Kotlin's library", timeout_seconds=10)
        real = told.stdout.strip() or compiler
    homes = [real.replace("\\", "/").rpartition("/bin/")[0], host.env.get("KOTLIN_HOME") or ""]
    jars = [f"{home}/lib/kotlin-stdlib.jar" for home in homes if home]
    return tuple([jar for jar in jars if host.is_file(jar)][:1])


BUILDER = _jvm_builds.Builder(
    ("kotlinc",),
    lambda tool, source, folder, root: (tool, source, "-nowarn", "-d", folder),
    "https://kotlinlang.org/docs/command-line.html, or `npm install -g kotlin-compiler`",
    _jvm_builds.kotlin_main,
    library,
)
ADAPTER = _jvm.adapter(
    "kotlin",
    "Kotlin",
    (".kt",),
    BUILDER,
    aliases=("kt",),
    tested="run for real here, with Kotlin 2.4.20 on OpenJDK 17.0.15",
    test_command=_jvm_tests.test_command,
)
