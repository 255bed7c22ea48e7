"""Kotlin, on the JVM's engine: inlined lines are told by the class file's own source map."""

from dapwright.adapters import _jvm, _jvm_builds, _jvm_tests


def library(compiler: str) -> tuple[str, ...]:
    """Kotlin's own library, where a `kotlinc` distribution has it beside the compiler."""
    home = compiler.replace("\\", "/").rpartition("/bin/")[0]
    return (f"{home}/lib/kotlin-stdlib.jar",) if home else ()


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
    tested="run for real here, with Kotlin 1.9.25 on OpenJDK 17.0.15",
    test_command=_jvm_tests.test_command,
)
