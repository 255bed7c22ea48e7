from requests.utils import prepend_scheme_if_needed


def test_the_credentials_of_a_proxy_are_kept():
    proxy = "http://user:pass@proxy.example:3128/path"
    assert prepend_scheme_if_needed(proxy, "http") == proxy
