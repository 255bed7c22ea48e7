"""What a goroutine's stack tells: its wait, the locks that its functions took, what belongs to Go itself."""

import pytest

from dapwright.adapters._go_waits import STACKS, bare, held, plain, standard, thread_rank, wait
from dapwright.core.model import Frame

GO = "/usr/local/go/src"


def frames(*rows):
    return [Frame(number, name, file, 1) for number, (name, file) in enumerate(rows, 1)]


PARKED = [("runtime.gopark", f"{GO}/runtime/proc.go")]
MINE = [("main.work", "/m/main.go"), ("runtime.goexit", f"{GO}/runtime/asm_amd64.s")]


@pytest.mark.parametrize(
    ("inner", "kind", "identity"),
    [
        ([("sync.(*Mutex).lockSlow", f"{GO}/sync/mutex.go"), ("sync.(*Mutex).Lock", f"{GO}/sync/mutex.go")],
         "mutex", "m"),
        ([("runtime.chanrecv", f"{GO}/runtime/chan.go"), ("runtime.chanrecv1", f"{GO}/runtime/chan.go")],
         "receive from channel", "c"),
        ([("runtime.semacquire1", f"{GO}/runtime/sema.go"), ("sync.(*WaitGroup).Wait", f"{GO}/sync/waitgroup.go")],
         "wait group", "wg"),
        ([("internal/poll.runtime_pollWait", f"{GO}/runtime/netpoll.go"), ("net.(*conn).Read", f"{GO}/net/net.go")],
         "input or output", ""),
        ([("time.Sleep", f"{GO}/runtime/time.go")], "sleep", ""),
    ],
)  # fmt: skip
def test_a_wait_is_named_by_the_function_that_parks(inner, kind, identity):
    found = wait(frames(*PARKED, *inner, *MINE))
    assert found.kind == kind and found.identity == (f"uintptr({identity})" if identity else "")


def test_what_is_not_parked_runs():
    assert wait(frames(*MINE)) is None
    assert STACKS.ours(frames(*MINE)) and not STACKS.ours(frames(*PARKED, ("runtime.bgsweep", f"{GO}/runtime/mgc.go")))


@pytest.mark.parametrize(
    ("file", "theirs"),
    [
        (f"{GO}/sync/mutex.go", True),
        ("/usr/lib/go-1.19/src/os/exec/exec.go", True),
        ("/root/go/pkg/mod/golang.org/toolchain@v0.0.1-go1.27.0.linux-amd64/src/fmt/print.go", True),
        ("/opt/homebrew/Cellar/go/1.27.0/libexec/src/time/sleep.go", True),
        ("sync/mutex.go", True),
        ("/home/u/src/log/main.go", False),
        ("/repo/src/internal/x.go", False),
        ("/root/go/pkg/mod/github.com/a/b@v1/b.go", False),
        ("example.test/m/main.go", False),
    ],
)
def test_what_comes_with_go_is_known_by_its_place(file, theirs):
    assert standard(Frame(1, "x.y", file, 1)) is theirs


def test_a_running_test_stands_for_a_stop_in_the_library_s_own_code():
    def frames(*names):
        return [
            Frame(at, name, "/m/a_test.go" if "m." in name else "/go/src/testing/t.go", 1)
            for at, name in enumerate(names)
        ]

    test = frames("runtime.gopark", "m.TestX", "testing.tRunner")
    parent = frames("runtime.gopark", "testing.(*T).Run", "m.TestY", "testing.tRunner")
    assert [thread_rank(one) for one in (test, frames("m.worker"), parent)] == [0, 1, 2]


def test_locks_are_read_from_the_lines_before():
    text = "func f() {,a.mu.Lock(),defer a.mu.Unlock(),b.Lock(),b.Unlock(),c[i].RLock(),d.Lock(),}"
    lines = text.split(",")
    assert [(one.name, one.line) for one in held(lines, 1, 7)] == [("a.mu", 2), ("c[i]", 6)]
    assert held(lines, 1, 2) == [], "the line that it waits on holds nothing yet"


def test_names_are_shortened():
    assert plain("* [Go 5] main.spin (Thread 8769)") == "goroutine 5" and plain("Dummy") == "Dummy"
    assert bare("internal/poll.(*FD).Read") == "poll.(*FD).Read" and bare("main.main") == "main.main"
