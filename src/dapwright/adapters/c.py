"""C, on gdb or LLDB."""

from dapwright.adapters import _native, _native_tests
from dapwright.adapters._compile import Recipe

RECIPE = Recipe(
    ("gcc", "clang", "cc"),
    lambda tool, source, program, flags: ((tool, "-g", "-O0", "-o", program, source, *flags, "-lm", "-pthread"),),
    "apt-get install gcc",
)
LANGUAGE = _native.Language("c", (".c",), RECIPE)
ADAPTER = _native.adapter(
    LANGUAGE,
    "C",
    aliases=("gdb",),
    test_command=_native_tests.command_for("c"),
    tested="run for real here, with gdb 18.1 and gcc 12.2",
)
