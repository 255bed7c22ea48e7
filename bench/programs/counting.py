import sys
import time


def work(count):
    total = 0
    for number in range(count):
        total += number
    return total


began = time.perf_counter()
work(int(sys.argv[1]))
took = (time.perf_counter() - began) * 1000
print(f"took={took:.3f}", file=sys.stderr)
