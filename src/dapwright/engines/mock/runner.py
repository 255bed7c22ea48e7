"""A program of the toy language under way: it runs to its next breakpoint, step or end."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dapwright.core.hits import parse
from dapwright.engines.mock.expressions import Wrong, evaluate, filled
from dapwright.engines.mock.program import Effect, Machine

SLICE = 10_000
"""Statements that run before a request is looked at again."""
THREAD = 1
Later = Callable[[float, Callable[[], None]], Any]
Tell = Callable[[str, Mapping[str, Any]], None]


@dataclass(slots=True)
class Wanted:
    """Where a client wants the program to stop: `setBreakpoints` and its like, as they were asked, with our ids."""

    lines: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])
    functions: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    filters: list[str] = field(default_factory=list[str])


class Runner:
    """Moves a machine. `event` sends an event, `later` calls back after seconds."""

    def __init__(self, machine: Machine, path: str, wanted: Wanted, *, event: Tell, later: Later) -> None:
        self.machine = machine
        self.path = os.path.realpath(path)
        self.running = False
        self.over = False
        self.error = ""
        self._wanted = wanted
        self._event, self._later = event, later
        self._hits: dict[int, int] = {}
        self._goal: tuple[str, int] = ("continue", 0)
        self._sleeps = 0

    @property
    def stopped(self) -> bool:
        """It stands still and can be looked at."""
        return not self.running and not self.over

    def pause(self) -> None:
        """Stop where it is."""
        if self.running and not self.over:
            self._sleeps += 1
            self.stop("pause")

    def end(self) -> None:
        """Never run again."""
        self.over = True

    def go(self, how: str, *, arrived: bool = False) -> None:
        """Run on; `arrived` looks for a breakpoint at the first line too."""
        self.running = True
        self._goal = (how, len(self.machine.frames))
        if self.error:
            self._finish(1)
        elif arrived and not self.machine.ended and self._at_breakpoint():
            return
        else:
            self._run()

    def _run(self) -> None:
        machine = self.machine
        for _ in range(SLICE):
            if self.over or not self.running:
                return
            if machine.ended:
                self._finish(0)
                return
            effect = machine.step()
            if effect is not None and self._took(effect):
                return
            if not machine.ended and (self._at_breakpoint() or self._at_goal()):
                return
        self._rest(0)

    def _took(self, effect: Effect) -> bool:
        """Act on what a statement did; true where the program does not go on now."""
        match effect.kind:
            case "print":
                self._event("output", {"category": "stdout", "output": effect.text})
            case "sleep":
                self._rest(effect.seconds)
                return True
            case "fail":
                self._failed(effect.text)
                return True
            case "exit":
                self._finish(effect.code)
                return True
            case "forever":
                return True
        return False

    def _rest(self, seconds: float) -> None:
        self._sleeps += 1
        mine = self._sleeps
        self._later(seconds, lambda: self._wake(mine))

    def _wake(self, mine: int) -> None:
        if mine != self._sleeps or not self.running or self.over:
            return
        if not self.machine.ended and (self._at_breakpoint() or self._at_goal()):
            return
        self._run()

    def _failed(self, text: str) -> None:
        self.error = text
        self._event("output", {"category": "stderr", "output": text + "\n"})
        if "uncaught" in self._wanted.filters:
            self.stop("exception", text=text.partition(":")[0], description=text)
        else:
            self._finish(1)

    def _finish(self, code: int) -> None:
        self.running, self.over = False, True
        self._event("exited", {"exitCode": code})
        self._event("terminated", {})

    def _at_goal(self) -> bool:
        how, depth = self._goal
        here = len(self.machine.frames)
        if how == "in" or (how == "next" and here <= depth) or (how == "out" and here < depth):
            self.stop("step")
            return True
        return False

    def _at_breakpoint(self) -> bool:
        machine = self.machine
        path, line = self.path, machine.line
        hit = [w for w in self._wanted.lines.get(path, ()) if w.get("line") == line and self._wants(w)]
        if hit:
            self.stop("breakpoint", hitBreakpointIds=[w["id"] for w in hit])
            return True
        named = [w for w in self._wanted.functions if machine.body(w.get("name", "")) == line and self._wants(w)]
        if named:
            self.stop("function breakpoint", hitBreakpointIds=[w["id"] for w in named])
        return bool(named)

    def _wants(self, wanted: Mapping[str, Any]) -> bool:
        names = self.machine.names
        if wanted.get("condition"):
            try:
                if not evaluate(wanted["condition"], names):
                    return False
            except Wrong as wrong:
                told = {"id": wanted["id"], "verified": True, "message": f"the condition failed: {wrong}"}
                self._event("breakpoint", {"reason": "changed", "breakpoint": told})
                return False
        self._hits[wanted["id"]] = self._hits.get(wanted["id"], 0) + 1
        if wanted.get("hitCondition") and not parse(wanted["hitCondition"]).holds(self._hits[wanted["id"]]):
            return False
        if wanted.get("logMessage"):
            said = {"category": "console", "output": filled(wanted["logMessage"], names) + "\n"}
            self._event("output", {**said, "breakpointId": wanted["id"]})
            return False
        return True

    def stop(self, reason: str, **more: Any) -> None:
        """Stand still, and say why."""
        self.running = False
        self._event("stopped", {"reason": reason, "threadId": THREAD, "allThreadsStopped": True, **more})
