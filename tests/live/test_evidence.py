"""Call trees, runs side by side, values and hangs, as a client drives them."""

import shutil
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.live, pytest.mark.timeout(120)]

ACCOUNT = """\
import sys


class Account:
    def __init__(self):
        self.total = 0

    def add(self, amount):
        self.total += amount
        if self.total > 8:
            raise ValueError("too much")


def step(account, amount):
    try:
        account.add(amount)
    except ValueError:
        return None
    return account.total


account = Account()
for amount in range(1, int(sys.argv[1])):
    step(account, amount)
last = account.total
print(last)
"""
DEADLOCK = """\
import threading


class Bank:
    def __init__(self):
        self.left = threading.Lock()
        self.right = threading.Lock()
        self.met = threading.Barrier(2)

    def one(self):
        with self.left:
            self.met.wait()
            with self.right:
                pass

    def two(self):
        with self.right:
            self.met.wait()
            self.left.acquire()


bank = Bank()
threads = [threading.Thread(target=bank.one, name="first"), threading.Thread(target=bank.two, name="second")]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
TASKS = """\
import asyncio


async def work(first, second, met):
    async with first:
        await asyncio.sleep(0.05)
        async with second:
            pass


async def main():
    a, b = asyncio.Lock(), asyncio.Lock()
    one = asyncio.create_task(work(a, b, 1), name="one")
    two = asyncio.create_task(work(b, a, 2), name="two")
    await asyncio.gather(one, two)


asyncio.run(main())
"""
BUSY = "def spin():\n    turn = 0\n    while turn >= 0:\n        turn = (turn + 1) % 10\n\n\nspin()\n"


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return written


def test_a_call_tree_tells_arguments_returns_raises_and_changes(served, write):
    path = write("account.py", ACCOUNT)
    told = served.ok("trace_calls", scriptPath=path, args=["6"], executablePath=sys.executable)
    assert "step(account=<__main__.Account object" in told["tree"] and "-> 1" in told["tree"]
    assert "Account.add(amount=5) raises ValueError: too much" in told["tree"]
    assert "self.total: 0 -> 1" in told["tree"] and told["exitCode"] == 0


def test_repeated_calls_are_folded_and_one_can_be_expanded(served, write):
    path = write("account.py", ACCOUNT)
    folded = served.ok("trace_calls", scriptPath=path, args=["40"], focus=["step"], executablePath=sys.executable)
    assert "more calls of step" in folded["tree"] and len(folded["tree"].splitlines()) < 8
    one = served.ok("trace_calls", scriptPath=path, args=["40"], expand=2, executablePath=sys.executable)
    assert one["tree"].splitlines()[0].startswith("#2 ") and len(one["tree"].splitlines()) == 2


def test_two_runs_part_at_the_first_argument_that_differs(served, write):
    path = write("account.py", ACCOUNT.replace("range(1, int(sys.argv[1]))", "(1, 2, int(sys.argv[1]), 1)"))
    a, b = ({"scriptPath": path, "args": [amount], "executablePath": sys.executable} for amount in ("3", "4"))
    told = served.ok("compare_runs", a=a, b=b)
    assert told["same"] is False and told["difference"]["what"] == "argument"
    assert told["difference"]["names"] == ["amount"] and told["difference"]["function"] == "step"
    assert served.ok("compare_runs", a=a, b=a)["same"] is True


def git(folder, *words):
    who = ["-c", "user.name=t", "-c", "user.email=t@example.test", "-c", "init.defaultBranch=main"]
    return subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True, text=True).stdout


@pytest.mark.skipif(not shutil.which("git"), reason="there is no git")
def test_the_working_tree_is_compared_with_a_revision_that_is_gone_afterwards(served, write, tmp_path):
    path = write("account.py", ACCOUNT)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", "account.py")
    git(tmp_path, "commit", "-q", "-m", "first")
    write("account.py", ACCOUNT.replace("self.total += amount", "self.total += amount * (amount != 3 or 2)"))
    a = {"scriptPath": path, "args": ["5"], "executablePath": sys.executable}
    told = served.ok("compare_runs", a={**a, "revision": "HEAD"}, b=a)
    found = told["difference"]
    assert told["same"] is False and found["function"] == "Account.add" and found["file"] == path
    assert "self.total: 3 -> 6" in found["a"] and "self.total: 3 -> 9" in found["b"]
    assert told["note"].startswith("`HEAD` is ") and "editable" not in told["note"]
    assert (
        git(tmp_path, "worktree", "list").count("\n") == 1 and git(tmp_path, "status", "--short") == " M account.py\n"
    )
    assert served.ok("list_debug_sessions")["count"] == 0
    assert served.ok("compare_runs", a={**a, "revision": "HEAD"}, b={**a, "revision": "HEAD"})["same"] is True
    refused = served.call("compare_runs", a={**a, "revision": "nosuch"}, b=a)
    assert refused["code"] == "usage" and "no revision `nosuch`" in refused["error"]


def test_a_value_is_traced_back_to_its_last_write_and_its_inputs(served, write):
    path = write("account.py", ACCOUNT)
    stop = served.ok(
        "start_debugging",
        scriptPath=path,
        args=["4"],
        wait=40,
        breakpoints=[{"file": path, "statement": "print(last)"}],
    )
    told = served.ok("explain_value", sessionId=stop["sessionId"], expression="account.total")
    assert told["lastWrite"]["statement"] == "self.total += amount"
    assert told["lastWrite"]["from"] == {"amount": "3"} and told["lastWrite"]["became"] == "6"
    assert told["way"].startswith("ran the program again")
    assert served.ok("list_debug_sessions")["count"] == 1


def hang(served, session, verdict):
    """The hang, once the program has come to it."""
    for _ in range(10):
        told = served.ok("explain_hang", sessionId=session)
        if told["verdict"].startswith(verdict):
            return told
        served.ok("wait_for_stop", sessionId=session, timeout=1000)
    raise AssertionError(told)


def test_a_deadlock_of_threads_is_named_with_who_holds_what(served, write):
    session = served.ok("start_debugging", scriptPath=write("deadlock.py", DEADLOCK), wait=2)["sessionId"]
    told = hang(served, session, "deadlock:")
    assert "self.left" in told["verdict"] and "self.right" in told["verdict"]
    rows = {row["name"]: row for row in told["threads"]}
    assert rows["first"]["waits"].endswith("held by second") and rows["second"]["holds"] == "`self.right`"
    assert rows["MainThread"]["waits"].endswith(("which is first", "which is second"))


def test_a_deadlock_of_tasks_is_named(served, write):
    session = served.ok("start_debugging", scriptPath=write("tasks.py", TASKS), wait=2)["sessionId"]
    told = hang(served, session, "deadlock:")
    assert "one" in told["verdict"] and "two" in told["verdict"]


def test_a_busy_loop_is_told_from_a_wait(served, write):
    session = served.ok("start_debugging", scriptPath=write("busy.py", BUSY), wait=2)["sessionId"]
    assert "busy, not waiting: MainThread at spin" in served.ok("explain_hang", sessionId=session)["verdict"]
