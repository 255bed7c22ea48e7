"""All sessions of a server."""

from dapwright.policy.settings import Settings
from dapwright.sessions import Sessions


async def test_no_sessions_mark_begins_anothers():
    """Processes are found by their mark: those of s10 must not be taken for those of s1."""
    sessions = Sessions(Settings())
    marks = [sessions.create("mock", client="a", warm=False).mark for _ in range(12)]
    assert not [(one, other) for one in marks for other in marks if one != other and one in other]
    await sessions.close()


async def test_a_session_passes_to_whom_it_is_handed_over():
    sessions = Sessions(Settings())
    session = sessions.create("mock", client="a", warm=False)
    sessions.hand_over(session.id, "b", ["a"])
    assert session.client == "a", "its client is there"
    sessions.hand_over(session.id, "b", ["c"])
    assert sessions.get(session.id, client="b") is session and sessions.mine("a") == []
    sessions.hand_over("none", "b", [])
    await sessions.close()
