"""What a launch or an attachment will start, as the rules see it: told before any of it is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from dapwright.core.model import Attach, Launch, Plan, Planning
from dapwright.policy.permit import Request

RUNTIMES = ("javaPath", "javaExec", "runtimeExecutable", "python", "perlCmd", "exec")
"""The keys of launch requests that name the executable which an engine runs the program by."""
OPTIONS = ("vmArgs", "runtimeArgs")
EFFECT = "change of the program"


def of_plan(plan: Plan, what: Launch | Attach) -> list[Request]:
    """The processes that a plan will start, and the debugger's commands that a call put into it."""
    found = [Request(plan.argv, plan.cwd, plan.env, "adapter", plan.argv)] if plan.argv else []
    if plan.program is not None:
        program = plan.program
        found.append(Request(program.argv, program.cwd, program.env, "program", program.argv))
    elif isinstance(what, Launch) and not plan.is_program and not plan.post_mortem:
        found.append(_launched(plan, what))
    given = {**what.extra, **what.config} if isinstance(what, Launch) else what.config
    return [*found, *(Request(("evaluate", text), "", {}, EFFECT) for text in _commands(given))]


def _launched(plan: Plan, what: Launch) -> Request:
    """The program that an engine starts by itself: its command line as far as the launch request tells it."""
    asked = plan.arguments
    runtime = [asked[key] for key in RUNTIMES if isinstance(asked.get(key), str) and asked[key]]
    options = [str(word) for key in OPTIONS if isinstance(asked.get(key), list) for word in asked[key]]
    program = what.program or what.module or str(asked.get("program") or asked.get("mainClass") or "")
    return Request((*runtime[:1], *options, program, *what.args), what.cwd, what.env, "program")


def _commands(given: Mapping[str, Any]) -> Iterator[str]:
    """Commands for the debugger's own command line (lldb-dap's `initCommands` and the like), which has a shell."""
    for key, value in given.items():
        if key.endswith("Commands") and isinstance(value, Sequence):
            yield from ([value] if isinstance(value, str) else map(str, value))


def foreseen(planning: Planning, what: Launch | Attach) -> list[Request]:
    """What a plan would start, as far as it can be told before any of it has run: up to its first build step."""
    try:
        first = next(planning)
    except StopIteration as made:
        return of_plan(made.value, what)
    planning.close()
    return [Request(first.argv, first.cwd, first.env, first.purpose)]


def joining(language: str, what: Attach) -> Request:
    """An attachment as something to judge: `attach python 127.0.0.1:5678`, `attach go process 123`."""
    if what.process_id is not None:
        place = f"process {what.process_id}"
    else:
        named = next((str(value) for value in what.config.values() if isinstance(value, str)), "")
        place = f"{what.host}:{what.port}" if what.port is not None else named
    return Request(("attach", language, *place.split(" ")), "", {}, "attach")
