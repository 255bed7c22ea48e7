from sympy import ZZ, ring, symbols


def test_given_symbols_are_used():
    u, v = symbols("u v")
    _, x, y = ring("x, y", ZZ)
    assert (3 * x**2 * y - x).as_expr(u, v) == 3 * u**2 * v - u
