"""Fortran, Ada, D, Pascal, Zig, Objective-C and assembly: tables for gdb, which alone shows their values."""

from collections.abc import Callable, Sequence

from dapwright.adapters import _native
from dapwright.adapters._compile import Recipe

Commands = tuple[tuple[str, ...], ...]
Command = Callable[[str, str, str, Sequence[str]], Commands]


def _gcc(*flags: str) -> Command:
    return lambda tool, source, program, more: ((tool, *flags, "-o", program, source, *more),)


def _objc(tool: str, source: str, program: str, more: Sequence[str]) -> Commands:
    return ((tool, "-g", "-O0", "-o", program, source, *more, "-lobjc"),)


def _zig(tool: str, source: str, program: str, more: Sequence[str]) -> Commands:
    return ((tool, "build-exe", "-O", "Debug", f"-femit-bin={program}", source, *more),)


def _ada(tool: str, source: str, program: str, more: Sequence[str]) -> Commands:
    return ((tool, "-q", "-g", "-O0", "-f", source, "-o", program, *more),)


def _pascal(tool: str, source: str, program: str, more: Sequence[str]) -> Commands:
    folder = program.rpartition("/")[0]
    return ((tool, "-g", "-gw2", "-O-", "-vew", f"-FE{folder}", f"-FU{folder}", f"-o{program}", source, *more),)


def _nasm(tool: str, source: str, program: str, more: Sequence[str]) -> Commands:
    return (
        (tool, "-g", "-F", "dwarf", "-f", "elf64", "-o", f"{program}.o", source, *more),
        ("ld", "-o", program, f"{program}.o"),
    )


def _dlang(tool: str, source: str, program: str, more: Sequence[str]) -> Commands:
    name = tool.rpartition("/")[2]
    if name.startswith("gdc"):
        return ((tool, "-g", "-O0", "-o", program, source, *more),)
    return ((tool, "-g", f"-of={program}", source, *more),)


GDB = ("gdb",)
RUN = "run for real here, with gdb 18.1"
FORTRAN = (".f90", ".f95", ".f03", ".f08", ".f", ".for")
TABLE = (
    ("fortran", "Fortran", FORTRAN, ("gfortran",), _gcc("-g", "-O0"), "gfortran", "fortran_error", "!"),
    ("ada", "Ada", (".adb", ".ads"), ("gnatmake",), _ada, "gnat", "ada_unhandled", "--"),
    ("d", "D", (".d",), ("gdc", "ldc2", "dmd"), _dlang, "gdc", "d_throw", "//"),
    ("pascal", "Pascal", (".pas", ".pp", ".lpr"), ("fpc",), _pascal, "fp-compiler", "pascal_raise", "//"),
    ("zig", "Zig", (".zig",), ("zig",), _zig, "", "", "//"),
    ("objc", "Objective-C", (".m",), ("gcc", "clang"), _objc, "gobjc", "objc_throw", "//"),
    ("asm", "Assembly (gas)", (".s",), ("gcc", "cc"), _gcc("-g", "-nostdlib", "-static"), "gcc", "", "#"),
    ("nasm", "Assembly (NASM)", (".asm", ".nasm"), ("nasm",), _nasm, "nasm", "", ";"),
)  # fmt: skip
ALIASES = {"objc": ("objective-c", "objectivec"), "d": ("dlang",), "asm": ("assembly", "gas"), "fortran": ("f90",)}

ADAPTERS = tuple(
    _native.adapter(
        _native.Language(
            name,
            endings,
            Recipe(tools, command, f"apt-get install {package}" if package else "pip install ziglang"),
            runtime=(runtime,) if runtime else (),
            engines=GDB,
        ),
        shown,
        aliases=ALIASES.get(name, ()),
        comment=comment,
        tested=RUN + (" and Zig 0.17.1" if name == "zig" else ""),
    )
    for name, shown, endings, tools, command, package, runtime, comment in TABLE
)
