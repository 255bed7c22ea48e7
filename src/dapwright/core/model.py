"""The nouns of the program. Plain values; nothing here acts."""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NewType

from msgspec import Struct

if TYPE_CHECKING:
    pass

Raw = NewType("Raw", str)
"""Text that came from the debugged program and may hold secrets."""

Safe = NewType("Safe", str)
"""Text that passed redaction. Only this may leave the process."""

Environment = Mapping[str, str | None]
"""Variables to set in a process; None unsets one."""


class Anchor(Struct, frozen=True):
    """A place in a file named by what the line says (see core/anchors.py)."""

    statement: str
    near_line: int | None = None
    function: str | None = None


class Frame(Struct, frozen=True):
    """A frame as the engine told it: `id` is the engine's own."""

    id: int
    name: str
    file: str
    line: int
    column: int = 0
    source_reference: int = 0
    hint: str = ""


class Variable(Struct, frozen=True):
    """A variable as the engine told it: `reference` is the engine's own, 0 where it has no children."""

    name: str
    value: Raw
    type: str = ""
    reference: int = 0
    evaluate_name: str = ""
    indexed: int | None = None
    named: int | None = None
    hint: str = ""


class Launch(Struct, frozen=True):
    """What to run and how, as `start_debugging` was told, defaults filled in and paths absolute."""

    program: str = ""
    module: str = ""
    args: tuple[str, ...] = ()
    env: Environment = {}
    cwd: str = ""
    stop_on_entry: bool = False
    just_my_code: bool = True
    exceptions: str | tuple[str, ...] = "uncaught"
    """`uncaught`, `all`, `none`, or class names."""
    skip_files: tuple[str, ...] = ()
    core_file: str = ""
    debugger: str = ""
    executable: str = ""
    """The interpreter or program asked for by `executablePath`."""
    path_mappings: tuple[tuple[str, str], ...] = ()
    """(local, remote) folders."""
    children: bool = True
    record: bool = False
    traced: bool = False
    """Its calls are to be told, for languages where another engine does that."""
    test: bool = False
    """This run is a test runner's (`debug_test`, `investigate {test}`)."""
    terminal: bool = False
    extra: Mapping[str, Any] = {}
    """`dapLaunchArgs`: keys for the adapter's own launch request."""
    config: Mapping[str, Any] = {}
    """`adapterLaunchConfig`: keys that our plan reads; the rest is forwarded."""


class Attach(Struct, frozen=True):
    """What to join, as `attach_to_process` was told."""

    host: str = "127.0.0.1"
    port: int | None = None
    process_id: int | None = None
    executable: str = ""
    cwd: str = ""
    source_paths: tuple[str, ...] = ()
    path_mappings: tuple[tuple[str, str], ...] = ()
    stop_on_entry: bool = True
    just_my_code: bool = True
    exceptions: str | tuple[str, ...] = "none"
    timeout_ms: int = 20_000
    config: Mapping[str, Any] = {}
    """`adapterConfig`: keys that our plan reads; the rest is forwarded."""


class Host(Struct, frozen=True):
    """What an adapter may know of the machine. A fake one makes every plan testable anywhere."""

    platform: str
    which: Callable[[str], str | None]
    env: Mapping[str, str]
    is_file: Callable[[str], bool] = lambda path: False
    is_dir: Callable[[str], bool] = lambda path: False
    read: Callable[[str], str] = lambda path: ""
    """The text of a small file (a manifest), "" where it cannot be read."""
    modified: Callable[[str], float] = lambda path: 0.0
    """When a file was last written, seconds; 0 where there is none."""
    glob: Callable[[str], Sequence[str]] = lambda pattern: ()
    """Absolute paths that match a pattern (`**` goes down), in order."""
    python: str = "python3"
    """The interpreter that runs dapwright."""
    packages: Mapping[str, str] = {}
    """Folders of code that goes into programs: `inject` (ours), `debugpy` (the one that holds the package)."""
    home: str = ""
    root: bool = False
    """We are the system's administrator."""
    cache: str = ""
    """The user's cache folder of ours, where lone files are built."""


class Run(Struct, frozen=True):
    """A helper process that a plan wants run to its end (ask cargo, compile a file); yielded by a plan."""

    argv: tuple[str, ...]
    cwd: str
    env: Environment = {}
    purpose: str = "build"
    """What it is for, in a word or two: told in progress, approvals and errors."""
    timeout_seconds: float = 600.0


class Ran(Struct, frozen=True):
    """How a helper process ended; what a plan receives for its `Run`."""

    code: int
    stdout: str
    stderr: str


class Program(Struct, frozen=True):
    """A process to start for the debuggee, by us, so that its input, output and end are ours."""

    argv: tuple[str, ...]
    cwd: str = ""
    env: Environment = {}
    terminal: bool = False
    """It gets a pseudo-terminal instead of pipes."""
    when: str = ""
    """The adapter's event that it waits for; that event's body fills `{key}` in `argv`. "" starts it at once."""


class Plan(Struct, frozen=True):
    """How to reach an engine and what to ask it."""

    request: Literal["launch", "attach"]
    arguments: Mapping[str, Any]
    argv: tuple[str, ...] = ()
    """The adapter's command; empty where one listens already. `{port}` or `{socket}` stands for ours."""
    channel: Literal["stdio", "tcp", "unix"] = "stdio"
    host: str = "127.0.0.1"
    port: int | None = None
    """Where an adapter listens already."""
    cwd: str = ""
    env: Environment = {}
    program: Program | None = None
    notes: tuple[str, ...] = ()
    """What the agent should know of these choices: the interpreter taken, a build, a stale binary."""
    warnings: tuple[str, ...] = ()
    exception_filters: tuple[str, ...] | None = None
    """Filters for setExceptionBreakpoints, in place of the adapter's table."""
    exception_options: tuple[Mapping[str, Any], ...] = ()
    prints_are_output: bool = False
    """The adapter process writes the program's output on its own stdout and stderr."""
    is_program: bool = False
    """The adapter lives inside the program, so that its exit code is the program's."""
    invitation: str = ""
    """What to run so that the program joins us, where we listen for it; filled like a program's `argv`."""
    invited: str = ""
    """The adapter's event that tells where we listen."""
    pauses_first: bool = False
    """The program waits on its first line though nobody asked it to."""
    post_mortem: bool = False
    """A core file: looking works, running is refused."""
    init: Mapping[str, Any] = {}
    """More for the `initialize` request."""
    facts: Mapping[str, Any] = {}
    """Facts of the engine chosen, in place of the adapter's: where a language has several engines."""
    entry: str = ""
    """The function that it is to stop in at its entry, where the engine's own stop there is in no code yet."""
    fed: bool = False
    """The debugger opens a named pipe of ours as the program's standard input: `{fed_input}` in `arguments`."""
    listens: str = ""
    """What the adapter prints on stderr when it may be connected to; "" where trying does no harm."""


Planning = Generator[Run, Ran, Plan]
"""A plan being made: yields the helper processes that it wants, returns the plan."""


class Wording(Struct, frozen=True):
    """How a runner's own words are read, and what its frames know at a failure."""

    compare: Callable[[str], Mapping[str, str] | None] = lambda message: None
    """The two sides of a failed comparison, `left` and `right`, from its message; `op` where it is not plain."""
    ended: Callable[[str, int | None], Mapping[str, Any]] = lambda output, code: {}
    """The verdict of a run that is over, from its output and its exit code."""
    looks: tuple[tuple[str, str, str], ...] = ()
    """(a function on the stack, an expression there, what it tells: `test`, `panic`)."""
    panic: Callable[[str], str] = lambda value: value
    """A panic's value, as the engine shows it, in words."""
    rerun: Callable[[str], str] = lambda test: ""
    """The one word of the plain command that names a test, by the name that the runner has for it."""


class TestCommand(Struct, frozen=True):
    """A test run as a launch, and how to know its failure."""

    __test__: ClassVar[bool] = False
    launch: Launch
    rerun: tuple[str, ...]
    """The plain command that a person would type."""
    filters: tuple[str, ...] | None = None
    """Exception filters that stop where the runner catches the failure."""
    wording: Wording = Wording()
    test_word: str = ""
    """The word of `rerun` that names the test."""
    functions: tuple[str, ...] = ()
    """Functions whose call means a failure (a panic, an assertion's reporter)."""
    calls: str = ""
    """Which calls of them do, as a hit condition; "" for all."""
    count: str = ""
    """How the runner prints the number of tests that ran, as a pattern with one group; "" where nothing tells."""
    notes: tuple[str, ...] = ()


class TestTarget(Struct, frozen=True):
    """What `debug_test` was asked to run."""

    __test__: ClassVar[bool] = False
    test: str
    runner: str = ""
    cwd: str = ""
    args: tuple[str, ...] = ()
    env: Environment = {}
    executable: str = ""
    config: Mapping[str, Any] = {}
