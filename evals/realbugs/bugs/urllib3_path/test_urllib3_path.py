from urllib3.util import parse_url


def test_what_may_not_stand_in_a_path_is_written_in_percent():
    assert parse_url("http://google.com/p[0]?q=a|b").path == "/p%5B0%5D"
