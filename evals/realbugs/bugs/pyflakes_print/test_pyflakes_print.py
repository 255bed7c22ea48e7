import ast

from pyflakes.checker import Checker


def test_adding_to_print_is_no_crash():
    assert Checker(ast.parse("print += 1")).messages == []
