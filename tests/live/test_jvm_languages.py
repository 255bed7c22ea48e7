"""Scala, Groovy and Clojure on the JVM's engine: a lone source, compiled, stopped in, looked at, for real."""

import shutil
from pathlib import Path

import pytest
from dap import line_of
from toolchains import TOOLS

from live.served import values

pytestmark = [pytest.mark.live, pytest.mark.needs("javac"), pytest.mark.timeout(180)]
FIXTURES = Path(__file__).parent.parent / "fixtures" / "jvm_languages"


@pytest.fixture
def begun(served, tmp_path):
    """Run a fixture with breakpoints on statements, to the first stop."""

    def begin(language, name, *statements):
        source = str(shutil.copy(FIXTURES / name, tmp_path / name))
        return served.run(language, *({"file": source, "statement": one} for one in statements), scriptPath=source)

    return begin


def told(served, stop, expression):
    return served.ok("evaluate_expression", sessionId=stop["sessionId"], expression=expression)["result"]


@pytest.mark.needs("scalac")
def test_scala_is_told_as_it_was_written(served, begun):
    stop = begun("scala", "Cart.scala", "sum += item.cents", "val squares = List(1, 2, 3).map(n => n * n)")
    assert stop["state"] == "paused", stop
    assert stop["location"]["function"] == "Cart.total.<function>" and stop["stack"][0]["name"] == "Cart.total"
    assert values(stop)["sum"] == "0" and values(stop)["item"] == 'Item {name="tea", cents=300}'
    assert told(served, stop, "sum + item.cents") == "300" and told(served, stop, "sum = 7") == "7"
    stop = served.go(served.go(stop))
    assert stop["location"]["function"] == "shop" and values(stop)["both"] == "427"
    assert told(served, stop, "cart.total") == "420"


@pytest.mark.needs("scalac2")
def test_scala_2_is_told_as_it_was_written_too(served, tmp_path):
    source = str(shutil.copy(FIXTURES / "Shop2.scala", tmp_path / "Shop2.scala"))
    places = [{"file": source, "statement": "sum += item.cents"}, {"file": source, "function": "Cart.odd name"}]
    stop = served.run(
        "scala", *places, scriptPath=source, adapterLaunchConfig={"compiler": str(TOOLS / "bin" / "scalac2")}
    )
    assert stop["location"]["function"] == "Cart.total.<function>", stop
    assert [frame["name"] for frame in stop["stack"]][:2] == ["Cart.total", "Shop2.main"]
    assert values(stop) == {"sum": "0", "item": 'Item {name="tea", cents=300}'}
    assert told(served, stop, "sum = sum + item.cents + 7") == "307"
    line = line_of(source, "sum += item.cents")
    served.ok("remove_breakpoint", sessionId=stop["sessionId"], file=source, line=line)
    stop = served.go(stop)
    assert stop["location"]["function"] == "Cart.odd name" and values(stop)["by"] == "2"


@pytest.mark.needs("groovyc")
def test_groovy_names_its_closures_and_finds_the_callers_behind_its_machinery(served, begun):
    stop = begun("groovy", "shop.groovy", "sum += item.cents", 'println "total $both"')
    assert stop["state"] == "paused", stop
    assert stop["location"]["function"] == "Cart.total.<closure>"
    assert [frame["name"] for frame in stop["stack"]] == ["Cart.total", "shop.run", "shop.main"]
    assert told(served, stop, "sum") == "0" and told(served, stop, "item.cents") == "300"
    stop = served.go(served.go(stop))
    assert values(stop)["both"] == "420" and told(served, stop, "cart.items.size() + both") == "422"


@pytest.mark.needs("clojure")
def test_clojure_functions_and_values_are_told_as_lisp(served, begun):
    stop = begun("clojure", "cart.clj", '(println "sum" sum)')
    assert stop["state"] == "paused", stop
    assert stop["location"]["function"] == "cart/total" and stop["stack"][0]["name"] == "cart/-main"
    seen = values(stop)
    assert seen["sum"] == "420" and ":name" in seen["items"] and '"milk"' in seen["items"], seen
