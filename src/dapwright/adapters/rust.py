"""Rust, on gdb or LLDB, each with the toolchain's own formatters.

gdb first: with rustc's printers it shows BTreeMap too, conditions cost a quarter, and
our plugin stops at a panic in its own words; lldb-dap where it is asked for.
"""

import re
from collections.abc import Generator

from dapwright.adapters import _cargo, _compile, _native
from dapwright.core.errors import UsageError
from dapwright.core.model import Frame, Host, Launch, Ran, Run, TestCommand, TestTarget, Wording

RECIPE = _compile.Recipe(
    ("rustc",),
    lambda tool, source, program, flags: (
        (tool, "-g", "-C", "opt-level=0", "--edition=2021", "-o", program, source, *flags),
    ),
    "install Rust: https://rustup.rs",
)
LIBRARY = ("/rustc/", "/library/std/", "/library/core/", "/library/alloc/", "/library/test/", "/.rustup/")
RUNTIME = (
    "rust_panic", "__rust_", "__rustc::", "panic_unwind::", "panic_abort::", "std::", "core::", "alloc::", "test::",
    "_start", "__libc_start",
)  # fmt: skip
"""By name too: gdb takes a library's `lib.rs` that is not here for the one of that name in the working folder."""


def sysroot(host: Host) -> Generator[Run, Ran, str]:
    """Where the toolchain keeps its formatters; "" without a toolchain."""
    rustc = host.which("rustc")
    if rustc is None:
        return ""
    told = yield Run((rustc, "--print", "sysroot"), cwd="", purpose="find rustc's formatters", timeout_seconds=20)
    folder = f"{told.stdout.strip()}/lib/rustlib/etc"
    return folder if told.code == 0 and host.is_dir(folder) else ""


def gdb_commands(host: Host) -> Generator[Run, Ran, list[str]]:
    """rustc's printers, loaded for all programs: what a program names by itself needs gdb's trust."""
    folder = yield from sysroot(host)
    if not folder:
        return []
    path = f"python import sys; sys.path.append({folder!r})"
    return [path, f"add-auto-load-safe-path {folder}", f"source {folder}/gdb_load_rust_pretty_printers.py"]


def lldb_commands(host: Host) -> Generator[Run, Ran, list[str]]:
    """rustc's formatters for LLDB (19 and CodeLLDB show a None of `Option<String>` wrongly), and a stop at panics."""
    folder = yield from sysroot(host)
    panics = ["breakpoint set --name rust_panic"]
    if not folder:
        return panics
    script, source = f'command script import "{folder}/lldb_lookup.py"', f'command source -s 0 "{folder}/lldb_commands"'
    return [script, source, *panics]


def build(launch: Launch, host: Host) -> _compile.Building:
    """A program as it is, a cargo package, or a lone source."""
    path = launch.program
    if not path.endswith((".rs", "/Cargo.toml")) and not host.is_dir(path):
        return path, ()
    if _cargo.manifest(path, host):
        return (yield from _cargo.program(launch, host))
    if host.is_dir(path):
        raise UsageError(f"`{path}` has no Cargo.toml", "pass a package's folder, a source or a program")
    return (yield from _compile.lone(path, host, RECIPE, launch.config))


SIDES = re.compile(r"\bleft: (.*)\n\s*right: (.*)")
"""How `assert_eq!` and `assert_ne!` say what they compared."""


def compare(message: str) -> dict[str, str] | None:
    """The two sides of a failed assertion, from its panic's message."""
    found = SIDES.search(message)
    return {"left": found[1].strip(), "right": found[2].strip()} if found else None


WORDING = Wording(compare)


def test_command(target: TestTarget, host: Host) -> Generator[Run, Ran, TestCommand]:
    """One test of a package, from the test binary that has it."""
    file, _, name = target.test.rpartition("::") if ".rs::" in target.test else ("", "", target.test)
    where = _cargo.manifest(file if file.startswith("/") else target.cwd, host)
    if not where:
        raise UsageError(f"there is no Cargo.toml at or above `{target.cwd}`", "pass the package's folder as `cwd`")
    folder = where.rpartition("/")[0]
    words = _cargo.words_for(file, target.config, test=True)
    found = yield from _cargo.build(host, folder, words)
    program, exact = yield from _holder([each["executable"] for each in found], name, folder)
    args = [name, *(["--exact"] if exact else []), "--nocapture", "--test-threads=1", *target.args]
    env = {"CARGO_MANIFEST_DIR": folder, "RUST_BACKTRACE": "0", **target.env}
    launch = Launch(program=program, args=tuple(args), env=env, cwd=folder, test=True)
    rerun = ("cargo", "test", *[word for word in words[1:] if word != "--no-run"], name)
    return TestCommand(launch, rerun=rerun, filters=("signal", "rust_panic"), wording=WORDING)


def _holder(programs: list[str], name: str, cwd: str) -> Generator[Run, Ran, tuple[str, bool]]:
    """The test binary that has a test of this name, and whether it is its whole name."""
    near: list[str] = []
    known: list[str] = []
    for program in programs:
        listing = yield Run((program, "--list", "--format", "terse"), cwd=cwd, purpose="list tests", timeout_seconds=30)
        tests = re.findall(r"^(.*): test$", listing.stdout, re.M)
        known += tests
        if name in tests:
            return program, True
        if any(name in test for test in tests):
            near.append(program)
    if not near:
        some = ", ".join(known[:20]) or "none"
        raise UsageError(f"no test is named `{name}`; there are: {some}", "pass a test's path as cargo prints it")
    return near[0], False


def internal_frame(frame: Frame) -> bool:
    """Frames of the standard library and the runtime."""
    return (
        _native.internal_frame(frame)
        or any(part in frame.file for part in LIBRARY)
        or frame.name.lstrip("<").startswith(RUNTIME)
    )


LANGUAGE = _native.Language(
    "rust",
    (".rs",),
    RECIPE,
    runtime=("rust_panic",),
    build=build,
    gdb_commands=gdb_commands,
    lldb_commands=lldb_commands,
)
ADAPTER = _native.adapter(
    LANGUAGE,
    "Rust",
    aliases=("rs", "cargo"),
    internal_frame=internal_frame,
    launch_keys=_native.KEYS | {"cargo"},
    test_command=test_command,
    tested="run for real here, with gdb 18.1, lldb-dap 23.1 and Rust 1.95",
)
