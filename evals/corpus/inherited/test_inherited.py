from forms import day


def test_inherited():
    assert day([("ada", "12"), ("bob", "secret")]) == ["no", "welcome"]
