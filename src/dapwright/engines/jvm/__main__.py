"""`python -m dapwright.engines.jvm`."""

import sys

from dapwright.engines.jvm import main

if __name__ == "__main__":
    sys.modules["ssl"] = None  # type: ignore[assignment]  # asyncio does without: reading it costs a tenth of our start
    raise SystemExit(main(sys.argv[1:]))
