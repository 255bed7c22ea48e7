"""The JVM's debug engine: a DAP server that speaks the Java Debug Wire Protocol itself.

`dapwright adapter jvm` or `python -m dapwright.engines.jvm`, on standard input and output.
It needs a JVM of 8 or later to debug, and a JDK only for expressions beyond the interpreter.
"""


def main(argv: list[str]) -> int:
    """Serve one client; return the exit code."""
    from dapwright.engines.jvm.serving import serve

    return serve(argv)
