"""A wait of a test ends, either way."""

import asyncio

import pytest
from waits import until, until_blocking, within


async def test_a_wait_gives_what_was_awaited():
    assert await within(asyncio.sleep(0, "done")) == "done"


async def test_a_wait_that_is_too_long_fails_the_test():
    with pytest.raises(AssertionError, match=r"took longer than 0\.01 s"):
        await within(asyncio.Event().wait(), 0.01)


async def test_looking_again_ends_with_the_first_true_value():
    seen = iter([0, None, "there"])
    assert await until(lambda: next(seen)) == "there"
    seen = iter([0, None, "there"])
    assert until_blocking(lambda: next(seen)) == "there"


async def test_looking_in_vain_fails_the_test():
    with pytest.raises(AssertionError, match="was still None"):
        await until(lambda: None, 0.02)
    with pytest.raises(AssertionError, match="was still 0"):
        until_blocking(lambda: 0, 0.02)
