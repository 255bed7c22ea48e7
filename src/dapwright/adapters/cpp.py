"""C++, on gdb or LLDB."""

from dapwright.adapters import _native, _native_tests
from dapwright.adapters._compile import Recipe

RECIPE = Recipe(
    ("g++", "clang++", "c++"),
    lambda tool, source, program, flags: ((tool, "-g", "-O0", "-o", program, source, *flags, "-pthread"),),
    "apt-get install g++",
)
LANGUAGE = _native.Language("cpp", (".cpp", ".cc", ".cxx", ".c++", ".cppm"), RECIPE)
ADAPTER = _native.adapter(
    LANGUAGE,
    "C++",
    aliases=("c++", "cxx", "lldb", "codelldb", "cppdbg", "lldb-dap"),
    test_command=_native_tests.command_for("cpp"),
    tested="run for real here, with gdb 18.1, lldb-dap 23.1 and g++ 12.2",
)
