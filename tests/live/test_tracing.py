"""Call trees through engines: arguments, returns, throws, recursion, threads, in each language by its own debugger."""

import pytest

pytestmark = [pytest.mark.live, pytest.mark.timeout(120)]

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
#1 Cart.constructor() -> undefined  [this.total: None -> 0]
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
    #5 Cart.add(price=40, count=1) raises IllegalStateException: too much  [{}]
    #6 Cart.spin(n=1) -> 0
thread other:
#7 Cart.fact(n=2) -> 2
  #8 Cart.fact(n=1) -> 1""".replace("  [{}]", "")


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


@pytest.mark.needs("node")
def test_a_focus_that_names_nothing_is_refused_with_names_that_are_there(served, write):
    told = served.call("trace_calls", scriptPath=write("cart.js", CART_JS), focus=["nosuch"])
    assert told["success"] is False and "`Cart.constructor`" in told["error"]
