from settings import budget, load


def test_merge():
    load({"limits": {"rows": 7}}, {"name": "tool"})
    other = load({"name": "other", "log": {"level": "debug"}})
    assert budget(other) == 500
