from people import load, typed


def test_unicode():
    register = load(["Zo\u00eb Jung 31", "Ren\u00e9 Ott 27"])
    assert register.find(typed("ren\u00e9  ott")) == 27
