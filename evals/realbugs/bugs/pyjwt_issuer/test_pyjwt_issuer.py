import jwt
import pytest


def test_a_part_of_the_issuer_is_not_the_issuer():
    token = jwt.encode({"iss": "acme"}, "k" * 32, algorithm="HS256")
    with pytest.raises(jwt.InvalidIssuerError):
        jwt.decode(token, "k" * 32, algorithms=["HS256"], issuer="https://acme.example/auth")
