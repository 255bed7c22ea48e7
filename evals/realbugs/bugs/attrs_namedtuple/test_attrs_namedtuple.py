from typing import NamedTuple

import attr


class Point(NamedTuple):
    x: int
    y: int


@attr.s
class Shape:
    origin = attr.ib()


def test_a_named_tuple_stays_one():
    shape = Shape(Point(1, 2))
    assert attr.asdict(shape, retain_collection_types=True) == {"origin": Point(1, 2)}
