"""Groovy, on the JVM's engine: closures named, captured variables by their values; expressions are Java's."""

from collections.abc import Generator

from dapwright.adapters import _jvm, _jvm_builds, _jvm_tests
from dapwright.core.model import Host, Ran, Run


def library(compiler: str, host: Host) -> Generator[Run, Ran, tuple[str, ...]]:
    """Groovy's own jars, beside its compiler or where Debian has them."""
    return (yield from _jvm_builds.jars_beside(compiler, host, ("groovy-[0-9]*.jar", "groovy.jar"), "GROOVY_HOME"))


BUILDER = _jvm_builds.Builder(
    ("groovyc",),
    lambda tool, source, folder, root: (tool, "-d", folder, source),
    "https://groovy.apache.org/download.html, or apt-get install groovy",
    lambda text, name: name.rpartition(".")[0],
    library,
)
ADAPTER = _jvm.adapter(
    "groovy",
    "Groovy",
    (".groovy",),
    BUILDER,
    tested="run for real here, with Groovy 5.0.8 on OpenJDK 17.0.15",
    test_command=_jvm_tests.test_command,
)
