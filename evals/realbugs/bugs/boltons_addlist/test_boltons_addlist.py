from boltons.dictutils import OMD


def test_a_key_without_values_can_be_popped():
    omd = OMD([("a", 1)])
    omd.addlist("b", [])
    assert omd.popall("b", None) is None
