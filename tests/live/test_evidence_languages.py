"""The evidence tools in the languages that hold no code of ours: probes and failing tests through their engines."""

import pytest
from dap import line_of

from live.served import values

pytestmark = [pytest.mark.live, pytest.mark.timeout(120)]

CART_JS = """\
function add(cart, price, count) {
  cart.total += price;
  return cart;
}

const cart = { total: 0 };
for (const [price, count] of [[4, 1], [3, 2], [5, 3]]) {
  add(cart, price, count);
}
if (cart.total > 90) {
  console.log("never");
}
console.log("row", cart.total);
"""
CART_TEST_JS = """\
const test = require("node:test");
const assert = require("node:assert");

function total(prices) {
  let sum = 0;
  for (const price of prices) {
    sum += price;
  }
  return sum;
}

test("fine", () => {
  assert.strictEqual(total([]), 0);
});

test("total", () => {
  const got = total([4, 3]);
  assert.strictEqual(got, 10);
});
"""
PLAIN_JS = 'console.log("tests 3");\n'
CART_GO = """\
package main

import "fmt"

func add(total, price, count int) int {
	total += price
	return total
}

func unused() int {
	return 1
}

func main() {
	total := 0
	for count, price := range []int{4, 3, 5} {
		total = add(total, price, count)
	}
	if total > 90 {
		total = unused()
	}
	fmt.Println("total", total)
}
"""
CART_TEST_GO = """\
package main

import "testing"

func TestFine(t *testing.T) {
	if got := add(0, 1, 1); got != 1 {
		t.Fatal("not one")
	}
}

func TestTotal(t *testing.T) {
	got := add(4, 3, 2)
	if got != 10 {
		t.Errorf("got %d", got)
	}
}
"""
FENCE_JAVA = """\
public class Cart {
    static int add(int total, int price, int count) {
        total += price;
        return total;
    }

    public static void main(String[] args) {
        int total = 0;
        int count = 0;
        for (int price : new int[] {4, 3, 5}) {
            total = add(total, price, ++count);
        }
        System.out.println("total " + total);
    }
}
"""


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return written


def shown(told, *names):
    """The rows' values of some expressions, in order."""
    return [tuple(row["values"][name] for name in names) for row in told["rows"]]


@pytest.mark.needs("node")
def test_probes_in_javascript_tell_each_hit_and_the_run_ends_by_itself(served, write):
    path = write("cart.js", CART_JS)
    probes = [
        {"file": path, "statement": "cart.total += price;", "capture": ["price", "count", "cart.total", "nosuch"]},
        {"file": path, "statement": "return cart;", "condition": "count > 1", "capture": ["cart.total"]},
        {"file": path, "statement": 'console.log("never");', "capture": ["1"]},
    ]
    told = served.ok("investigate", scriptPath=path, probes=probes)
    first = [row for row in told["rows"] if row["probe"] == "0"]
    assert [row["values"]["cart.total"] for row in first] == ["0", "4", "7"]
    assert [row["values"]["count"] for row in first] == ["1", "2", "3"]
    assert all("nosuch" in row["values"]["nosuch"] and "error" in row["values"]["nosuch"] for row in first)
    second = [row["values"]["cart.total"] for row in told["rows"] if row["probe"] == "1"]
    assert second == ["7", "12"] and told["probes"][1]["hits"] == 2
    assert told["probes"][2]["hits"] == 0 and told["probes"][2]["reason"]
    assert told["state"] == "stopped" and told["exitCode"] == 0 and "row 12" in told["output"]


@pytest.mark.needs("node")
def test_a_change_in_javascript_is_tried_without_an_edit(served, write):
    path = write("cart.js", CART_JS)
    probe = {"file": path, "statement": "cart.total += price;", "set": {"price": "price * count"}}
    told = served.ok("investigate", scriptPath=path, probes=[probe])
    assert "row 25" in told["output"], told


@pytest.mark.needs("node")
def test_a_failing_test_of_node_is_stood_at_with_its_locals(served, write, tmp_path):
    path = write("cart.test.js", CART_TEST_JS)
    stop = served.settled(served.ok("debug_test", test=f"{path}::total", cwd=str(tmp_path)))
    assert stop["state"] == "paused", stop
    frame = stop["failure"]["userFrames"][0]
    assert frame["line"] == line_of(path, "assert.strictEqual(got, 10)")
    assert "7" in stop["failure"]["message"] and "10" in stop["failure"]["message"]
    assert {each["name"]: each["value"] for each in frame["locals"]}["got"] == "7"
    end = served.go(stop)
    assert end["state"] == "stopped" and end["exitCode"] == 1


@pytest.mark.needs("node")
@pytest.mark.parametrize(("text", "name"), [(PLAIN_JS, ""), (CART_TEST_JS, "::nothing of that name")])
def test_a_file_of_which_no_test_ran_is_not_called_passed(served, write, tmp_path, text, name):
    path = write("plain.test.js", text)
    end = served.settled(served.ok("debug_test", test=f"{path}{name}", cwd=str(tmp_path)))
    assert end.get("testPassed") is None and "no test ran" in end["message"] and end["exitCode"] == 0


@pytest.mark.needs("node")
def test_a_passing_test_of_node_answers_its_verdict(served, write, tmp_path):
    path = write("cart.test.js", CART_TEST_JS)
    end = served.settled(served.ok("debug_test", test=f"{path}::fine", cwd=str(tmp_path)))
    assert end["state"] == "stopped" and end["testPassed"] is True and end["exitCode"] == 0


@pytest.mark.needs("node")
def test_a_test_of_node_is_investigated_and_its_verdict_told(served, write, tmp_path):
    path = write("cart.test.js", CART_TEST_JS)
    probe = {"file": path, "statement": "sum += price;", "capture": ["sum", "price"]}
    told = served.ok("investigate", test=f"{path}::total", cwd=str(tmp_path), probes=[probe])
    assert shown(told, "sum", "price") == [("0", "4"), ("4", "3")]
    assert told["testPassed"] is False and told["exitCode"] == 1
    assert "uncollected" not in str(told.get("message", ""))


@pytest.fixture
def go_cart(write):
    write("go.mod", "module example.test/cart\n\ngo 1.19\n")
    write("cart_test.go", CART_TEST_GO)
    return write("main.go", CART_GO)


@pytest.mark.needs("go", "dlv")
def test_probes_in_go_tell_each_hit_and_the_run_ends_by_itself(served, go_cart):
    probes = [
        {"file": go_cart, "statement": "total += price", "capture": ["total", "price", "count", "nosuch"]},
        {"file": go_cart, "statement": "return total", "condition": "total > 4", "capture": ["total"]},
        {"file": go_cart, "statement": "return 1", "capture": ["1"]},
    ]
    told = served.ok("investigate", scriptPath=go_cart, probes=probes, timeout=40_000)
    first = [row for row in told["rows"] if row["probe"] == "0"]
    assert [row["values"]["total"] for row in first] == ["0", "4", "7"]
    assert [row["values"]["price"] for row in first] == ["4", "3", "5"]
    assert all("error" in row["values"]["nosuch"] for row in first)
    assert [row["values"]["total"] for row in told["rows"] if row["probe"] == "1"] == ["7", "12"]
    assert told["probes"][2]["hits"] == 0 and told["probes"][2]["reason"]
    assert told["state"] == "stopped" and told["exitCode"] == 0 and "total 12" in told["output"]


@pytest.mark.needs("go", "dlv")
def test_a_test_of_go_is_investigated_and_its_verdict_told(served, go_cart, tmp_path):
    probe = {"file": go_cart, "statement": "total += price", "capture": ["total", "price"]}
    told = served.ok("investigate", test="TestTotal", language="go", cwd=str(tmp_path), probes=[probe], timeout=40_000)
    assert shown(told, "total", "price") == [("4", "3")]
    assert told["testPassed"] is False and told["exitCode"] == 1


@pytest.mark.needs("go", "dlv")
def test_a_failing_test_of_go_is_stood_at_with_its_locals(served, go_cart, tmp_path):
    stop = served.settled(served.ok("debug_test", test="TestTotal", language="go", cwd=str(tmp_path), wait=44))
    assert stop["state"] == "paused" and values(stop)["got"] == "7"
    assert stop["failure"]["userFrames"][0]["line"] == line_of(tmp_path / "cart_test.go", "t.Errorf")
    assert stop["failure"]["message"].endswith("got 7")


@pytest.mark.needs("go", "dlv")
def test_a_passing_test_of_go_answers_its_verdict(served, go_cart, tmp_path):
    end = served.settled(served.ok("debug_test", test="TestFine", language="go", cwd=str(tmp_path), wait=44))
    assert end["state"] == "stopped" and end["testPassed"] is True and end["exitCode"] == 0


@pytest.mark.needs("java", "javac")
def test_probes_in_java_tell_each_hit(served, write):
    path = write("Cart.java", FENCE_JAVA)
    probe = {"file": path, "statement": "total += price;", "capture": ["total", "price * count"]}
    told = served.ok("investigate", scriptPath=path, probes=[probe], timeout=40_000)
    assert shown(told, "total", "price * count") == [("0", "4"), ("4", "6"), ("7", "15")]
    assert told["exitCode"] == 0 and "total 12" in told["output"]


@pytest.mark.needs("ruby", "rdbg")
def test_a_tracer_that_a_language_lacks_is_refused_by_name(served, write):
    told = served.call("trace_calls", scriptPath=write("cart.rb", "def add(a, b)\n  a + b\nend\nadd(1, 2)\n"))
    assert told["success"] is False and "cannot be traced" in told["error"] and "investigate" in told["hint"]
