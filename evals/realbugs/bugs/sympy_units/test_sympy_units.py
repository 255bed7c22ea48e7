from sympy import exp
from sympy.physics.units import Dimension, farad, ohm, second
from sympy.physics.units.systems.si import SI


def test_an_exponent_without_dimension_is_accepted():
    expr = 100 + exp(second / (ohm * farad))
    assert SI._collect_factor_and_dimension(expr)[1] == Dimension(1)
