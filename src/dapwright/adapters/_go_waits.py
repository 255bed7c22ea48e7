"""What a goroutine waits for, read from its stack: the runtime parks it below a function that says why.

Nothing in Go records who holds a mutex. It is told from the sources of the frames that a goroutine
stands in: a `Lock` above the line that it has reached, without its `Unlock` in between.
"""

import re
from collections.abc import Sequence

from dapwright.core.model import Frame
from dapwright.core.stacks import Held, Stacks, Wait

PACKAGES = frozenset(
    """
    archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt
    go hash html image index internal io iter log maps math mime net os path plugin reflect regexp runtime slices sort
    strconv strings structs sync syscall testing text time unicode unique unsafe weak vendor
    """.split()  # noqa: SIM905
)
"""The top of every package that comes with Go (1.19 to 1.27)."""
KINDS: tuple[tuple[str, str, str], ...] = (
    ("sync.(*RWMutex).RLock", "mutex to read", "rw"),
    ("sync.(*RWMutex).Lock", "mutex", "rw"),
    ("sync.(*Mutex).Lock", "mutex", "m"),
    ("sync.(*WaitGroup).Wait", "wait group", "wg"),
    ("sync.(*Cond).Wait", "condition", "c"),
    ("time.Sleep", "sleep", ""),
    ("runtime.selectgo", "select", ""),
    ("runtime.block", "select without a case, for ever", ""),
    ("runtime.chanrecv", "receive from channel", "c"),
    ("runtime.chansend", "send to channel", "c"),
    ("poll.runtime_pollWait", "input or output", ""),
    ("signal.signal_recv", "signal", ""),
    ("runtime.semacquire1", "semaphore", ""),
)
"""(function, what is waited for, its variable that names it); the outermost frame that is listed decides."""
MOVES = frozenset({"sleep", "input or output", "signal", "system call", "running"})
"""Waits that end by themselves or by the world outside; a `select` may hold a timer, so it is none of either."""
LOCK = re.compile(r"([A-Za-z_][\w.]*(?:\[\w+\])?)\.(R?)Lock\(\)")


ROOT = re.compile(r"(?:^|/)(?:go[\d.-]*|libexec|golang[^/]*|toolchain@[^/]*)/src/(\w+)/")
"""The folder of a Go's own sources: of its archive, Debian's, Homebrew's, one that `go` fetched itself."""


GENERATED = "_testmain.go"
"""The `main` that `go test` writes around a package's tests."""


def standard(frame: Frame) -> bool:
    """Whether a function comes with Go, by where its source lies (with -trimpath the whole path begins there)."""
    file = frame.file.replace("\\", "/")
    found = ROOT.search(file)
    top = found[1] if found else file.split("/")[0]
    return not file or file == GENERATED or top in PACKAGES or (found is not None and top == "cmd")


def thread_rank(frames: Sequence[Frame]) -> int:
    """A test that runs first, then other code, then what waits in `testing` for its tests (TestMain, a parent)."""
    mine = next((at for at, frame in enumerate(frames) if not standard(frame)), len(frames))
    if any(frame.name.startswith("testing.") for frame in frames[:mine]):
        return 2
    return 0 if any(frame.name == "testing.tRunner" for frame in frames[mine:]) else 1


def bare(name: str) -> str:
    """A function with its package's last word alone, as Delve's frames have it: `poll.runtime_pollWait`."""
    path, slash, _ = name.partition("(")[0].rpartition("/")
    return name[len(path) + len(slash) :]


def wait(frames: Sequence[Frame]) -> Wait | None:
    """What a goroutine waits for; None where it runs."""
    mine = next((at for at, frame in enumerate(frames) if not standard(frame)), len(frames))
    names = [bare(frame.name) for frame in frames[:mine]]
    for at in range(mine - 1, -1, -1):
        for function, kind, variable in KINDS:
            if names[at] == function:
                return Wait(kind, frames[at], f"uintptr({variable})" if variable else "", detail(kind, variable))
    if any(name.startswith(("syscall.", "linux.", "runtime.cgocall")) for name in names):
        return Wait("system call", frames[0])
    if names and any(name == "runtime.gopark" for name in names):
        return Wait("the runtime", frames[0])
    return None


def detail(kind: str, variable: str) -> str:
    """An expression whose value tells more of it: how many a wait group still waits for."""
    return f"{variable}.state.v >> 32" if kind == "wait group" else ""


def held(lines: Sequence[str], first: int, last: int) -> list[Held]:
    """The locks that a function has taken by the time it reaches line `last`, by its own source from line `first`."""
    found: dict[str, Held] = {}
    for number in range(first, min(last, len(lines) + 1)):
        code = lines[number - 1]
        for match in LOCK.finditer(code):
            found[match[1]] = Held(match[1], f"uintptr(&{match[1]})", f"uintptr({match[1]})", number)
        for name in list(found):
            if "defer" not in code and re.search(rf"(?<![\w.]){re.escape(name)}\.R?Unlock\(\)", code):
                del found[name]
    return list(found.values())


def plain(name: str) -> str:
    """`goroutine 5` of `* [Go 5] main.spin (Thread 8769)`."""
    found = re.search(r"\[Go (\d+)", name)
    return f"goroutine {found[1]}" if found else name


STACKS = Stacks(
    wait=wait,
    held=held,
    library=standard,
    moves=MOVES,
    unit="goroutine",
    most=1000,
    total="len(runtime.allgs)",
    plain=plain,
    ours=lambda frames: not all(map(standard, frames)),
)
