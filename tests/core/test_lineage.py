"""A value followed back over the rows of a second run."""

import pytest

from dapwright.core import lineage
from dapwright.core.assignments import root_of, search
from dapwright.core.lineage_text import value_text
from dapwright.core.scopes import Program

TEXT = """\
def half(number):
    return number / 2


class Box:
    def __init__(self):
        self.rows = []
        self.size = 0

    def put(self, thing):
        self.rows.append(thing)
        self.size = half(thing)


def main():
    one, two = Box(), Box()
    for thing in (8, 6):
        two.put(thing)
    one.put(10)
    return two


box = main()
print(box)
"""


@pytest.fixture(scope="module")
def run():
    """Rows of a real run: every statement that a search finds is looked at as a probe would, by tracing lines."""
    import sys

    def traced(text, expression, at):
        program = Program({"a.py": text})
        lines = text.splitlines()
        here = next(n for n, row in enumerate(lines, 1) if row.strip() == at)
        found = search(program, expression, "a.py", here)
        root, rows = root_of(expression), []
        asked = [(str(n), one.line, lineage.captures(one)) for n, one in enumerate(found.writes)]
        asked.append((lineage.HERE, here, lineage.captures_here(expression, root)))

        def seen(frame, names):
            values = {}
            for name in names:
                try:
                    values[name] = repr(eval(name, {**frame.f_globals, **frame.f_locals}))
                except Exception as wrong:
                    values[name] = f"<error: {type(wrong).__name__}: {wrong}>"
            return values

        def watch(frame, event, _):
            if frame.f_code.co_filename != "a.py":
                return None
            if event == "line":
                for probe, line, names in asked:
                    if line == frame.f_lineno:
                        rows.append({"probe": probe, "line": line, "values": seen(frame, names)})
            return watch

        code = compile(text, "a.py", "exec")
        before = sys.gettrace()
        sys.settrace(watch)
        try:
            exec(code, {"print": lambda *_: None})
        finally:
            sys.settrace(before)
        value = next(row["values"][expression] for row in reversed(rows) if row["probe"] == lineage.HERE)
        told = lineage.trace(found, rows, program, expression=expression, root=root, value=value)
        return value, told

    return traced


def statements(told):
    return [link["statement"] for link in told.links]


def test_an_attribute_is_of_the_object_that_is_asked_for_and_not_of_another(run):
    value, told = run(TEXT, "box.size", "print(box)")
    assert value == "3.0" and told.links[0]["from"] == {"thing": "6"}
    assert told.links[1]["how"] == "returned" and told.links[1]["statement"] == "return number / 2"
    assert told.links[1]["became"] == "3.0"


def test_an_element_is_told_by_the_append_that_made_it(run):
    value, told = run(TEXT, "box.rows[0]", "print(box)")
    assert value == "8" and told.links[0]["target"] == "self.rows[0]" and told.links[0]["from"] == {"thing": "8"}
    assert statements(told)[1:] == ["two.put(thing)", "for thing in (8, 6):"]


def test_a_value_of_a_loop_is_followed_to_what_is_walked(run):
    text = "rows = [3, 5]\nrows[1] = 7\nfor row in rows:\n    last = row\nprint(last)\n"
    value, told = run(text, "last", "print(last)")
    assert value == "7" and statements(told)[:3] == ["last = row", "for row in rows:", "rows[1] = 7"]


def test_a_long_loop_is_told_by_its_last_passes(run):
    text = "total = 0\nfor n in range(50):\n    total += n\nprint(total)\n"
    value, told = run(text, "total", "print(total)")
    assert value == "1225" and statements(told).count("total += n") == 2
    assert told.links[0]["passesBefore"] == 49


def test_the_argument_is_of_the_call_that_handed_this_value(run):
    text = "def show(amount):\n    print(amount)\n\n\nshow(4)\nshow(9)\n"
    value, told = run(text, "amount", "print(amount)")
    assert value == "9" and statements(told) == ["show(9)"] and told.links[0]["how"] == "argument"


def test_what_is_handed_over_by_other_code_is_said_to_be_unknown(run):
    text = "def twice(n):\n    m = n * 2\n    print(m)\n\n\nfor call in [twice]:\n    call(4)\n"
    _, told = run(text, "m", "print(m)")
    assert statements(told) == ["m = n * 2"] and "`n` was handed to `twice`" in told.unknown[0]


def test_a_run_that_never_came_to_the_same_value_explains_nothing():
    program = Program({"a.py": "x = 1\nprint(x)\n"})
    found = search(program, "x", "a.py", 2)
    rows = [{"probe": lineage.HERE, "line": 2, "values": {"x": "2"}}]
    assert lineage.trace(found, rows, program, expression="x", root="x", value="1") is None


def test_a_chain_is_a_link_a_line_in_text():
    link = {"target": "due", "became": "3", "was": "1", "line": 4, "function": "f", "statement": "due = a + 1"}
    text = value_text(
        {"expression": "due", "value": "3", "way": "ran it again", "lastWrite": {**link, "from": {"a": "2"}}}
    )
    assert text.splitlines()[-1] == "last write: due became 3, was 1, line 4 in f: due = a + 1, from a=2"
