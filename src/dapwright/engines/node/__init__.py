"""JavaScript and TypeScript: a debug engine on the V8 inspector, served as DAP on stdio."""


def main(argv: list[str]) -> int:
    """Serve one DAP client on standard input and output; `argv` takes no arguments. Returns the exit code."""
    from dapwright.engines.node import serve  # late, so that importing the package costs nothing

    return serve.main(argv)
