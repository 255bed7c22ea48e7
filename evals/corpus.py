"""Small programs with a seeded bug each: what is wrong, the test that shows it, the value that betrays it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Bug:
    """One program. `betrays`: the text of the value that tells the root cause to who sees it."""

    name: str
    kind: str
    code: str
    test: str
    cause: str
    betrays: str
    function: str
    """The function whose values tell it."""


BUGS: list[Bug] = []


def bug(name: str, kind: str, code: str, test: str, cause: str, betrays: str, function: str) -> None:
    """Add a program; `test` is the body of its test."""
    body = "\n".join("    " + line for line in test.strip("\n").splitlines())
    BUGS.append(
        Bug(
            name,
            kind,
            code.strip("\n") + "\n",
            f"from {name} import *\n\n\ndef test_{name}():\n{body}\n",
            cause,
            betrays,
            function,
        )
    )


bug(
    "discount",
    "wrong value",
    """
def total(prices, rate):
    gross = sum(prices)
    reduced = gross * (1 - rate)
    reduced = reduced * (1 - rate)
    return reduced
""",
    "assert total([100.0], 0.1) == 90.0",
    "the discount is applied twice",
    "81.0",
    "total",
)
bug(
    "offbyone",
    "off by one",
    """
def last(rows, count):
    start = len(rows) - count + 1
    return rows[start:]
""",
    "assert last([1, 2, 3, 4], 2) == [3, 4]",
    "the slice starts one too late",
    "3",
    "last",
)
bug(
    "mutable",
    "mutated default",
    """
def collect(item, into=[]):
    into.append(item)
    return into
""",
    "collect(1)\nassert collect(2) == [2]",
    "the default list is shared by all calls",
    "[1, 2]",
    "collect",
)
bug(
    "late",
    "late binding",
    """
def adders():
    made = []
    for step in range(3):
        made.append(lambda value: value + step)
    return made
""",
    "assert [add(10) for add in adders()] == [10, 11, 12]",
    "every lambda sees the last `step`",
    "[12, 12, 12]",
    "adders",
)
bug(
    "branch",
    "wrong branch",
    """
def shipping(weight, express):
    if weight > 10 or express:
        kind = "freight"
    elif express:
        kind = "express"
    else:
        kind = "standard"
    return {"freight": 50, "express": 20, "standard": 5}[kind]
""",
    "assert shipping(2, True) == 20",
    "`or express` catches the express parcels first",
    "'freight'",
    "shipping",
)
bug(
    "cache",
    "stale cache",
    """
CACHE = {}


def price(name, table):
    if name not in CACHE:
        CACHE[name] = table[name]
    found = CACHE[name]
    return found
""",
    "price('tea', {'tea': 3})\nassert price('tea', {'tea': 4}) == 4",
    "the cache is never refreshed",
    "{'tea': 3}",
    "price",
)
bug(
    "float",
    "float",
    """
def split(amount, people):
    share = round(amount / people, 2)
    rest = amount - share * people
    return share, rest
""",
    "assert split(10.0, 3) == (3.33, 0.01)",
    "the rest is a binary fraction",
    "0.009999999999999787",
    "split",
)
bug(
    "alias",
    "aliasing",
    """
def grid(width, height):
    rows = [[0] * width] * height
    rows[0][0] = 1
    return rows
""",
    "assert grid(2, 2) == [[1, 0], [0, 0]]",
    "all rows are one list",
    "[[1, 0], [1, 0]]",
    "grid",
)
bug(
    "swallow",
    "swallowed exception",
    """
def read(text):
    values = []
    for word in text.split(","):
        try:
            values.append(int(word))
        except ValueError as wrong:
            skipped = str(wrong)
    return values
""",
    "assert read('1, 2,x3') == [1, 2, 3]",
    "a word that is no number is dropped silently",
    "[1, 2]",
    "read",
)
bug(
    "encoding",
    "encoding",
    """
def label(raw):
    text = raw.decode("latin-1")
    return text.upper()
""",
    "assert label('é'.encode()) == 'É'",
    "utf-8 is decoded as latin-1",
    "Ã",
    "label",
)
bug(
    "awaited",
    "wrong await",
    """
import asyncio


async def fetch():
    return 5


async def double():
    value = fetch()
    kind = type(value).__name__
    value.close()
    return kind
""",
    "assert asyncio.run(double()) == 'int'",
    "the coroutine is not awaited",
    "coroutine",
    "double",
)
bug(
    "race",
    "race",
    """
import threading


class Counter:
    def __init__(self):
        self.value = 0

    def bump(self, barrier):
        seen = self.value
        barrier.wait()
        self.value = seen + 1


def run():
    counter, barrier = Counter(), threading.Barrier(2)
    threads = [threading.Thread(target=counter.bump, args=(barrier,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return counter.value
""",
    "assert run() == 2",
    "both threads read the value before one writes it",
    "1",
    "run",
)
bug(
    "strip",
    "wrong value",
    """
def stem(name):
    short = name.strip(".txt")
    return short
""",
    "assert stem('text.txt') == 'text'",
    "strip takes characters, not a suffix",
    "'e'",
    "stem",
)
bug(
    "integer",
    "wrong value",
    """
def average(values):
    mean = sum(values) // len(values)
    return mean
""",
    "assert average([1, 2]) == 1.5",
    "floor division",
    "1",
    "average",
)
bug(
    "sorting",
    "wrong value",
    """
def newest(versions):
    ordered = sorted(versions)
    return ordered[-1]
""",
    "assert newest(['1.9', '1.10']) == '1.10'",
    "versions are compared as text",
    "['1.10', '1.9']",
    "newest",
)
bug(
    "truth",
    "wrong branch",
    """
def limit(asked=None):
    chosen = asked or 10
    return chosen
""",
    "assert limit(0) == 0",
    "zero counts as not given",
    "10",
    "limit",
)
bug(
    "precedence",
    "wrong value",
    """
def blend(a, b):
    middle = a + b / 2
    return middle
""",
    "assert blend(2, 4) == 3",
    "the division binds first",
    "4.0",
    "blend",
)
bug(
    "mutating",
    "aliasing",
    """
def without(rows, wanted):
    for row in rows:
        if row == wanted:
            rows.remove(row)
    return rows
""",
    "assert without([1, 1, 2], 1) == [2]",
    "the list is changed while it is walked",
    "[1, 2]",
    "without",
)
bug(
    "shallow",
    "aliasing",
    """
import copy


def template(base, name):
    made = copy.copy(base)
    made["tags"].append(name)
    return made
""",
    "base = {'tags': []}\ntemplate(base, 'x')\nassert base == {'tags': []}",
    "the copy shares the inner list",
    "{'tags': ['x']}",
    "template",
)
bug(
    "closure",
    "wrong scope",
    """
COUNT = 0


def bump():
    COUNT = 1
    return COUNT


def total():
    bump()
    seen = COUNT
    return seen
""",
    "assert total() == 1",
    "the assignment makes a local name",
    "0",
    "total",
)
bug(
    "generator",
    "spent iterator",
    """
def stats(values):
    values = (value for value in values if value)
    size = len(list(values))
    total = sum(values)
    return size, total
""",
    "assert stats([1, 2, 0]) == (2, 3)",
    "the generator is spent by the first walk",
    "0",
    "stats",
)
bug(
    "keys",
    "wrong key",
    """
def merge(left, right):
    merged = dict(left)
    for key in right:
        merged[key] = left.get(key, 0) + right[key]
        left = merged
    return {str(key): value for key, value in merged.items()}
""",
    "assert merge({1: 1}, {'1': 2}) == {'1': 3}",
    "the integer and the text are two keys",
    "{'1': 2}",
    "merge",
)
bug(
    "bounds",
    "off by one",
    """
def grade(points):
    if points > 90:
        mark = "A"
    else:
        mark = "B"
    return mark
""",
    "assert grade(90) == 'A'",
    "the bound itself is left out",
    "'B'",
    "grade",
)
bug(
    "dates",
    "wrong value",
    """
from datetime import datetime


def parse(text):
    day = datetime.strptime(text, "%m/%d/%Y")
    return day.strftime("%Y-%m-%d")
""",
    "assert parse('03/04/2024') == '2024-04-03'",
    "month and day change places",
    "2024-03-04",
    "parse",
)
bug(
    "regex",
    "wrong value",
    """
import re


def first(text):
    found = re.match(r"<(.+)>", text)
    return found.group(1)
""",
    "assert first('<a><b>') == 'a'",
    "the pattern is greedy",
    "a><b",
    "first",
)
bug(
    "accumulate",
    "wrong value",
    """
def running(values):
    out, total = [], 0
    for value in values:
        out.append(total)
        total += value
    return out
""",
    "assert running([1, 2, 3]) == [1, 3, 6]",
    "the sum is kept before it is added to",
    "[0, 1, 3]",
    "running",
)
bug(
    "recursion",
    "wrong base",
    """
def power(base, exponent):
    if exponent == 0:
        return 0
    result = base * power(base, exponent - 1)
    return result
""",
    "assert power(2, 3) == 8",
    "the base case answers 0",
    "0",
    "power",
)
bug(
    "inherit",
    "class attribute",
    """
class Basket:
    items = []

    def add(self, item):
        self.items.append(item)
        return self.items
""",
    "Basket().add(1)\nassert Basket().add(2) == [2]",
    "the list belongs to the class",
    "[1, 2]",
    "add",
)
bug(
    "override",
    "wrong method",
    """
class Shape:
    def area(self):
        return 0

    def describe(self):
        size = self.area()
        return f"area {size}"


class Square(Shape):
    side = 2

    def Area(self):
        return self.side * self.side
""",
    "assert Square().describe() == 'area 4'",
    "the override is spelled otherwise",
    "area 0",
    "describe",
)
bug(
    "unpack",
    "wrong order",
    """
def bounds(points):
    low, high = max(points), min(points)
    return low, high
""",
    "assert bounds([3, 1, 2]) == (1, 3)",
    "least and greatest change places",
    "(3, 1)",
    "bounds",
)
bug(
    "units",
    "wrong unit",
    """
import math


def height(distance, angle):
    slope = math.sin(angle)
    return round(distance * slope, 2)
""",
    "assert height(10, 30) == 5.0",
    "degrees are taken for radians",
    "-9.88",
    "height",
)
bug(
    "window",
    "off by one",
    """
def pairs(values):
    made = []
    for index in range(len(values) - 2):
        made.append((values[index], values[index + 1]))
    return made
""",
    "assert pairs([1, 2, 3]) == [(1, 2), (2, 3)]",
    "the last pair is left out",
    "[(1, 2)]",
    "pairs",
)
bug(
    "none",
    "missing return",
    """
def normal(text):
    text = text.strip().lower()
    if text:
        text


def greet(name):
    shown = normal(name)
    return f"hello {shown}"
""",
    "assert greet(' Ada ') == 'hello ada'",
    "`normal` returns nothing",
    "None",
    "greet",
)
bug(
    "ordering",
    "wrong order",
    """
def pipeline(value):
    steps = [lambda x: x + 1, lambda x: x * 2]
    for step in reversed(steps):
        value = step(value)
    return value
""",
    "assert pipeline(3) == 8",
    "the steps run backwards",
    "7",
    "pipeline",
)
bug(
    "identity",
    "wrong comparison",
    """
def same(left, right):
    equal = left is right
    return equal
""",
    "assert same([1], [1])",
    "identity is asked instead of equality",
    "False",
    "same",
)
bug(
    "environment",
    "wrong source",
    """
import os


def setting(name, default):
    value = os.environ.get(name.lower(), default)
    return value
""",
    "os.environ['SHOP_MODE'] = 'fast'\nassert setting('SHOP_MODE', 'slow') == 'fast'",
    "the name is looked up in lower case",
    "'slow'",
    "setting",
)
bug(
    "json_keys",
    "wrong type",
    """
import json


def restore(table):
    text = json.dumps(table)
    return json.loads(text)
""",
    "assert restore({1: 'a'}) == {1: 'a'}",
    "JSON makes keys text",
    "{'1': 'a'}",
    "restore",
)
bug(
    "exhaust",
    "wrong loop",
    """
def find(rows, wanted):
    for index, row in enumerate(rows):
        if row == wanted:
            found = index
        else:
            found = -1
    return found
""",
    "assert find([5, 6, 7], 6) == 1",
    "a later row overwrites what was found",
    "-1",
    "find",
)
bug(
    "rounding",
    "float",
    """
def cents(amount):
    value = int(amount * 100)
    return value
""",
    "assert cents(1.15) == 115",
    "1.15 * 100 is less than 115",
    "114",
    "cents",
)
bug(
    "context",
    "wrong lifetime",
    """
class Store:
    def __init__(self):
        self.open = False

    def __enter__(self):
        self.open = True
        return self

    def __exit__(self, *error):
        self.open = False


def use():
    with Store() as store:
        pass
    state = store.open
    return state
""",
    "assert use() is True",
    "the store is used after it was closed",
    "False",
    "use",
)
bug(
    "zip_short",
    "lost data",
    """
def table(names, values):
    rows = dict(zip(names, values))
    return len(rows)
""",
    "assert table(['a', 'b', 'c'], [1, 2]) == 3",
    "zip ends with the shorter side",
    "2",
    "table",
)
bug(
    "negative",
    "wrong value",
    """
def wrap(index, size):
    place = index - size * int(index / size)
    return place
""",
    "assert wrap(-1, 5) == 4",
    "int() cuts towards zero",
    "-1",
    "wrap",
)
