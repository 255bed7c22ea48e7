"""Asking in the stateless era: the call ends with the question, and the client calls again with the answer."""

import base64
import hashlib
import hmac
import os
from collections.abc import Mapping
from typing import Any

import msgspec

from dapwright.server.asking import can_ask, question, read_reply
from dapwright.server.protocol import CAPABILITIES_KEY, INVALID_PARAMS, Refused, Request, complete
from dapwright.tools.caller import InputRequired, Reply

_SECRET = os.urandom(32)
"""Signs what was answered, so that no client can answer a question that was never asked."""


class Retry:
    """The questions of one stateless call. The client carries our state: what was answered so far, signed.

    The tool runs again from its start at each retry, so earlier answers must come along.
    """

    def __init__(self, request: Request) -> None:
        self._can_ask = can_ask(request.meta.get(CAPABILITIES_KEY))
        self._call = _digest([request.params.get("name"), request.params.get("arguments")])
        self._answered: dict[str, Any] = {}
        state = request.params.get("requestState")
        if state is None:
            return
        self._answered, asked = _opened(state, self._call)
        responses = request.params.get("inputResponses")
        if asked and isinstance(responses, dict) and asked in responses:
            self._answered[asked] = responses[asked]

    async def ask(self, message: str, schema: Mapping[str, Any]) -> Reply:
        """Answer from what the client brought along, else end the call with the question."""
        if not self._can_ask:
            return Reply("unavailable")
        key = "ask-" + _digest([message, schema])[:16]
        if key in self._answered:
            return read_reply(self._answered[key])
        raise InputRequired(key, message, schema)

    def result(self, required: InputRequired) -> dict[str, Any]:
        """The result that puts the question to the client."""
        request = {"method": "elicitation/create", "params": question(required.message, required.schema)}
        result = {
            "inputRequests": {required.key: request},
            "requestState": _signed([self._call, self._answered, required.key]),
        }
        return {**complete(result, stateless=True), "resultType": "input_required"}


def _digest(value: Any) -> str:
    try:
        raw = msgspec.json.encode(value, order="deterministic")
    except UnicodeEncodeError:
        raw = repr(value).encode("utf-8", "backslashreplace")
    return hashlib.sha256(raw).hexdigest()


def _signed(value: Any) -> str:
    raw = msgspec.json.encode(value)
    return base64.urlsafe_b64encode(hmac.digest(_SECRET, raw, "sha256") + raw).decode()


def _opened(state: Any, call: str) -> tuple[dict[str, Any], str]:
    """What was answered before, and which question is open, of a state that we signed for this very call."""
    try:
        joined = base64.urlsafe_b64decode(state)
        signature, raw = joined[:32], joined[32:]
        if not hmac.compare_digest(signature, hmac.digest(_SECRET, raw, "sha256")):
            raise ValueError
        of_call, answered, asked = msgspec.json.decode(raw)
        if of_call != call:
            raise ValueError
    except (ValueError, TypeError, msgspec.MsgspecError):
        raise Refused(INVALID_PARAMS, "`requestState` is not of this call") from None
    return answered, asked
