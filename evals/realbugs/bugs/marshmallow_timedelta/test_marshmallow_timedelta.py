from datetime import timedelta

from marshmallow import fields


def test_milliseconds_are_not_lost():
    field = fields.TimeDelta(precision="milliseconds")
    assert field.serialize("wait", {"wait": timedelta(milliseconds=345)}) == 345
