"""A chosen call, an outer variable, a far page, standard input: the same in languages whose engines differ."""

import os
import subprocess

import pytest
from dap import line_of

from dapwright.adapters import _gdb
from dapwright.host import machine
from live.served import values

pytestmark = pytest.mark.live
gdb = pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="there is no gdb beside our interpreter")

ACCOUNT_CPP = """#include <string>
#include <vector>
int opened = 1;
struct Account {
    int balance = 0;
    int deposit(int amount) {
        balance += amount;
        return balance;
    }
};
int twice(int x) { return x * 2; }
int main() {
    Account account;
    std::vector<int> many(100000);
    for (int i = 0; i < 100000; i++) many[i] = i * 2;
    std::string text(5000, 'x');
    account.deposit(twice(4));
    account.deposit(twice(5));
    return opened;
}
"""
ACCOUNT_JAVA = """public class Account {
    int balance;
    int deposit(int amount) {
        if (amount > 10) throw new IllegalStateException("too much");
        balance += amount;
        return balance;
    }
    static int twice(int x) { return x * 2; }
    public static void main(String[] args) {
        Account account = new Account();
        account.deposit(twice(4));
        try { account.deposit(twice(8)); } catch (IllegalStateException e) { System.out.println("caught"); }
    }
}
"""
ACCOUNT_GO = """package main

type Account struct{ balance int }

func (a *Account) Deposit(amount int) int {
	a.balance += amount
	return a.balance
}

func twice(x int) int { return x * 2 }

func main() {
	account := &Account{}
	account.Deposit(twice(4))
}
"""


@pytest.fixture
def written(tmp_path):
    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def entered(served, stop, label):
    return served.ok("step_into", sessionId=stop["sessionId"], target=label)


@gdb
@pytest.mark.needs("g++")
def test_cpp_enters_the_chosen_call_of_a_line(served, written):
    source = written("account.cpp", ACCOUNT_CPP)
    stop = served.run("cpp", {"file": str(source), "statement": "account.deposit(twice(4));"}, scriptPath=str(source))
    inside = entered(served, stop, "deposit")
    assert inside["location"]["function"] == "Account::deposit" and values(inside)["amount"] == "8"
    told = served.call("step_into", sessionId=stop["sessionId"], target="withdraw")
    assert told["success"] is False and "no call on this line is named `withdraw`" in told["error"]


@gdb
@pytest.mark.needs("g++")
def test_cpp_reaches_the_end_of_a_long_vector_and_the_whole_of_a_string(served, written):
    source = written("account.cpp", ACCOUNT_CPP)
    stop = served.run("cpp", {"file": str(source), "statement": "account.deposit(twice(4));"}, scriptPath=str(source))
    many = next(one for one in stop["locals"] if one["name"] == "many")
    asked = {"sessionId": stop["sessionId"], "scope": many["variablesReference"]}
    page = served.ok("get_variables", **asked, start=99990, count=10)
    assert page["total"] == 100000 and page["variables"][-1]["value"] == "199998"
    text = served.ok("get_local_variables", sessionId=stop["sessionId"], names=["text"])["variables"][0]["value"]
    assert "x" * 5000 in text


ARRAYS_RB = """long = (0...350).map { |i| i * 2 }
short = [1, "two", [4, 5]]
puts long.size + short.size
"""


@pytest.mark.needs("ruby")
def test_ruby_shows_the_items_of_arrays_and_pages_through_them(served, written):
    source = written("arrays.rb", ARRAYS_RB)
    stop = served.run("ruby", {"file": str(source), "statement": "puts long.size"}, scriptPath=str(source))
    held = {one["name"]: one.get("variablesReference") for one in stop["locals"]}
    short = served.ok("get_variables", sessionId=stop["sessionId"], scope=held["short"])
    assert [one["value"] for one in short["variables"]] == ["Array", "1", '"two"', "[4, 5]"] and short["total"] == 3
    page = served.ok("get_variables", sessionId=stop["sessionId"], scope=held["long"], start=348, count=10)
    assert [(one["name"], one["value"]) for one in page["variables"]] == [("348", "696"), ("349", "698")]
    whole = served.ok("get_variables", sessionId=stop["sessionId"], scope=held["long"])
    assert whole["total"] == 350 and whole["truncation"]["omittedCount"] == 51
    told = served.ok("evaluate_expression", sessionId=stop["sessionId"], expression="long")
    asked = {"sessionId": stop["sessionId"], "variablesReference": told["variablesReference"]}
    assert served.ok("set_variable", **asked, name="340", value="'new'")["value"] == '"new"'
    told = served.call("set_variable", **{**asked, "variablesReference": held["long"]}, name="340", value="1")
    assert told["success"] is False and "evaluate_expression" in told["hint"]


@gdb
@pytest.mark.needs("g++")
def test_cpp_watches_a_member_through_a_pointer_and_sets_a_global(served, written):
    source = written("account.cpp", ACCOUNT_CPP)
    stop = served.run("cpp", {"file": str(source), "statement": "balance += amount;"}, scriptPath=str(source))
    session = stop["sessionId"]
    assert served.ok("set_variable", sessionId=session, name="opened", value="5")["value"] == "5"
    assert served.ok("set_variable", sessionId=session, name="this->balance", value="2")["value"] == "2"
    served.ok("clear_breakpoints", sessionId=session)
    served.ok("set_breakpoint", sessionId=session, watch="this->balance")
    stop = served.go(stop)
    assert stop["watch"] == {"expression": "this->balance", "old": "2", "new": "10"}
    served.ok("clear_breakpoints", sessionId=session)
    assert served.go(stop)["exitCode"] == 5


@gdb
@pytest.mark.needs("gcc")
def test_c_shows_a_large_array_and_a_buffer_as_text(served, written):
    source = written(
        "plain.c",
        '#include <string.h>\nint main(void) {\n    char name[40] = "a name of some length";\n    int many[100000];\n'
        "    for (int i = 0; i < 100000; i++) many[i] = i;\n    return many[7] - 7 + name[39];\n}\n",
    )
    stop = served.run("c", {"file": str(source), "statement": "return many[7]"}, scriptPath=str(source))
    assert values(stop)["name"] == '"a name of some length"'
    many = next(one for one in stop["locals"] if one["name"] == "many")
    asked = {"sessionId": stop["sessionId"], "scope": many["variablesReference"], "start": 99998, "count": 5}
    assert [one["value"] for one in served.ok("get_variables", **asked)["variables"]] == ["99998", "99999"]


@pytest.mark.needs("javac")
def test_java_enters_the_chosen_call_and_stops_for_a_class_without_its_package(served, written):
    source = written("Account.java", ACCOUNT_JAVA)
    place = {"file": str(source), "statement": "account.deposit(twice(4));"}
    stop = served.run("java", place, scriptPath=str(source), breakOnExceptions=["IllegalStateException"])
    inside = entered(served, stop, "deposit")
    assert inside["location"]["function"] == "Account.deposit" and values(inside)["amount"] == "8"
    thrown = served.go(inside)
    assert thrown["stopReason"] == "exception"
    assert thrown["lastStop"]["exceptionInfo"]["exceptionId"] == "java.lang.IllegalStateException"
    assert thrown["location"]["line"] == line_of(source, "throw new")


@pytest.mark.needs("go", "dlv")
def test_go_enters_the_chosen_call(served, written):
    written("go.mod", "module example.test/account\n\ngo 1.19\n")
    source = written("main.go", ACCOUNT_GO)
    place = {"file": str(source), "statement": "account.Deposit(twice(4))"}
    inside = entered(served, served.run("go", place, scriptPath=str(source)), "Deposit")
    assert "Deposit" in inside["location"]["function"] and values(inside)["amount"] == "8"


@pytest.mark.needs("go", "dlv")
def test_go_sets_a_local_and_a_field_by_request_and_by_assignment(served, written):
    written("go.mod", "module example.test/account\n\ngo 1.19\n")
    source = written("main.go", ACCOUNT_GO)
    stop = served.run("go", {"file": str(source), "statement": "return a.balance"}, scriptPath=str(source))
    session = stop["sessionId"]
    assert served.ok("set_variable", sessionId=session, name="amount", value="9")["value"] == "9"
    assert served.ok("set_variable", sessionId=session, name="a.balance", value="20")["value"] == "20"
    for expression in ("amount = 30", "a.balance = 40"):
        served.ok("evaluate_expression", sessionId=session, expression=expression)
    told = [served.ok("evaluate_expression", sessionId=session, expression=e) for e in ("amount", "a.balance")]
    assert [one["result"] for one in told] == ["30", "40"]


@pytest.mark.needs("node")
def test_javascript_sets_a_variable_of_the_module(served, written):
    source = written("count.js", "let total = 1;\nfunction add(n) {\n  total += n;\n}\nadd(2);\nconsole.log(total);\n")
    stop = served.run("javascript", {"file": str(source), "statement": "total += n;"}, scriptPath=str(source))
    told = served.ok("set_variable", sessionId=stop["sessionId"], name="total", value="40")
    assert told["value"] == "40"
    unknown = served.call("set_variable", sessionId=stop["sessionId"], name="nothing", value="1")
    assert "there is no variable `nothing`" in unknown["error"]
    assert "42" in served.go(stop)["output"]


@pytest.mark.needs("node")
def test_javascript_reads_its_standard_input(served, written):
    source = written(
        "echo.js", "process.stdin.once('data', (d) => {\n  console.log('got ' + d);\n  process.exit(3);\n});\n"
    )
    session = served.ok("create_debug_session", language="javascript")["sessionId"]
    served.ok("start_debugging", sessionId=session, scriptPath=str(source), wait=0.2)
    served.ok("send_input", sessionId=session, text="word\n")
    end = served.settled(served.ok("wait_for_stop", sessionId=session, timeout=20000))
    assert end["exitCode"] == 3 and "got word" in end["output"]


@pytest.mark.needs("javac")
def test_java_tells_a_source_that_is_newer_than_its_class(served, written, tmp_path):
    source = written("Account.java", ACCOUNT_JAVA)
    subprocess.run(["javac", "-g", "-d", tmp_path / "out", source], check=True)
    later = source.stat().st_mtime + 60
    os.utime(source, (later, later))
    how = {"mainClass": "Account", "classpath": [str(tmp_path / "out")]}
    stop = served.run("java", scriptPath=str(source), adapterLaunchConfig=how, stopOnEntry=True)
    assert "stale build" in stop["warning"] and "Account.java" in stop["warning"]
