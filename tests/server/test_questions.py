"""A relayed call's questions, put to a client of the handshake era."""

import asyncio

import pytest
from waits import within

from dapwright.core.errors import ApprovalPending
from dapwright.patience import Patience
from dapwright.server.questions import Questions


class Workspace:
    """Asks once for each key of its own, then answers with what it was told."""

    def __init__(self, *keys):
        self.keys, self.sent = keys, []

    async def send(self, params):
        self.sent.append(params)
        answered = {**params.get("requestState", {}), **params.get("inputResponses", {})}
        for key in self.keys:
            if key not in answered:
                asked = {key: {"method": "elicitation/create", "params": {"message": key}}}
                return {"resultType": "input_required", "inputRequests": asked, "requestState": answered}
        return {"resultType": "complete", "told": answered}


async def test_each_question_is_put_and_its_answer_carried_back():
    asked = []

    async def ask(method, params):
        asked.append((method, params["message"]))
        return {"action": "accept", "content": {"of": params["message"]}}

    result = await within(Questions().carry(Workspace("a", "b").send, {"name": "x"}, ask))
    assert asked == [("elicitation/create", "a"), ("elicitation/create", "b")]
    assert result["told"]["b"]["content"] == {"of": "b"}


async def test_a_client_of_the_stateless_era_retries_by_itself():
    result = await within(Questions().carry(Workspace("a").send, {"name": "x"}, None))
    assert result["resultType"] == "input_required"


async def test_a_client_that_fails_said_no():
    async def ask(method, params):
        raise ConnectionError

    result = await within(Questions().carry(Workspace("a").send, {"name": "x"}, ask))
    assert result["told"]["a"] == {"action": "cancel"}


async def test_a_late_answer_serves_the_same_call_made_again():
    late, asked = asyncio.get_running_loop().create_future(), []

    async def ask(method, params):
        asked.append(params)
        return await late

    questions = Questions()
    questions._patience = Patience(0.01)
    for _ in range(2):
        with pytest.raises(ApprovalPending):
            await within(questions.carry(Workspace("a").send, {"name": "x"}, ask))
    late.set_result({"action": "accept", "content": {}})
    result = await within(questions.carry(Workspace("a").send, {"name": "x"}, ask))
    assert result["told"]["a"]["action"] == "accept" and len(asked) == 1
