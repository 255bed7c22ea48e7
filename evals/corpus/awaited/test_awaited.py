from awaited import *


def test_awaited():
    assert asyncio.run(double()) == 'int'
