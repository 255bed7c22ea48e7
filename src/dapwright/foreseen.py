"""Questions that are answered, or on their way, before they are asked; each answer is for one who asks."""

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any

from dapwright.core.protocol import Message

LOOKS = frozenset({"stackTrace", "scopes", "variables", "exceptionInfo", "threads"})
"""Requests that change nothing, so that what was answered ahead stays true over them."""

Key = tuple[str, frozenset[tuple[str, Any]]]


class Foreseen:
    """What was sent ahead; what a plugin has promised (`dapwrightForeseen` of a stop) and told (`dapwrightAnswers`)."""

    def __init__(self) -> None:
        self._open: dict[Key, asyncio.Future[Message]] = {}
        self._taken: dict[Key, asyncio.Future[Message]] = {}
        """Those of a plugin that somebody waits for: they are answered whatever is asked meanwhile."""
        self._sent: set[Key] = set()
        """Those of `_open` that were sent as requests: their answers come as any request's."""
        self._holds = False
        """Nothing was asked since the promise that could change the answers."""

    def hear(self, name: str, body: Any) -> bool:
        """Take an event in; whether it is ours alone."""
        if name == "stopped" and isinstance(body, dict) and (question := body.get("dapwrightForeseen")):
            self._open = {_key(question): asyncio.get_running_loop().create_future()}
            self._holds = True
        elif name == "dapwrightAnswers":
            self._fulfil(body["answers"])
            return True
        return False

    def promise(self, command: str, arguments: Mapping[str, Any], waiter: asyncio.Future[Message]) -> None:
        """A look was sent ahead; `waiter` will hold its answer."""
        key = _key({"command": command, "arguments": arguments})
        self._open[key] = waiter
        self._sent.add(key)
        self._holds = True

    def _fulfil(self, answers: Iterable[Mapping[str, Any]]) -> None:
        for told in answers:
            key = _key(told)
            waiter = self._taken.pop(key, None)
            if waiter is None and self._holds:
                waiter = self._open.setdefault(key, asyncio.get_running_loop().create_future())
            if waiter is not None and not waiter.done():
                message = Message("response", success=told["success"], message=told.get("message"))
                message.body = told.get("body")
                waiter.set_result(message)

    def take(self, command: str, arguments: Mapping[str, Any] | None) -> asyncio.Future[Message] | None:
        """The answer to a question that need not be asked; None where it must be."""
        if not self._open or command not in LOOKS:
            return None
        key = _key({"command": command, "arguments": arguments or {}})
        waiter = self._open.pop(key, None)
        if waiter is not None and not waiter.done() and key not in self._sent:
            self._taken[key] = waiter
        self._sent.discard(key)
        return waiter

    def asked(self, command: str) -> None:
        """Something is asked: unless it only looks, the answers that nobody took are not to be trusted any longer."""
        if self._holds and command not in LOOKS:
            self._open.clear()
            self._sent.clear()
            self._holds = False

    def end(self, failure: Exception) -> None:
        """The engine is gone: whoever waits is told."""
        self._open.clear()
        for waiter in self._taken.values():
            if not waiter.done():
                waiter.set_exception(failure)
                waiter.exception()


def _key(question: Mapping[str, Any]) -> Key:
    return question["command"], frozenset(question["arguments"].items())
