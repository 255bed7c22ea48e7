"""Looks that a client will ask for after a step, answered before it asks.

A step is told by its place, stack and locals: three questions one after the other, each of them
four changes of thread in here and two of process. A client that marks its step (`dapwrightLook`)
gets the answers right behind the stop: `stopped` says that they come (`dapwrightForeseen`), the event
`dapwrightAnswers` has them. The stop itself waits for none of it, and all is done by gdb's own
functions for these requests.
"""

import types

import gdb

from .wiring import advertise, module, server

MOVES = ("next", "stepIn", "stepOut")
QUESTIONS = ("stackTrace", "scopes", "variables")


class Looks:
    """How many frames the step under way wants to be answered; 0 where it is not marked."""

    wanted = 0


def _behind(command):
    """The function that gdb registered for a request, to be called in gdb's thread; None where it is not found."""
    todo = [command]
    for each in todo:
        cells = dict(zip(each.__code__.co_freevars, each.__closure__ or ()))  # noqa: B905  Python 3.8
        if each.__name__ == "sync_call" and "func" in cells:
            return cells["func"].cell_contents
        todo += [one.cell_contents for one in cells.values() if isinstance(one.cell_contents, types.FunctionType)]
    return None


_own = {name: server._commands[name] for name in QUESTIONS}
_functions = {name: _behind(command) for name, command in _own.items()}


def take(reason):
    """How many frames are wanted at this stop; another plugin (COBOL's) answers in its own way."""
    wanted, Looks.wanted = Looks.wanted, 0
    own = all(server._commands[name] is command for name, command in _own.items())
    return wanted if own and reason in ("step", "breakpoint") else 0


def promise(thread, levels):
    """The first question that will be answered: the others follow from its answer."""
    return {"command": "stackTrace", "arguments": {"threadId": thread, "startFrame": 0, "levels": levels}}


def answers(question):
    """That question answered, and those that whoever asks it asks next."""
    found = []
    while question is not None:
        answer = {**question, "success": True}
        found.append(answer)
        try:
            answer["body"] = _functions[question["command"]](**question["arguments"])
            question = _NEXT[question["command"]](answer["body"])
        except (IndexError, StopIteration):
            break  # no frame, or no locals: nobody asks on
        except Exception as error:
            answer.update(success=False, message=str(error))
            break
    return found


def _scopes(body):
    return {"command": "scopes", "arguments": {"frameId": body["stackFrames"][0]["id"]}}


def _variables(body):
    scope = next(each for each in body["scopes"] if each.get("presentationHint") == "locals")
    return {"command": "variables", "arguments": {"variablesReference": scope["variablesReference"]}}


_NEXT = {"stackTrace": _scopes, "scopes": _variables, "variables": lambda body: None}


def _unless_set(original):
    """gdb sets its scheduler's lock before each step (18.1), mostly to what it is: half a stack's worth."""

    def run(command):
        if command != "set scheduler-locking off" or gdb.parameter("scheduler-locking") != "off":
            return original(command)
        return None

    return run


def _marked(original):
    def move(**arguments):
        Looks.wanted = arguments.pop("dapwrightLook", 0)
        return original(**arguments)

    return move


if hasattr(module("next"), "exec_and_log"):
    module("next").exec_and_log = _unless_set(module("next").exec_and_log)
if all(_functions.values()):
    for _name in MOVES:
        server._commands[_name] = _marked(server._commands[_name])
    advertise("supportsDapwrightLooks")
