"""Coverage-guided fuzzing of both parsers: what an adapter sends, what a client sends.

`python bench/fuzz.py dap|mcp [SECONDS]` (a minute by default; needs `pip install atheris`).
Whatever the bytes are, the parser answers with messages or with its own error.
"""

import sys

import atheris

with atheris.instrument_imports(include=["dapwright.core.wire", "dapwright.core.protocol", "dapwright.server"]):
    from dapwright.core import events
    from dapwright.core.errors import ProtocolError
    from dapwright.core.protocol import decode, lenient
    from dapwright.core.wire import Decoder, frame
    from dapwright.server.inbox import Lines
    from dapwright.server.protocol import read_line


def dap(data: bytes) -> None:
    """The bytes as a stream in two cuts, and as a body."""
    for pieces in ((data,), (data[: len(data) // 2], data[len(data) // 2 :]), (frame(data),)):
        decoder = Decoder()
        try:
            for piece in pieces:
                for body in decoder.feed(piece):
                    lenient(decode(body).body, events.StoppedEvent)
        except ProtocolError:
            continue


def mcp(data: bytes) -> None:
    """The bytes as lines."""
    for line in Lines(longest=1 << 20).feed(data + b"\n"):
        if line is not None:
            list(read_line(line))


def main(arguments: list[str]) -> None:
    """Fuzz one of the two; libFuzzer prints the counts and exits."""
    target = {"dap": dap, "mcp": mcp}[arguments[0]]
    seconds = arguments[1] if len(arguments) > 1 else "60"
    seeds = [sys.argv[0], f"-max_total_time={seconds}", "-max_len=4096", "-print_final_stats=1"]
    atheris.Setup(seeds, target)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
