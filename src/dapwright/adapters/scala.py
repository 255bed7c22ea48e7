"""Scala, on the JVM's engine: lines and frames as the compiler wrote them; expressions are Java's."""

from dapwright.adapters import _jvm, _jvm_builds

BUILDER = _jvm_builds.Builder(
    ("scalac",),
    lambda tool, source, folder, root: (tool, "-g:vars", "-d", folder, source),
    "apt-get install scala",
    _jvm_builds.java_main,
)
ADAPTER = _jvm.adapter("scala", "Scala", (".scala",), BUILDER, tested="not run for real")
