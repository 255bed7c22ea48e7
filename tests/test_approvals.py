"""Asking the person: before anything starts, once for a launch, and with patience."""

import asyncio

import pytest
from waits import within

from dapwright import trust
from dapwright.approvals import ASKER, Approvals
from dapwright.core.errors import ApprovalPending, NotAllowed
from dapwright.patience import Patience
from dapwright.policy.permit import Request
from dapwright.policy.settings import Rule, Settings
from dapwright.tools import InputRequired, Reply

YES = Reply("accept", {"approve": True})


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def approvals(folder, *lines, seconds=5.0):
    rules = tuple(Rule(*line.split(": ", 1)) for line in lines)
    made = Approvals(Settings(approve=rules), str(folder))
    made._patience = Patience(seconds)
    return made


def request(name, **env):
    return Request(("python", name), "/w", env, "program")


class Person:
    """Answers as told; `asked` are the questions."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []
        ASKER.set(self.ask)

    async def ask(self, message, schema):
        self.asked.append(message)
        answer = self.answers.pop(0)
        return await answer if asyncio.isfuture(answer) else answer


async def test_what_no_rule_speaks_of_is_allowed(tmp_path):
    person = Person()
    assert (await approvals(tmp_path).ask(request("a.py"))).request.argv == ("python", "a.py")
    assert not person.asked


async def test_one_question_shows_all_that_a_launch_starts(tmp_path):
    person = Person(YES)
    await approvals(tmp_path, "ask: *").ask_all(
        [request("a.py"), request("b c.py", API_KEY="sk-123456789012345678901")]
    )
    (message,) = person.asked
    assert "python a.py" in message and "python 'b c.py'" in message and "in /w" in message
    assert "API_KEY=" in message and "sk-123456" not in message


async def test_an_approval_is_kept_for_the_same_command_alone(tmp_path):
    person = Person(YES, YES, YES)
    mine = approvals(tmp_path, "ask: *")
    for one in (request("a.py"), request("a.py"), request("a.py", X="1"), request("b.py")):
        await mine.ask(one)
    assert len(person.asked) == 3


async def test_a_refusal_is_not_kept(tmp_path):
    person = Person(Reply("decline"), Reply("accept", {"approve": False}), Reply("cancel"), YES)
    mine = approvals(tmp_path, "ask: *")
    for words in ("declined", "declined", "did not approve"):
        with pytest.raises(NotAllowed, match=words):
            await mine.ask(request("a.py"))
    await mine.ask(request("a.py"))
    assert len(person.asked) == 4


async def test_where_nobody_can_be_asked_the_rule_to_add_is_told(tmp_path):
    Person(Reply("unavailable"))
    with pytest.raises(NotAllowed) as refused:
        await approvals(tmp_path, "ask: *").ask(request("a.py"))
    assert "`allow: python a.py`" in refused.value.hint
    ASKER.set(None)
    with pytest.raises(NotAllowed):
        await approvals(tmp_path, "ask: *").ask(request("a.py"))


async def test_denied_is_denied_without_a_question(tmp_path):
    person = Person()
    with pytest.raises(NotAllowed, match="deny: \\*b.py"):
        await approvals(tmp_path, "deny: *b.py", "ask: *").ask_all([request("a.py"), request("b.py")])
    assert not person.asked


async def test_a_late_answer_serves_the_next_call(tmp_path):
    late = asyncio.get_running_loop().create_future()
    person = Person(late)
    mine = approvals(tmp_path, "ask: *", seconds=0.01)
    for _ in range(2):
        with pytest.raises(ApprovalPending) as pending:
            await within(mine.ask(request("a.py")))
        assert pending.value.code == "approval_pending"
    late.set_result(YES)
    await within(mine.ask(request("a.py")))
    await within(mine.ask(request("a.py")))
    assert len(person.asked) == 1, "it was asked once, and the approval is kept"


async def test_a_late_refusal_is_told_once(tmp_path):
    late = asyncio.get_running_loop().create_future()
    Person(late, YES)
    mine = approvals(tmp_path, "ask: *", seconds=0.01)
    with pytest.raises(ApprovalPending):
        await within(mine.ask(request("a.py")))
    late.set_result(Reply("decline"))
    with pytest.raises(NotAllowed, match="declined"):
        await within(mine.ask(request("a.py")))
    await within(mine.ask(request("a.py")))


async def test_in_the_stateless_era_the_question_ends_the_call(tmp_path):
    async def required(message, schema):
        raise InputRequired("key", message, schema)

    ASKER.set(required)
    mine = approvals(tmp_path, "ask: *")
    with pytest.raises(InputRequired):
        await within(mine.ask(request("a.py")))
    Person(YES)
    await within(mine.ask(request("a.py")))


async def test_a_workspace_cannot_approve_itself_until_it_is_trusted_as_it_is(tmp_path):
    person = Person(YES, YES)
    text = '[approve]\nallow = ["*"]\ndeny = ["*evil*"]\n'
    (tmp_path / trust.NAME).write_text(text)
    mine = approvals(tmp_path, "ask: *")
    await mine.ask(request("a.py"))
    assert len(person.asked) == 1
    with pytest.raises(NotAllowed):
        await mine.ask(request("evil.py"))
    trust.record(str(tmp_path), text)
    await mine.ask(request("b.py"))
    assert len(person.asked) == 1, "trusted: its own rule allows"
    (tmp_path / trust.NAME).write_text(text + "# changed\n")
    await mine.ask(request("c.py"))
    assert len(person.asked) == 2, "a change takes the trust away"
    assert trust.forget(str(tmp_path)) and not trust.forget(str(tmp_path))


async def test_a_task_is_asked_for_even_where_no_rule_speaks(tmp_path):
    person = Person(YES)
    await approvals(tmp_path).ask(request("a.py"), unmatched="ask")
    assert person.asked
