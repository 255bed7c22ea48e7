from sympy.physics.hep.gamma_matrices import GammaMatrix as G
from sympy.physics.hep.gamma_matrices import LorentzIndex, kahane_simplify
from sympy.tensor.tensor import tensor_indices


def test_leading_matrices_keep_their_order():
    mu, rho, sigma = tensor_indices("mu, rho, sigma", LorentzIndex)
    simple = kahane_simplify(G(rho) * G(sigma) * G(mu) * G(-mu))
    assert simple.equals(4 * G(rho) * G(sigma))
