"""COBOL, by GnuCOBOL's C and gdb: our plugins show it as COBOL again."""

import hashlib
import re

from dapwright.adapters import _compile, _gdb, _native
from dapwright.core.errors import UsageError
from dapwright.core.model import Host, Launch, Run
from dapwright.core.parts import Installing, Part, told

COBC = Part("GnuCOBOL", ("apt-get install gnucobol", "brew install gnucobol"))
INSTALL = told(COBC, _gdb.GDB)
EXTENSIONS = (".cob", ".cbl", ".cobol")
COPIED = (".cpy", ".cob", ".cbl", ".CPY")


def build(launch: Launch, host: Host) -> _compile.Building:
    """Compile a source into our cache folder, where cobc's C and its listing stay beside the program.

    Raises:
        UsageError: it is neither a source nor a program.
    """
    source = launch.program
    if not source.lower().endswith(EXTENSIONS):
        if not host.is_file(source):
            raise UsageError(f"no such program: `{source}`", "pass a COBOL source, or a program made with `cobc -x -g`")
        return source, ()
    config = {**launch.config, **launch.extra}
    cobc = _compile.compiler(host, _compile.Recipe(("cobc",), lambda *words: (), INSTALL), str(config.get("cobc", "")))
    folder, _, name = source.rpartition("/")
    flags = [str(flag) for flag in config.get("compilerFlags", ())] + [str(one) for one in config.get("sources", ())]
    copied = [host.read(path) for ending in COPIED for path in host.glob(f"{folder}/*{ending}")]
    key = hashlib.sha256("\0".join([source, host.read(source), cobc, *flags, *copied]).encode(errors="replace"))
    place = f"{host.cache}/cobol/{key.hexdigest()[:16]}"
    stem = re.sub(r"\.\w+$", "", name)
    program = f"{place}/{stem}"
    if host.is_file(program):
        return program, (f"compiled with cobc into {program} (an earlier build of the same text)",)
    yield Run(("mkdir", "-p", place), cwd="", purpose="prepare", timeout_seconds=10)
    listing = ("-T", f"{place}/{stem}.lst", "-ftsymbols", "--tlines=0")
    argv = (cobc, "-x", "-g", "-debug", "-I", folder, *listing, "-o", program, source, *flags)
    yield from _compile.run(Run(argv, cwd=place, purpose="compile"), name)
    return program, (f"compiled with cobc into {program}",)


def check(host: Host) -> str:
    """What is missing."""
    return _native.check(host) or ("" if host.which("cobc") else "there is no cobc (GnuCOBOL)")


def installs(host: Host) -> Installing:
    """The compiler, and gdb."""
    lacking = yield from _native.installs(host)
    return lacking if host.which("cobc") else (COBC, *lacking)


ADAPTER = _native.adapter(
    _native.Language(
        "cobol",
        EXTENSIONS,
        None,
        runtime=("cobol_error",),
        engines=("gdb",),
        build=build,
        gdb_plugins=("gdb_cobol_plugin.py",),
    ),
    "COBOL",
    aliases=("gnucobol", "cob"),
    comment="*>",
    check=check,
    setup=INSTALL,
    installs=installs,
    accepts_and_ignores=frozenset({"conditions", "logpoints"}),
    launches_folders=False,
    tested="run for real here, with GnuCOBOL 3.1.2 and gdb 18.1",
)
