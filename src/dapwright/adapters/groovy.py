"""Groovy, on the JVM's engine: lines and frames as the compiler wrote them; expressions are Java's."""

from dapwright.adapters import _jvm, _jvm_builds

BUILDER = _jvm_builds.Builder(
    ("groovyc",),
    lambda tool, source, folder, root: (tool, "-d", folder, source),
    "apt-get install groovy",
    lambda text, name: name.rpartition(".")[0],
)
ADAPTER = _jvm.adapter("groovy", "Groovy", (".groovy",), BUILDER, tested="not run for real")
