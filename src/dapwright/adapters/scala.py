"""Scala 3 and 2, on the JVM's engine: names as they were written, captured variables by their values."""

import re
from collections.abc import Generator

from dapwright.adapters import _jvm, _jvm_builds, _jvm_tests
from dapwright.core.model import Host, Ran, Run

MAIN = re.compile(r"@main\s+def\s+(\w+)")
OBJECT = re.compile(r"\bobject\s+(\w+)(\s+extends\s+(?:\w+\s+with\s+)*App\b)?|\bdef\s+main\s*\(")


def scala_main(text: str, name: str) -> str:
    """The class that runs: a `@main` function's own, else the object with `main` or that extends `App`."""
    if told := MAIN.search(text):
        return told[1]
    last = ""
    for found in OBJECT.finditer(text):
        if found[1] and found[2]:
            return found[1]
        if not found[1]:
            break
        last = found[1]
    return last or name.rpartition(".")[0]


def library(compiler: str, host: Host) -> Generator[Run, Ran, tuple[str, ...]]:
    """Scala's own library, beside its compiler or where Debian has it."""
    return (
        yield from _jvm_builds.jars_beside(compiler, host, ("scala-library*.jar", "scala3-library*.jar"), "SCALA_HOME")
    )


BUILDER = _jvm_builds.Builder(
    ("scalac",),
    lambda tool, source, folder, root: (tool, "-d", folder, source),
    "https://www.scala-lang.org/download, or apt-get install scala",
    scala_main,
    library,
    wants_folder=True,
)
ADAPTER = _jvm.adapter(
    "scala",
    "Scala",
    (".scala",),
    BUILDER,
    tested="run for real here, with Scala 3.3.7 and 2.13.18 on OpenJDK 17.0.15",
    test_command=_jvm_tests.test_command,
)
