"""A language, as data: facts, and pure functions that make plans (the files of adapters/)."""

import re
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from dapwright.core import effects
from dapwright.core.inside import Inside
from dapwright.core.model import (
    Attach,
    Frame,
    Host,
    Launch,
    Plan,
    Planning,
    Ran,
    Run,
    TestCommand,
    TestTarget,
    Variable,
)
from dapwright.core.parts import Installing
from dapwright.core.returning import Ending, Returning
from dapwright.core.stacks import Stacks

Warming = Generator[Run, Ran, Plan | None]
"""A plan for the adapter's process alone that has to ask the machine first."""


class Rephrased(Struct, frozen=True):
    """An expression in the engine's own way of asking for what changes the program."""

    expression: str
    changed: str = ""
    """What it gives a new value, to be read back."""


class Whole(Struct, frozen=True):
    """How an engine is made to show a long value whole: its mark of a cut, and what to evaluate around."""

    cut: re.Pattern[str]
    before: str
    after: str


class Items(Struct, frozen=True):
    """How an engine that reads a whole container for each page of it is asked for single items instead."""

    context: str
    """Of `evaluate`: one in which `container[5]` is a path, and runs nothing."""
    number: re.Pattern[str]
    """How many there are, among a variable's type, a line end and its value; in one of its groups."""

    prefix: str = ""
    """What marks an expression as such a path, where the context does not."""

    def count(self, variable: Variable) -> int | None:
        """The number of items that a container's own text tells; None where it tells none."""
        told = self.number.search(f"{variable.type}\n{variable.value}")
        return int(next(filter(None, told.groups()))) if told else None


class Adapter(Struct, frozen=True):
    """A language, as data: facts, and pure functions that make plans."""

    language: str
    display_name: str
    extensions: tuple[str, ...]
    dap_id: str
    engine: str
    plan: Callable[[Launch, Host], Planning] | None = None
    """None where programs cannot be launched."""
    attach: Callable[[Attach, Host], Planning] | None = None
    """None where nothing can be attached to."""
    warm: Callable[[Host, str], "Plan | Warming | None"] = lambda host, executable: None
    """The adapter's process alone, to be started when the session is created; None where the launch decides."""
    check: Callable[[Host], str] = lambda host: ""
    """Why this machine cannot launch it, with the install command; "" when it can."""
    check_attach: Callable[[Host], str] = lambda host: ""
    internal_frame: Callable[[Frame], bool] = lambda frame: False
    aliases: tuple[str, ...] = ()
    tested: str = ""
    """`run for real here`, with versions, or `tested against a recorded adapter only`."""
    exception_filters: Mapping[str, tuple[str, ...]] = {}
    """`uncaught`, `all` and `none` in the engine's own filter ids."""
    comment: str = "#"
    source_language: str = ""
    """The grammar that reads its sources (core/source.py), where not `language`."""
    exit_code: re.Pattern[str] | None = None
    """For adapters that print the exit code instead of sending `exited`; one group."""
    hit_condition: Callable[[str], str | None] = lambda condition: None
    """Our hit condition in the engine's words; None where we count instead."""
    one_meaning: bool = False
    """The engine is ours, or has our plugin: it keeps several breakpoints of a line apart, passes a condition
    that fails and tells it, and names the breakpoint of each message that it logs."""
    function_breakpoints: Literal["engine", "ours", "either"] = "engine"
    """Who resolves a function's name: engines that call unknown names verified do not. `either`: the engine, and
    where it does not know the name, or knows several functions by it and takes none, we do."""
    columns: bool = False
    """The engine stops at a column, so that two statements of a line are two places."""
    accepts_and_ignores: frozenset[str] = frozenset()
    """Capabilities that the engine advertises and does not keep: `logpoints`, `hitConditions`, `conditions`."""
    banner: re.Pattern[str] | None = None
    """What an engine says on its stdout before the program prints there too."""
    chatter: re.Pattern[str] | None = None
    """What the engine says on its console that helps nobody."""
    keeps_frame_ids: bool = False
    """A frame has the same id at each stop, so that another id is another frame (debugpy 1.8.22: its address)."""
    settles_above: bool = False
    """The engine puts a breakpoint on a line without code to the line with code above it (debugpy 1.8.22)."""
    begins_late: bool = False
    """The engine knows no line table, and many a statement of several lines runs on its last line alone."""
    follows: bool = False
    """The child processes that a program starts are debugged too, unless `children` is false."""
    unfollowed: str = ""
    """Which of them are not, all the same."""
    verifies_any: bool = False
    """The engine calls every breakpoint bound, of a file that the program never loads too."""
    keeps_steps: bool = False
    """A step that a breakpoint has cut short is finished by a plain continue (LLDB 23, rdbg 1.11)."""
    keeps_removed: bool = False
    """The engine goes on stopping at breakpoints that were taken away."""
    failure: Callable[[str, str, str], str] = lambda expression, kind, value: ""
    """For engines that answer a failed evaluation with success: what failed, from its type and value; "" if nothing."""
    raised: str = ""
    """The variable that holds the exception which a thread stands at, for engines that tell of it so alone."""
    evaluate_context: str = "repl"
    context_of: Callable[[str], str] | None = None
    """The context by what is evaluated, where an engine treats expressions and statements apart."""
    evaluate_limit: str = ""
    """The argument of `evaluate` by which code of ours in the program learns its time limit, in seconds."""
    prelude: Callable[[Host], str] | None = None
    """What brings that code into a process that was not started by us: a child, one attached to."""
    assignment: str = "{0} = {1}"
    """An assignment as an expression that its engine evaluates."""
    rephrase: Callable[[str, str], Rephrased | None] = lambda expression, failure: None
    """What to evaluate instead of an expression that the engine refused in these words; None: nothing else."""
    interrupted: str = ""
    """The engine's words for a call that met a breakpoint or a panic, and stands there now."""
    panicked: str = ""
    """The name under which a call's result is the value that it panicked with."""
    returning: Returning | None = None
    """How results are read after a step out, where the engine tells none."""
    ending: Ending | None = None
    """How a step out ends, where that is not in the caller."""
    whole: Whole | None = None
    """How its cut values are had whole, for engines that cut them."""
    reports: Callable[[str], tuple[list[str], int]] | None = None
    """What a runtime reported on stderr though nothing stopped: a data race, with its places; and up to which
    character that was read: what comes after is the beginning of one that is not whole yet."""
    refuse_effects: Callable[[str], None] = effects.refuse
    """Raise NotAllowed where an expression may change the program; `lambda expression: None` where its engine tells."""
    refuse_writes: Callable[[str], None] = lambda expression: None
    """Raise NotAllowed where a condition, a message, a capture or a watch plainly changes what it should look at."""
    first_reference: int = 0
    """At each stop its frames, and its variables, are numbered from here: so a step's looks can be sent together."""
    paging: bool = True
    """`variables` honours start and count."""
    items_apart: bool = False
    """Items are shown whole, and paged, only where they are asked for by themselves, with the filter `indexed`."""
    items: Items | None = None
    slices: tuple[str, str, str] | None = None
    """Where it does not: expressions for the length and for a slice, and how an item is named: `len({0})`, ..."""
    tasks: str = ""
    """An expression for the concurrent tasks of a paused thread's event loop: text of JSON, `[[name, function,
    file, line, current]]`, as the language shows text."""
    sources: str = ""
    """An expression for the files of the program's own modules that are loaded: text of a JSON list, shown likewise."""
    watches_addresses: bool = False
    """`dataBreakpointInfo` takes an expression for an address: only a scope's own variables go by name (lldb-dap)."""
    records: bool = False
    """Its programs can be recorded from the launch on, by one of its engines."""
    rewinds: bool = False
    """Our plugin in its engine goes back through a recording to the last write of a value."""
    waits: Literal["", "any", "standing"] = ""
    """The engine is one of ours that tells who waits for whom, in rows of core/waits.py (`dapwright/waits`):
    `any` program, or only one that is `standing` still, which a running one is made to for the look."""
    thread_rank: Callable[[Sequence[Frame]], int] = lambda frames: 0
    """How well a thread of the program's own code stands for a stop in nobody's; 0 is as good as can be."""
    unhandled: frozenset[str] = frozenset()
    """An engine's names of what nobody handled any more, for engines that tell no `breakMode`."""
    deaths: Mapping[str, tuple[str, str, str]] = {}
    """Functions of a runtime in which a program dies, for its core file: what of, and the function in whose frame an
    expression tells more of it."""
    raisers: Mapping[str, str] = {}
    """Functions of a runtime in which a stop of nobody's breakpoint means a failure, and what is said of each."""
    refusal: re.Pattern[str] | None = None
    """What an adapter prints where it cannot start, and then never says so; one group, the reason."""
    joins_paused: bool = False
    """A program that is attached to stands still until it is told to go on."""
    bare_signals: bool = False
    """A signal's death comes as the signal's bare number in place of an exit code (LLDB)."""
    input_request: bool = False
    """The engine is one of ours that owns the program's input: `dapwright/input`."""
    modes: frozenset[str] = frozenset()
    """Ways to attach: `port`, `processId`, `websocketAddress`, ..."""
    setup: str = ""
    """How the toolchain's missing part is installed, in words: made of `installs` where there is one."""
    installs: Callable[[Host], Installing] | None = None
    """The parts that are lacking here, asked of the tools themselves; None where no command of ours brings any."""
    test_command: Callable[[TestTarget, Host], Generator[Run, Ran, TestCommand]] | None = None
    condition: str = "{0}"
    """A condition as its engine is sent it: it has to stop where the condition fails too, so that we see it."""
    truth: str = ""
    """The expression that asks whether a condition holds, where conditions are no expressions: its value is `true`,
    `false`, or why it failed."""
    cannot_judge: re.Pattern[str] | None = None
    """The text of a stop, in an exception's name, at a breakpoint whose condition the engine could not evaluate."""
    check_condition: Callable[[str], None] = lambda condition: None
    """Raise UsageError for a condition that cannot be parsed."""
    function_name: Callable[[str], str] = lambda name: name
    """A function's name as the engine wants it (Go: `main` is `main.main`)."""
    names_classes: Callable[[str], bool] | None = None
    """Whether a `file` is a class name instead (JVM)."""
    launch_keys: frozenset[str] = frozenset()
    """Keys known in `dapLaunchArgs` and `adapterLaunchConfig`; others are forwarded with a warning."""
    reloads: bool = False
    """The engine is one of ours that takes changed code while it runs: `dapwright/hotReload`."""
    launches_folders: bool = False
    """A project folder can be launched."""
    module_launch: bool = False
    """`start_debugging {module}` has a meaning."""
    traces: bool = False
    """An engine of this language tells calls: `dapwright/trace`."""
    stacks: Stacks | None = None
    """What its threads' stacks tell of their waits (core/stacks.py)."""
    inside: Inside | None = None
    """What code of ours inside the program can do (core/inside.py)."""
