"""What a hot reload says in text."""

from dapwright.core.render import reload_text

RELOADED = {"success": True, "redefined": ["Shop"], "failed": [], "sessionId": "s1", "state": "running"}
STOP = {
    "state": "paused",
    "lastStop": {"reason": "breakpoint"},
    "location": {"file": "/a/Shop.java", "line": 7, "function": "Shop.total"},
    "source": "> 7 | return sum;",
    "locals": [{"name": "sum", "value": "5"}],
}


def test_at_a_stop_it_shows_the_stop_behind_what_was_taken():
    text = reload_text({**RELOADED, **STOP})
    assert "Shop" in text.splitlines()[0] and "> 7 | return sum;" in text and "sum = 5" in text
    assert "lastStop" not in text


def test_of_a_running_program_it_tells_what_was_taken_alone():
    assert "Shop" in reload_text(RELOADED) and "running" in reload_text(RELOADED)
