from sympy import Function, symbols
from sympy.core.function import UndefinedFunction


def test_a_class_reaches_nested_names():
    q, u = symbols(("q:2", "u:2"), cls=Function)
    assert isinstance(q[0], UndefinedFunction)
