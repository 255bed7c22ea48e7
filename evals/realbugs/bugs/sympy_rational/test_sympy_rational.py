from sympy import Rational


def test_two_strings_make_a_fraction():
    assert Rational("0.5", "100") == Rational(1, 200)
