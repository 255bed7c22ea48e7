from django.contrib.admindocs.views import simplify_regex


def test_a_group_at_the_end_is_replaced():
    assert simplify_regex(r"^(?P<a>\w+)/b/(?P<c>\w+)") == "/<a>/b/<c>"
