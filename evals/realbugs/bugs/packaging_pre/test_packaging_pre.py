from packaging.specifiers import SpecifierSet


def test_a_later_pre_release_satisfies():
    assert "1.0.dev2" in SpecifierSet(">1.0.dev1")
