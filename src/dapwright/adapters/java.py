"""Java, by our own engine on the Java Debug Wire Protocol."""

from dapwright.adapters import _jvm, _jvm_builds, _jvm_tests

BUILDER = _jvm_builds.Builder(
    ("javac",),
    lambda tool, source, folder, root: (tool, "-g", "-nowarn", "-d", folder, "-sourcepath", root, source),
    "apt-get install openjdk-17-jdk",
    _jvm_builds.java_main,
)
ADAPTER = _jvm.adapter(
    "java",
    "Java",
    (".java", ".jar"),
    BUILDER,
    aliases=("jvm",),
    tested="run for real here, with OpenJDK 17.0.15, Temurin 21.0.8 and 25.0.3",
    test_command=_jvm_tests.test_command,
)
