"""Print how fast text is redacted: MB/s of ordinary, dense and hostile text, and microseconds a chunk of output."""

import time

from dapwright.core import redact
from dapwright.core.output import Transcript

SIZE = 1_000_000
KEY = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
TEXTS = {
    "log lines": "INFO processing order 12345 of user bob at 2026-01-01 12:00:00 took 35 ms, ok\n",
    "one word": "x",
    "json": '{"user": "ann", "password": "hunter22", "n": 12},\n',
    "keys only": KEY + "\n",
    "hostile: names": "password=",
    "hostile: quotes": "password='",
    "hostile: lists": "secrets=['a',",
    "hostile: escapes": "password=\\\\\\'",
    "hostile: urls": "://a:bbbb",
    "hostile: pem": "-----BEGIN PRIVATE KEY-----\nABCDEFGHIJKLMNOPQRST\n",
}


def main() -> None:
    """Measure each text once, of a size and of half of it: linear work has a ratio of about 2."""
    for name, unit in TEXTS.items():
        text = (unit * (SIZE // len(unit) + 1))[:SIZE]
        half, whole = seconds(text[: SIZE // 2]), seconds(text)
        print(f"{name:20} {len(text) / 1e6 / whole:7.1f} MB/s   ratio to half the size {whole / half:.1f}")
    transcript, count = Transcript(), 20_000
    start = time.process_time()
    for number in range(count):
        transcript.add("stdout", f"line {number} of output, n={number} ok\n", number)
    print(f"{'chunks of output':20} {(time.process_time() - start) / count * 1e6:7.1f} microseconds each")


def seconds(text: str) -> float:
    start = time.process_time()
    redact.text(text)
    return time.process_time() - start


if __name__ == "__main__":
    main()
