"""The tracer alone, in whichever interpreters are here: by sys.settrace before 3.12, by sys.monitoring since."""

import json
import socket
import subprocess
import threading
from pathlib import Path

import pytest
from interpreters import python

from dapwright.core.calls import flat, line_of, tree

TRACER = Path(__file__).parents[2] / "src" / "dapwright" / "inject" / "python_tracer.py"
PROGRAM = """\
class Shop:
    def __init__(self):
        self.rows = list(range(40))
        self.open = True

    def sell(self):
        self.rows.append(1)


def fails(number):
    raise ValueError(number)


def catches(number):
    try:
        fails(number)
    except ValueError:
        pass


def gives():
    try:
        yield 1
    except KeyError:
        yield 2


def uses():
    made = gives()
    next(made)
    made.throw(KeyError("x"))
    made.close()
    return "used"


def main():
    catches(1)
    uses()
    Shop().sell()
    return sum(number for number in (1, 2))


main()
"""


@pytest.fixture(params=["3.9", "3.11", "3.12", "3.13"])
def interpreter(request):
    return python(request.param)


@pytest.fixture
def trace(interpreter, tmp_path):
    """Run a program under the tracer; the calls that it told, by their name, and its last words."""

    def traced(text, **config):
        path = tmp_path / "program.py"
        path.write_text(text)
        told = []

        def listen():
            connection, _ = listener.accept()
            with connection, connection.makefile("rb") as lines:
                lines.readline()
                connection.sendall(b"ok\n")
                told.extend(json.loads(line) for line in lines)

        with socket.create_server(("127.0.0.1", 0)) as listener:
            listener.settimeout(30)
            thread = threading.Thread(target=listen)
            thread.start()
            config = {"to": [listener.getsockname()[1], "n"], "cwd": str(tmp_path.resolve()), **config}
            subprocess.run([interpreter, str(TRACER), json.dumps(config), str(path)], check=True, timeout=30)
            thread.join(30)
        calls = tree([event for message in told for event in message["events"]])
        return [call for _, call in flat(calls)], told[-1]

    return traced


def named(calls, name):
    return [call for call in calls if call.name.rpartition(".")[2] == name]


def test_a_caught_exception_is_no_raise_of_who_caught_it(trace):
    calls, _ = trace(PROGRAM)
    assert [line_of(call) for call in named(calls, "catches")] == ["catches(number=1) -> None"]
    assert [line_of(call) for call in named(calls, "fails")] == ["fails(number=1) raises ValueError: 1"]


def test_a_generator_that_is_thrown_into_costs_its_callers_nothing(trace):
    calls, _ = trace(PROGRAM)
    assert [call.ended for call in named(calls, "gives")][:2] == ["yield", "yield"]
    assert [(call.ended, call.value) for call in named(calls, "uses")] == [("return", "'used'")]
    assert [(call.ended, call.value) for call in named(calls, "main")] == [("return", "3")]


def test_a_long_list_that_grew_is_told_as_changed_at_little_cost(trace):
    calls, _ = trace(PROGRAM, focus=["*sell"])
    before, after = named(calls, "sell")[0].changed["rows"]
    assert before.endswith("(40 items)") and after.endswith("(41 items)") and len(after) < 200


def test_expressions_that_are_functions_are_no_calls(trace):
    calls, _ = trace(PROGRAM)
    assert not [call for call in calls if "<genexpr>" in call.name]


def test_what_is_beyond_the_room_is_counted_and_not_looked_at(trace):
    text = "class Loud:\n    def __repr__(self):\n        seen.append(1)\n        return 'loud'\n\n\n"
    text += "seen = []\n\n\ndef work(one):\n    pass\n\n\n"
    text += "for _ in range(50):\n    work(Loud())\nassert len(seen) < 12, seen\n"
    calls, last = trace(text, most=10, focus=["work"])
    assert len(calls) == 5 and last["calls"] == 50 and last["dropped"] == 90
