"""Full Java, by the real compiler (to come)."""

from dapwright.core.errors import NotSupported
from dapwright.engines.jvm.expressions_calls import Operand
from dapwright.engines.jvm.expressions_run import Run


class Compiler:
    """Compiles what the interpreter cannot run."""

    async def run(self, run: Run, expression: str) -> Operand:
        raise NotSupported(f"`{expression}` needs a Java compiler", "install a JDK")

    def close(self) -> None:
        """End the compile server."""
