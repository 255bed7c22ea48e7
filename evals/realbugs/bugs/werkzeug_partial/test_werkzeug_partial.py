import pytest
from werkzeug.exceptions import NotFound
from werkzeug.routing import Map, Rule


def test_a_part_of_a_part_is_no_match():
    urls = Map([Rule("/<int:number>", endpoint="page")]).bind("example.org", "/")
    with pytest.raises(NotFound):
        urls.match("/2df")
