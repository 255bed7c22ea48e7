"""`python -m dapwright` and the `dapwright` command."""

from dapwright.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
