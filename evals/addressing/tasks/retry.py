"""Retries with a growing delay: a decorator that counts attempts."""

import functools

#
# The policy of this service: at most `limit` attempts, each waiting twice as
# long as the one before. The waits are only recorded here, never slept.
#

WAITS = []


def retried(limit, first=1):
    """Call again while it raises, at most `limit` times in all."""

    def around(function):

        @functools.wraps(function)
        def attempt(*args, **kwargs):
            delay = first
            failures = 0

            while True:
                try:
                    return function(*args, **kwargs)
                except ConnectionError:
                    # one more that failed
                    failures += 1
                    if failures > limit:
                        raise
                    WAITS.append(delay)
                    delay = delay * 2

        return attempt

    return around


@retried(3)
def fetch(source):
    """Take the next answer of a source; None is a failure."""
    answer = source.pop(0)
    if answer is None:
        raise ConnectionError("no answer")
    return answer


if __name__ == "__main__":
    try:
        print(fetch([None, None, None, "late"]))
    except ConnectionError:
        print("gave up after 3")
