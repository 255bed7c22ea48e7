"""The debug adapter of the toy language: one client, no I/O of its own; it is fed bytes and a clock."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dapwright.core.protocol import Message, decode
from dapwright.core.wire import Decoder
from dapwright.engines.mock.expressions import Value, Wrong, evaluate, shown
from dapwright.engines.mock.program import Frame, Machine
from dapwright.engines.mock.runner import THREAD, Later, Runner, Wanted

CAPABILITIES = {
    "supportsConfigurationDoneRequest": True,
    "supportsFunctionBreakpoints": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsSetVariable": True,
    "supportsSetExpression": True,
    "supportsExceptionInfoRequest": True,
    "supportTerminateDebuggee": True,
    "exceptionBreakpointFilters": [{"filter": "uncaught", "label": "Uncaught errors"}],
}
Say = Callable[[Mapping[str, Any]], None]


class Refused(Exception):
    """The request is answered `success: false`."""


class Mock:
    """One debug session. `say` sends a message, `later` calls back after seconds, `end` ends the process."""

    def __init__(
        self, *, say: Say, later: Later, end: Callable[[], None], capabilities: Mapping[str, Any] = {}
    ) -> None:
        self.capabilities: dict[str, Any] = {**CAPABILITIES, **capabilities}
        self.initialized_when = "launch"
        """When `initialized` is sent: `initialize`, or `launch`."""
        self._say, self._later, self._end = say, later, end
        self._decoder = Decoder()
        self._seq = 0
        self.runner: Runner | None = None
        self.wanted = Wanted()
        self._launch: Message | None = None
        self._stop_on_entry = False
        self._ids = 0
        self._references: list[Any] = []

    # --- messages

    def feed(self, data: bytes) -> None:
        """Take bytes of the client; none means that it has gone."""
        for body in self._decoder.feed(data):
            message = decode(body)
            if message.type == "request":
                self.hear(message)
        if not data:
            self._end()

    def hear(self, message: Message) -> None:
        """Answer one request."""
        handler = getattr(self, "_on_" + message.command, None)
        try:
            if handler is None:
                raise Refused(f"unknown request `{message.command[:80]}`")
            body = handler(message, message.arguments or {})
        except (Refused, Wrong) as refusal:
            self.answer(message, failure=str(refusal))
            return
        if body is not None:
            self.answer(message, body)

    def answer(self, message: Message, body: Any = None, *, failure: str = "") -> None:
        """Send the answer to a request."""
        told: dict[str, Any] = {"type": "response", "request_seq": message.seq, "command": message.command}
        told |= {"success": not failure, "message": failure} if failure else {"success": True, "body": body or {}}
        self.send(told)

    def event(self, name: str, body: Mapping[str, Any] = {}) -> None:
        """Send an event."""
        self.send({"type": "event", "event": name, "body": body})

    def send(self, message: Mapping[str, Any]) -> None:
        """Send any message, numbered."""
        self._seq += 1
        self._say({"seq": self._seq, **message})

    # --- the handshake

    def _on_initialize(self, message: Message, asked: Mapping[str, Any]) -> None:
        self.answer(message, self.capabilities)
        if self.initialized_when == "initialize":
            self.event("initialized")

    def _on_launch(self, message: Message, asked: Mapping[str, Any]) -> None:
        path = str(asked.get("program") or "")
        try:
            text = Path(path).read_text(encoding="utf-8", errors="replace")
        except OSError as cannot:
            raise Refused(f"cannot read `{path}`: {cannot.strerror}") from None
        machine = Machine(text)
        machine.names |= {f"arg{n}": str(word) for n, word in enumerate(asked.get("args") or [], 1)}
        self.runner = Runner(machine, path, self.wanted, event=self.event, later=self._later)
        self._stop_on_entry = bool(asked.get("stopOnEntry"))
        self._launch = message
        if self.initialized_when == "launch":
            self.event("initialized")

    def _on_attach(self, message: Message, asked: Mapping[str, Any]) -> None:
        self._on_launch(message, asked)

    def _on_setBreakpoints(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        path = os.path.realpath(str((asked.get("source") or {}).get("path") or ""))
        known = self.runner.machine.lines() if self.runner and self.runner.path == path else []
        told = []
        self.wanted.lines[path] = []
        for wanted in asked.get("breakpoints") or []:
            self._ids += 1
            self.wanted.lines[path].append({**wanted, "id": self._ids})
            binds = wanted.get("line") in known
            why = {} if binds else {"message": "no statement is there"}
            told.append({"id": self._ids, "verified": binds, "line": wanted.get("line"), **why})
        return {"breakpoints": told}

    def _on_setFunctionBreakpoints(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        self.wanted.functions, told = [], []
        for wanted in asked.get("breakpoints") or []:
            self._ids += 1
            line = self.runner.machine.body(wanted.get("name", "")) if self.runner else None
            self.wanted.functions.append({**wanted, "id": self._ids})
            told.append({"id": self._ids, "verified": line is not None, **({"line": line} if line else {})})
        return {"breakpoints": told}

    def _on_setExceptionBreakpoints(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        self.wanted.filters = list(asked.get("filters") or [])
        return {}

    def _on_configurationDone(self, message: Message, asked: Mapping[str, Any]) -> None:
        self.answer(message)
        if self._launch is None or self.runner is None:
            return
        self.answer(self._launch)
        self.event("process", {"name": self.runner.path, "systemProcessId": os.getpid(), "startMethod": "launch"})
        self.event("thread", {"reason": "started", "threadId": THREAD})
        if self._stop_on_entry and not self.runner.machine.ended:
            self.runner.stop("entry")
        else:
            self.runner.go("continue", arrived=True)

    def _on_disconnect(self, message: Message, asked: Mapping[str, Any]) -> None:
        if self.runner is not None:
            self.runner.end()
        self.answer(message)
        self._end()

    # --- running

    def _on_continue(self, message: Message, asked: Mapping[str, Any]) -> None:
        self._move(message, "continue")

    def _on_next(self, message: Message, asked: Mapping[str, Any]) -> None:
        self._move(message, "next")

    def _on_stepIn(self, message: Message, asked: Mapping[str, Any]) -> None:
        self._move(message, "in")

    def _on_stepOut(self, message: Message, asked: Mapping[str, Any]) -> None:
        self._move(message, "out")

    def _on_pause(self, message: Message, asked: Mapping[str, Any]) -> None:
        self.answer(message)
        if self.runner is not None:
            self.runner.pause()

    def _move(self, message: Message, how: str) -> None:
        runner = self._stopped()
        self.answer(message, {"allThreadsContinued": True})
        self._references.clear()
        runner.go(how)

    def _stopped(self) -> Runner:
        if self.runner is None or not self.runner.stopped:
            raise Refused("the program is not stopped")
        return self.runner

    # --- looking

    def _on_threads(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        return {"threads": [] if self.runner is None or self.runner.over else [{"id": THREAD, "name": "main"}]}

    def _on_stackTrace(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        machine = self._stopped().machine
        frames = machine.frames[::-1]
        levels = asked.get("levels") or len(frames)
        first = asked.get("startFrame") or 0
        told = [self._frame(n, frame) for n, frame in enumerate(frames)]
        return {"stackFrames": told[first : first + levels], "totalFrames": len(frames)}

    def _frame(self, number: int, frame: Frame) -> dict[str, Any]:
        runner = self._stopped()
        line = runner.machine.statements[frame.at - 1].line if number else runner.machine.line_of(frame)
        source = {"name": Path(runner.path).name, "path": runner.path}
        return {"id": number + 1, "name": frame.name, "line": line, "column": 1, "source": source}

    def _on_scopes(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        machine = self._stopped().machine
        reference = self._reference(machine.names)
        return {
            "scopes": [
                {"name": "Locals", "presentationHint": "locals", "variablesReference": reference, "expensive": False}
            ]
        }

    def _reference(self, holder: Any) -> int:
        for number, known in enumerate(self._references, 1):
            if known is holder:
                return number
        self._references.append(holder)
        return len(self._references)

    def _on_variables(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        self._stopped()
        number = asked.get("variablesReference") or 0
        if not 0 < number <= len(self._references):
            raise Refused(f"there is no variable with the reference {number}")
        holder = self._references[number - 1]
        entries = list(holder.items()) if isinstance(holder, dict) else [(f"[{n}]", v) for n, v in enumerate(holder)]
        start, count = asked.get("start") or 0, asked.get("count") or len(entries)
        nameable = isinstance(holder, dict)
        return {"variables": [self._variable(n, v, nameable=nameable) for n, v in entries[start : start + count]]}

    def _variable(self, name: str, value: Value, *, nameable: bool = True) -> dict[str, Any]:
        told: dict[str, Any] = {"name": name, "value": shown(value), "type": type(value).__name__}
        told["variablesReference"] = self._reference(value) if isinstance(value, list) else 0
        if nameable:
            told["evaluateName"] = name
        if isinstance(value, list):
            told["indexedVariables"] = len(value)
        return told

    def _on_evaluate(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        machine = self._stopped().machine
        told = self._variable("", evaluate(str(asked.get("expression", "")), machine.names), nameable=False)
        return {"result": told.pop("value"), **told}

    def _on_setVariable(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        return self._assign(str(asked.get("name")), str(asked.get("value")))

    def _on_setExpression(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        return self._assign(str(asked.get("expression")), str(asked.get("value")))

    def _assign(self, name: str, text: str) -> dict[str, Any]:
        machine = self._stopped().machine
        if name not in machine.names:
            raise Refused(f"there is no variable `{name}`")
        machine.names[name] = evaluate(text, machine.names)
        return self._variable(name, machine.names[name])

    def _on_exceptionInfo(self, message: Message, asked: Mapping[str, Any]) -> dict[str, Any]:
        error = self._stopped().error
        if not error:
            raise Refused("no error is being looked at")
        kind, _, text = error.partition(":")
        return {"exceptionId": kind.strip(), "description": text.strip(), "breakMode": "unhandled"}
