"""Values of C++ as people read them, by each engine: what a reference, a pointer or a small type holds, not where."""

import re

import pytest

from live.served import values
from live.test_native import built
from live.test_native_lldb import each_engine

pytestmark = [pytest.mark.live, pytest.mark.needs("gcc", "g++")]
SOURCE = """
#include <atomic>
#include <memory>
#include <string>
#include <tuple>
#include <variant>
struct Point { int x, y; };
struct Base { virtual ~Base() {} int base = 1; };
struct Derived : Base { int more = 2; };
static int used(const Point &point, int &number, std::string &text, const char (&letters)[4]) {
    std::tuple<int, std::string> row{1, "one"};
    std::pair<int, int> pair{2, 3};
    std::variant<int, std::string> either = "text";
    std::atomic<int> count{7};
    auto owned = std::make_unique<Point>(Point{5, 6});
    auto shared = std::make_shared<int>(8);
    std::unique_ptr<Point> empty;
    std::weak_ptr<int> lost = std::make_shared<int>(9);
    Base *base = new Derived;
    return point.x + number + (int)text.size() + letters[0] + count + owned->x + *shared + base->base;
}
int main() {
    Point point{1, 2};
    int number = 4;
    std::string text = "text";
    return used(point, number, text, "abc") & 1;
}
"""


@pytest.fixture
def seen(served, tmp_path):
    source = tmp_path / "readable.cpp"
    source.write_text(SOURCE)

    def look(debugger):
        here = {"file": str(source), "statement": "return point.x + number"}
        return values(served.run("cpp", here, program=built(source, "-std=c++17"), debugger=debugger))

    return look


def test_gdb_tells_what_is_referred_to(seen):
    told = seen("gdb")
    assert told["point"] == "{x = 1, y = 2}" and told["number"] == "4" and told["text"] == '"text"'
    assert told["letters"] == '"abc"'
    assert told["owned"].endswith("-> {x = 5, y = 6}") and told["shared"].endswith("-> 8")
    assert "->" not in told["empty"] and "->" not in told["lost"]
    assert "-> Derived {" in told["base"] and "more = 2" in told["base"]


@each_engine
def test_lldb_tells_what_is_referred_to(seen, debugger):
    told = seen(debugger)
    held = {"point": "x:1, y:2", "number": "4", "text": '"text"', "pair": "3", "either": '"text"'}
    if debugger == "lldb":  # CodeLLDB 1.11 has an LLDB that shows a tuple's bases alone
        held["row"] = '"one"'
    for name, value in {**held, "count": "7", "shared": "8", "letters": '"abc"'}.items():
        assert value in re.sub(r"0x[0-9a-f]+", "", told[name]), (name, told[name])
