from django.template import Context, Engine


def test_the_string_between_is_not_escaped_where_escaping_is_off():
    template = Engine().from_string("{% autoescape off %}{{ words|join:between }}{% endautoescape %}")
    shown = template.render(Context({"words": ["a & b", "c"], "between": "<br>"}))
    assert shown == "a & b<br>c"
