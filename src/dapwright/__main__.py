"""`python -m dapwright` and the `dapwright` command."""

import gc

gc.disable()  # while modules are read nothing is garbage, and looking for it costs a sixth of the start

from dapwright.cli import main  # noqa: E402

if __name__ == "__main__":
    raise SystemExit(main())
