from marshmallow import Schema, fields


class Log(Schema):
    times = fields.List(fields.DateTime())


def test_a_list_of_dates_is_loaded():
    assert Log().load({"times": []}) == {"times": []}
