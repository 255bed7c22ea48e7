"""The checker of protocol messages finds what is wrong, and lets what is right pass."""

import pytest

from schema.dap import by_name, faults, validate

STOPPED = {"type": "event", "seq": 1, "event": "stopped", "body": {"reason": "breakpoint", "threadId": 1}}
SCOPES = {"type": "request", "seq": 2, "command": "scopes", "arguments": {"frameId": 1000}}


def with_body(message, **body):
    return {**message, "body": {**message["body"], **body}}


def test_the_schema_knows_requests_answers_and_events():
    kinds = by_name()
    assert kinds["request", "setBreakpoints"] == "SetBreakpointsRequest"
    assert kinds["response", "setBreakpoints"] == "SetBreakpointsResponse"
    assert kinds["event", "stopped"] == "StoppedEvent"
    assert len(kinds) > 90


@pytest.mark.parametrize(
    "message",
    [
        STOPPED,
        SCOPES,
        {"type": "request", "seq": 1, "command": "launch", "arguments": {"program": "/a.py", "anything": [1]}},
        {"type": "response", "seq": 3, "request_seq": 2, "success": True, "command": "scopes", "body": {"scopes": []}},
        {"type": "response", "seq": 3, "request_seq": 2, "success": False, "command": "scopes", "message": "no"},
        {"type": "response", "seq": 3, "request_seq": 2, "success": True, "command": "configurationDone"},
        with_body(STOPPED, text="why", allThreadsStopped=True, hitBreakpointIds=[1]),
    ],
)
def test_a_right_message_passes(message):
    validate(message)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        ({**STOPPED, "body": {"threadId": 1}}, "'reason' is a required property"),
        (with_body(STOPPED, threadId="1"), "$.body.threadId: '1' is not of type 'integer'"),
        (with_body(STOPPED, text=None), "$.body.text: None is not of type 'string'"),
        (with_body(STOPPED, hitBreakpoints=[1]), "$.body.hitBreakpoints: the protocol has no such field"),
        ({**SCOPES, "command": "scope"}, "the protocol has no request `scope`"),
        ({**SCOPES, "arguments": {}}, "'frameId' is a required property"),
        ({"type": "event", "seq": 1, "event": "halted"}, "the protocol has no event `halted`"),
        ({**SCOPES, "seq": "2"}, "$.seq: '2' is not of type 'integer'"),
    ],
)
def test_a_wrong_message_is_told(message, why):
    assert why in "\n".join(faults(message))
    with pytest.raises(AssertionError):
        validate(message)


def test_a_wrong_field_deep_in_an_answer_is_told():
    variable = {"name": "x", "value": "1", "variablesReference": 0, "kidn": "data"}
    body = {"variables": [variable]}
    answer = {"type": "response", "seq": 3, "request_seq": 2, "success": True, "command": "variables", "body": body}
    assert faults(answer) == ["$.body.variables.kidn: the protocol has no such field"]


def test_what_we_add_on_purpose_passes_when_named():
    asked = {"type": "request", "seq": 1, "command": "ourOwn", "arguments": {"a": 1}}
    assert faults(asked)
    validate(asked, extra={"ourOwn"})
    validate(with_body(STOPPED, thrownBy="main"), extra={"thrownBy"})
