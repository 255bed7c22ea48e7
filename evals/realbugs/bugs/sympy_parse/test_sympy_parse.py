from sympy import Lt
from sympy.parsing.sympy_parser import parse_expr


def test_a_comparison_stays_unevaluated():
    assert parse_expr("1 < 2", evaluate=False) == Lt(1, 2, evaluate=False)
