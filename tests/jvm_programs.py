"""JVM programs for tests: fixtures compiled, and the engine stopped in one."""

import contextlib
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import dap
import toolchains

FIXTURES = Path(__file__).parent / "fixtures" / "java"
ENGINE = (sys.executable, "-m", "dapwright.engines.jvm")


class Built:
    """A fixture: its source, its classes."""

    def __init__(self, source: Path, classes: Path) -> None:
        self.source = str(source)
        self.classes = str(classes)

    def line(self, text: str) -> int:
        return dap.line_of(self.source, text)

    def at(self, text: str, **more: Any) -> dict[str, list[dict[str, Any]]]:
        """Breakpoints of this source, at the line of `text`."""
        return {self.source: [{"line": self.line(text), **more}]}


def build(name: str, folder: Path, *flags: str) -> Built:
    """Compile a fixture into `folder`."""
    toolchains.needs("javac")
    source = folder / name
    shutil.copy(FIXTURES / name, source)
    subprocess.run(["javac", *(flags or ("-g",)), "-nowarn", "-d", str(folder / "classes"), str(source)], check=True)
    return Built(source, folder / "classes")


@contextlib.asynccontextmanager
async def paused(tour: Built, text: str, *args: str, **more: Any) -> AsyncIterator[tuple[dap.Dap, dict[str, Any]]]:
    """An engine, stopped at the line of `text`."""
    async with dap.engine(*ENGINE) as engine:
        await engine.begin(
            mainClass="tour.Tour", classpath=[tour.classes], args=list(args), breakpoints=tour.at(text), **more
        )
        yield engine, await engine.stopped()
