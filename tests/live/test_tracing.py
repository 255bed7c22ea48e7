"""Call trees through engines: arguments, returns, throws, recursion, threads, in each language by its own debugger."""

import re
import subprocess
from pathlib import Path

import pytest

pytestmark = [pytest.mark.live, pytest.mark.timeout(120)]

FIXTURES = Path(__file__).parents[1] / "fixtures"
CART_JS = """\
class Cart {
  constructor() {
    this.total = 0;
  }
  add(price, { count = 1 } = {}) {
    this.total += price * count;
    if (this.total > 30) throw new Error("too much");
    return this;
  }
}
function fact(n) {
  if (n < 2) return 1;
  return n * fact(n - 1);
}
const twice = (x) => x * 2;
function spin(n) {
  while (n > 0) n--;
}
function silent() {}
async function later(ms, x) {
  await new Promise((done) => setTimeout(done, ms));
  return x + 1;
}
function safe(cart, price) {
  try { cart.add(price); } catch (error) { return error.message; }
  return "ok";
}
const cart = new Cart();
cart.add(4, { count: 2 });
console.log(safe(cart, 30), fact(3), twice(4));
spin(3);
silent();
(async () => {
  console.log(await Promise.all([later(20, 1), later(10, 2)]));
})();
"""
TREE_JS = """\
#1 Cart.constructor() -> undefined  [this.total = 0]
#2 Cart.add(price=4, count=2) -> Cart {total: 8}  [this.total: 0 -> 8]
#3 safe(cart=Cart {total: 8}, price=30) -> "too much"
  #4 Cart.add(price=30, count=1) raises Error: too much
#5 fact(n=3) -> 6
  #6 fact(n=2) -> 2
    #7 fact(n=1) -> 1
#8 twice(x=4) -> 8
#9 spin(n=3) -> undefined
#10 silent() -> undefined
#11 later(ms=20, x=1) -> Promise { 2 }
#12 later(ms=10, x=2) -> Promise { 3 }"""
CART_TS = """\
interface Row { price: number; count: number }

class Cart<T extends Row> {
  private total = 0;
  add(row: T): number {
    type Local = number;
    const more: Local = row.price * row.count;
    this.total += more;
    return this.total;
  }
}

function checkout(rows: Row[], rate: number = 0.5): number {
  const half = (x: number): number => x * rate;
  const cart = new Cart<Row>();
  let due = 0;
  for (const row of rows) due = cart.add(row);
  return half(due);
}

console.log(checkout([{ price: 4, count: 1 }, { price: 3, count: 2 }]));
"""
TREE_TS = """\
#1 checkout(rows=[{price: 4, count: 1}, {price: 3, count: 2}], rate=0.5) -> 5
  #2 Cart.add(row={price: 4, count: 1}) -> 4  [this.total: 0 -> 4]
  #3 Cart.add(row={price: 3, count: 2}) -> 10  [this.total: 4 -> 10]
  #4 checkout.half(x=10) -> 5"""
CART_JAVA = """\
public class Cart {
    private int total;

    Cart(String name) {
        total = 1;
    }

    int add(int price, int count) {
        total += price * count;
        if (total > 30) {
            throw new IllegalStateException("too much");
        }
        return total;
    }

    static int spin(int n) {
        while (n > 0) n--;
        return n;
    }

    static String safe(Cart cart, int price) {
        try {
            cart.add(price, 1);
        } catch (IllegalStateException caught) {
            return caught.getMessage();
        } finally {
            spin(1);
        }
        return "ok";
    }

    static int fact(int n) {
        return n < 2 ? 1 : n * fact(n - 1);
    }

    public static void main(String[] args) throws Exception {
        Cart cart = new Cart("tea");
        cart.add(4, 2);
        safe(cart, 40);
        Thread other = new Thread(() -> fact(2), "other");
        other.start();
        other.join();
        fact(Integer.parseInt("x"));
    }
}
"""
TREE_JAVA = """\
thread main:
#1 Cart.main(args=String[0] {}) raises NumberFormatException: For input string: "x"
  #2 Cart.Cart(name="tea") -> void  [this.total: 0 -> 1]
  #3 Cart.add(price=4, count=2) -> 9  [this.total: 1 -> 9]
  #4 Cart.safe(cart=Cart {total=9}, price=40) -> "too much"
    #5 Cart.add(price=40, count=1) raises IllegalStateException: too much
    #6 Cart.spin(n=1) -> 0
thread other:
#7 Cart.fact(n=2) -> 2
  #8 Cart.fact(n=1) -> 1"""

CART_CPP = """\
#include <stdexcept>
#include <string>
#include <thread>

class Cart {
    int total = 0;

  public:
    int add(int price, int count) {
        total += price * count;
        if (total > 30) throw std::runtime_error("too much");
        return total;
    }
};

int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }

template <typename T> T twice(T x) {
    return x + x;
}

int spin(int n) {
    while (n > 0) n--;
    return n;
}

std::string safe(Cart &cart, int price) {
    try {
        cart.add(price, 1);
    } catch (const std::exception &caught) {
        return caught.what();
    }
    return "ok";
}

int main() {
    Cart cart;
    cart.add(4, 2);
    safe(cart, 40);
    spin(2);
    twice(std::string("ab"));
    std::thread other([] { fact(2); });
    other.join();
    return 3;
}
"""
TREE_CPP = """\
thread cart 1:
#1 main() -> 3
  #2 Cart.add(price=4, count=2) -> 8  [this.total: 0 -> 8]
  #3 safe(cart={total = 8}, price=40) -> "too much"
    #4 Cart.add(price=40, count=1) raises std::runtime_error: too much
  #5 spin(n=2) -> 0
  #6 twice(x="ab") -> "abab"
thread cart 2:
#7 fact(n=2) -> 2
  #8 fact(n=1) -> 1"""
CART_RS = """\
struct Cart {
    total: i32,
}

impl Cart {
    fn add(&mut self, price: i32, count: i32) -> i32 {
        self.total += price * count;
        if self.total > 30 {
            panic!("too much");
        }
        self.total
    }
}

fn parse(text: &str) -> Option<i32> {
    text.parse().ok()
}

fn main() {
    let mut cart = Cart { total: 0 };
    cart.add(4, parse("2").unwrap());
    cart.add(40, 1);
}
"""
TREE_RS = """\
#1 main() raises panic: too much
  #2 parse(text="2") -> <unknown: gdb does not know how Rust returns core::option::Option<i32>>
  #3 Cart.add(price=4, count=2) -> 8  [self.total: 0 -> 8]
  #4 Cart.add(price=40, count=1) raises panic: too much"""
CART_GO = """\
package main

import (
	"errors"
	"fmt"
)

type Cart struct{ total int }

func (c *Cart) Add(price, count int) (int, error) {
	c.total += price * count
	if c.total > 30 {
		return 0, errors.New("too much")
	}
	return c.total, nil
}

func fact(n int) int {
	if n < 2 {
		return 1
	}
	return n * fact(n-1)
}

func twice[T int | float64](x T) T { return x + x }

func spin(n int) int {
	for n > 0 {
		n--
	}
	return n
}

func fails(said error) { panic(said.Error()) }

func safe(said error) (text string) {
	defer func() { text = fmt.Sprint(recover()) }()
	fails(said)
	return "ok"
}

func silent() {}

func main() {
	cart := &Cart{}
	cart.Add(4, 2)
	_, err := cart.Add(40, 1)
	spin(2)
	twice(2.5)
	safe(err)
	silent()
	done := make(chan int)
	go func() { done <- fact(2) }()
	<-done
	fails(err)
}
"""
TREE_GO = """\
thread goroutine 1:
#1 main() raises panic: "too much"
  #2 Cart.Add(price=4, count=2) -> (8, nil)  [c.total: 0 -> 8]
  #3 Cart.Add(price=40, count=1) -> (0, &errors.errorString{s: "too much"})  [c.total: 8 -> 48]
  #4 spin(n=2) -> 0
  #5 twice(x=2.5) -> 5
  #6 safe(said=&errors.errorString{s: "too much"}) -> "too much"
    #7 fails(said=&errors.errorString{s: "too much"}) raises panic: "too much"
  #8 silent() -> ()
  #11 fails(said=&errors.errorString{s: "too much"}) raises panic: "too much"
thread goroutine:
#9 fact(n=2) -> 2
  #10 fact(n=1) -> 1"""

PRICES_JS = """\
function price(count) { return count * 2; }
function total(first, second) { return price(first) + price(second); }
console.log(total(1, Number(process.argv[2] ?? 2)));
"""
TOTAL_TEST_JS = """\
const test = require("node:test");
const assert = require("node:assert");
function total(prices) {
  return prices.reduce((sum, price) => sum + price, 0);
}
test("total", () => assert.strictEqual(total([4, 3]), 10));
"""
CART_TEST_GO = """\
package main

import "testing"

func TestFact(t *testing.T) {
	if got := fact(2); got != 3 {
		t.Fatalf("got %d", got)
	}
}
"""


@pytest.fixture
def write(tmp_path):
    def written(name, text):
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return written


@pytest.mark.needs("node")
def test_calls_of_javascript_are_told_with_what_they_return_and_throw(served, write):
    told = served.ok("trace_calls", scriptPath=write("cart.js", CART_JS))
    assert told["tree"] == TREE_JS
    assert told["exitCode"] == 0 and told["calls"] == 12 and told["truncated"] is False


@pytest.mark.needs("node")
def test_one_call_of_javascript_is_opened_and_depth_is_kept(served, write):
    path = write("cart.js", CART_JS)
    one = served.ok("trace_calls", scriptPath=path, focus=["fact"], expand=2)
    assert one["tree"] == "#2 fact(n=2) -> 2\n  #3 fact(n=1) -> 1"
    flat = served.ok("trace_calls", scriptPath=path, focus=["cart.js"], depth=1, maxEvents=8)
    assert "  #" not in flat["tree"] and flat["truncated"] is True and "not looked at" in flat["note"]


@pytest.mark.needs("node", "tsx")
def test_calls_of_typescript_are_told_in_its_own_words(served, write):
    told = served.ok("trace_calls", scriptPath=write("cart.ts", CART_TS))
    assert told["tree"] == TREE_TS and told["exitCode"] == 0


@pytest.mark.needs("java", "javac")
def test_calls_of_java_are_told_by_thread(served, write):
    told = served.ok("trace_calls", scriptPath=write("Cart.java", CART_JAVA))
    assert told["tree"] == TREE_JAVA and told["exitCode"] == 1


@pytest.mark.needs("g++", "gdb")
def test_calls_of_cpp_are_told_by_thread(served, write):
    told = served.ok("trace_calls", scriptPath=write("cart.cpp", CART_CPP))
    assert told["tree"] == TREE_CPP and told["exitCode"] == 3


@pytest.mark.needs("cargo", "gdb")
def test_calls_of_rust_are_told_with_their_panics(served, write):
    told = served.ok("trace_calls", scriptPath=write("cart.rs", CART_RS))
    assert told["tree"] == TREE_RS and told["exitCode"] == 101


@pytest.mark.needs("g++", "gdb")
def test_one_call_of_cpp_is_opened_though_thousands_come_before(served, write):
    adds = "int add(int a, int b) { return a + b; }\n"
    loop = "int main() { int t = 0; for (int i = 0; i < 900; i++) t = add(t, i); }\n"
    told = served.ok("trace_calls", scriptPath=write("loop.cpp", adds + loop), focus=["add"], expand=300)
    assert told["tree"] == "#300 add(a=44551, b=299) -> 44850" and told["exitCode"] == 0


@pytest.mark.needs("go", "dlv")
def test_calls_of_go_are_told_by_goroutine(served, write):
    told = served.ok("trace_calls", scriptPath=write("main.go", CART_GO))
    assert re.sub(r"goroutine \d\d?:\n#9", "goroutine:\n#9", told["tree"]) == TREE_GO and told["exitCode"] == 2


@pytest.mark.needs("node")
def test_two_runs_of_javascript_part_at_the_first_argument_that_differs(served, write):
    path = write("prices.js", PRICES_JS)
    a, b = ({"scriptPath": path, "args": [count]} for count in ("3", "4"))
    told = served.ok("compare_runs", a=a, b=b, focus=["price"])
    assert told["same"] is False and told["agreed"] == 1 and told["difference"]["names"] == ["count"]
    assert told["difference"]["a"] == "#2 price(count=3) -> 6"


@pytest.mark.needs("node")
def test_an_edit_of_javascript_is_compared_with_the_revision_before_it(served, write, tmp_path):
    path = write("prices.js", PRICES_JS)
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "one")):
        told = ("git", "-c", "user.name=a", "-c", "user.email=a@example.test", *words)
        subprocess.run(told, cwd=tmp_path, check=True)
    write("prices.js", PRICES_JS.replace("count * 2", "count * 3"))
    target = {"scriptPath": path, "cwd": str(tmp_path)}
    told = served.ok("compare_runs", a={**target, "revision": "HEAD"}, b=target)
    assert told["difference"]["what"] == "returned" and told["difference"]["function"] == "price"
    assert told["difference"]["a"].endswith("-> 2") and told["difference"]["b"].endswith("-> 3")


@pytest.mark.needs("node")
def test_calls_under_a_test_of_node_come_with_its_verdict(served, write, tmp_path):
    path = write("total.test.js", TOTAL_TEST_JS)
    told = served.ok("trace_calls", test=f"{path}::total", cwd=str(tmp_path))
    assert told["tree"] == "#1 total(prices=[4, 3]) -> 7" and told["testPassed"] is False


@pytest.mark.needs("go", "dlv")
def test_calls_under_a_test_of_go_come_with_its_verdict(served, write, tmp_path):
    write("go.mod", "module example.test/cart\n\ngo 1.21\n")
    write("main.go", CART_GO)
    write("cart_test.go", CART_TEST_GO)
    told = served.ok(
        "trace_calls", test="TestFact", language="go", cwd=str(tmp_path), focus=["fact", "TestFact"], depth=2
    )
    first, second = told["tree"].splitlines()
    assert first.endswith("raises runtime.Goexit") and second == "  #2 fact(n=2) -> 2"
    assert told["testPassed"] is False and told["exitCode"] == 1


@pytest.mark.needs("cmake", "gdb")
def test_calls_under_a_googletest_are_found_from_its_build_folder(served, tmp_path):
    source, build = FIXTURES / "native" / "gtest", tmp_path / "build"
    made = subprocess.run(["cmake", "-S", source, "-B", build], capture_output=True, text=True)
    if "GTest" in made.stderr:
        pytest.skip("there is no GoogleTest")
    told = served.ok("trace_calls", test="Math.Adds", language="cpp", cwd=str(build), focus=["add"])
    assert told["tree"] == "#1 add(a=2, b=3) -> -1" and told["testPassed"] is False


@pytest.mark.needs("node")
def test_a_focus_that_names_nothing_is_refused_with_names_that_are_there(served, write):
    told = served.call("trace_calls", scriptPath=write("cart.js", CART_JS), focus=["nosuch"])
    assert told["success"] is False and "no function" in told["error"] and "`cart.js`" in told["hint"]
