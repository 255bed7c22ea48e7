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


SHOP = """\
from prices import Prices


class Cart:
    def __init__(self, prices):
        self.prices = prices
        self.rows = []

    def add(self, name, count):
        self.rows.append(self.prices.of(name) * count)


def total(orders, rate):
    cart = Cart(Prices({"tea": 4, "cup": 7}))
    for name, count in orders:
        cart.add(name, count)
    first = cart.rows[0]
    gross = sum(cart.rows)
    return take_off(gross, rate, first)


def take_off(amount, rate, least):
    due = amount - amount * rate
    if due < least:
        raise ValueError("too little")
    return due
"""
PRICES = """\
class Prices:
    def __init__(self, table):
        self.table = table

    def of(self, name):
        price = self.table[name]
        if name == "cup":
            price = price - 8
        return price
"""
TESTS = """\
import os

from shop import total


def test_one():
    assert total([("tea", 2)], 0) == 8


def test_many():
    orders, rate = [("tea", 2), ("cup", 3)], 0.5
    note = "x"
    assert total(orders, rate) == 14.5


def test_environment():
    assert total([("tea", int(os.environ.get("COUNT", "1")))], 0.5) == 2.0
"""


@pytest.fixture
def shop(write, tmp_path):
    """A program of two files with a bug, and its tests."""
    write("shop.py", SHOP)
    write("prices.py", PRICES)
    write("test_shop.py", TESTS)
    write("test_zz_good.py", "def test_good():\n    assert True\n")
    return tmp_path


@pytest.mark.parametrize("how", ["test_shop.py", ".", "python -m pytest -q test_shop.py -k many", "test_shop.py:11"])
def test_the_first_failing_test_of_a_file_a_suite_a_command_or_a_line_is_stood_at_and_can_be_rerun(served, shop, how):
    told = served.ok("debug_test", test=how, cwd=str(shop), executablePath=sys.executable)
    assert told["failure"]["test"] == "test_shop.py::test_many" and told["state"] == "paused"
    assert told["rerun"][-1] == "test_shop.py::test_many"
    again = subprocess.run(told["rerun"], cwd=shop, capture_output=True, text=True, timeout=60, check=False)
    assert again.returncode == 1 and "1 failed" in again.stdout


def test_a_failure_reads_as_its_error_and_a_line_for_each_frame_with_what_matters_first(served, shop):
    told = served.ok("debug_test", test="test_shop.py::test_many", cwd=str(shop), executablePath=sys.executable)
    text = served.text.splitlines()
    assert text[1] == "ValueError: too little"
    assert [row["function"] for row in told["failure"]["userFrames"]] == ["take_off", "total", "test_many"]
    frames = [line for line in text if ": due = " in line or ": gross = " in line or ": orders = " in line]
    assert len(frames) == 3 and frames[1].partition(": ")[2].startswith("gross = 5; rate = 0.5; first = 8")
    assert "note = 'x'" in frames[2] and frames[2].index("orders") < frames[2].index("note")
    assert told["next"].startswith("explain_value") and text[-1] == f"next: {told['next']}"


def test_what_a_failing_test_tells_is_told_once(served, shop):
    told = served.ok("debug_test", test="test_shop.py::test_one", cwd=str(shop), executablePath=sys.executable)
    assert told["testPassed"] is True and "output" not in told
    told = served.ok("debug_test", test="test_shop.py::test_environment", cwd=str(shop), executablePath=sys.executable)
    assert "output" not in told and "description" not in told["lastStop"]
    assert "ValueError" in str(told["failure"]) and served.ok("get_output", sessionId=told["sessionId"])["entries"]


def test_a_module_and_a_test_are_investigated(served, shop):
    probe = {"file": str(shop / "prices.py"), "statement": "return price", "capture": ["name", "price"]}
    told = served.ok(
        "investigate", test="test_shop.py::test_many", cwd=str(shop), probes=[probe], executablePath=sys.executable
    )
    assert [row["values"]["price"] for row in told["rows"]] == ["4", "-1"] and told["testPassed"] is False
    told = served.ok(
        "investigate",
        module="pytest",
        args=["-q", "-p", "no:cacheprovider", "test_shop.py", "-k", "one"],
        cwd=str(shop),
        probes=[{**probe, "condition": "price > 10"}],
        executablePath=sys.executable,
    )
    assert told["rows"] == [] and told["probes"][0]["conditionFalse"]["count"] == 1
    assert told["probes"][0]["reason"].startswith("condition never true") and told["next"].startswith("trace_calls")


def test_two_environments_and_a_passing_with_a_failing_test_part_where_they_differ(served, shop):
    a = {"test": "test_shop.py::test_environment", "cwd": str(shop), "executablePath": sys.executable}
    told = served.ok("compare_runs", a={**a, "env": {"COUNT": "2"}}, b={**a, "env": {"COUNT": "3"}}, focus=["shop.py"])
    assert told["same"] is False and told["difference"]["names"] == ["orders"]
    b = {**a, "test": "test_shop.py::test_many"}
    told = served.ok("compare_runs", a={**a, "test": "test_shop.py::test_one"}, b=b, focus=["*.of"])
    assert told["agreed"] == 1 and told["difference"]["what"] == "only in b"
    assert "Prices.of(name='cup') -> -1" in told["difference"]["b"] and told["next"].startswith("investigate")


def test_a_value_is_followed_through_arguments_returns_elements_and_another_file(served, shop):
    stop = served.ok("debug_test", test="test_shop.py::test_many", cwd=str(shop), executablePath=sys.executable)
    told = served.ok("explain_value", sessionId=stop["sessionId"], expression="amount")
    assert told["value"] == "5" and told["lastWrite"]["how"] == "argument"
    assert told["lastWrite"]["statement"] == "return take_off(gross, rate, first)"
    statements = [link["statement"] for link in told["chain"]]
    assert statements[:2] == ["gross = sum(cart.rows)", "self.rows.append(self.prices.of(name) * count)"]
    (returned,) = [link for link in told["chain"] if link["statement"] == "return price"]
    assert returned["file"] == str(shop / "prices.py") and returned["function"] == "Prices.of"
    assert "in 3 files" in told["way"] and told["next"].startswith("investigate")
    element = served.ok("explain_value", sessionId=stop["sessionId"], expression="least")
    assert "cart.rows[0]" in str(element["chain"])


def test_a_value_that_cannot_be_followed_says_so(served, write):
    path = write("handed.py", "def show(n):\n    m = n + 1\n    print(m)\n\n\nlist(map(show, [4]))\n")
    stop = served.ok("start_debugging", scriptPath=path, wait=40, breakpoints=[{"file": path, "statement": "print(m)"}])
    told = served.ok("explain_value", sessionId=stop["sessionId"], expression="m")
    assert told["lastWrite"]["from"] == {"n": "4"} and "`n` was handed to `show`" in told["unknown"][0]
    told = served.ok("explain_value", sessionId=stop["sessionId"], expression="n")
    assert told["way"] == "by the syntax tree alone" and "code that is not the program's" in told["message"]
    refused = served.call("explain_value", sessionId=stop["sessionId"], expression="n + 1")
    assert refused["code"] == "usage" and "nothing assigns it" in refused["error"]


def test_a_wait_is_told_from_a_deadlock_and_a_busy_loop(served, write):
    text = "import queue\n\n\ndef take(box):\n    return box.get()\n\n\ntake(queue.Queue())\n"
    session = served.ok("start_debugging", scriptPath=write("waits.py", text), wait=2)["sessionId"]
    told = hang(served, session, "no cycle was found")
    assert "take" in str(told["threads"]) and told["next"].startswith("pause_execution")


DOWN = """\
def down(n):
    twice = n * 2
    if n:
        down(n - 1)
    twice += 1
    return twice


down(2)
"""


def test_what_changed_is_told_by_frame_and_a_second_look_tells_it_again(served, write):
    path = write("down.py", DOWN)
    stop = served.ok("start_debugging", scriptPath=path, wait=40, breakpoints=[{"file": path, "statement": "if n:"}])
    inner = served.go(stop)
    assert not any(row.get("changed") for row in inner["locals"])
    told = served.ok("step_over", sessionId=stop["sessionId"])
    told = served.ok("step_over", sessionId=told["sessionId"])  # to the innermost call's breakpoint
    served.ok("clear_breakpoints", sessionId=told["sessionId"])
    at_end = [served.ok("step_out", sessionId=told["sessionId"]), served.ok("step_over", sessionId=told["sessionId"])]
    while at_end[-1]["content"] != "return twice":
        at_end.append(served.ok("step_over", sessionId=told["sessionId"]))
    changed = [row["name"] for row in at_end[-1]["locals"] if row.get("changed")]
    again = served.ok("wait_for_stop", sessionId=told["sessionId"])
    assert changed == ["twice"] == [row["name"] for row in again["locals"] if row.get("changed")]


def test_the_frames_of_an_exception_carry_their_values(served, write):
    text = "def inner(a):\n    return a / 0\n\n\ndef outer(b):\n    c = b + 1\n    return inner(c)\n\n\nouter(3)\n"
    stop = served.ok("start_debugging", scriptPath=write("raises.py", text), wait=40)
    frames = stop["lastStop"]["exceptionInfo"]["details"]["userFrames"]
    held = {row["function"]: {one["name"]: one["value"] for one in row["locals"]} for row in frames}
    assert held["inner"] == {"a": "4"} and held["outer"] == {"c": "4", "b": "3"}
    assert "c = 4; b = 3" in served.text
