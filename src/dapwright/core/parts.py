"""Parts of a toolchain, and the commands that install them from their ordinary registries.

An adapter tells its parts once: the hint of an error, what `dapwright doctor` advises and what
`dapwright setup` runs are all made of them.
"""

import shlex
from collections.abc import Callable, Generator, Sequence

from msgspec import Struct

from dapwright.core.model import Host, Ran, Run


class Part(Struct, frozen=True):
    """Something that a language needs."""

    name: str
    ways: tuple[str, ...]
    """Command lines that install it, one a registry; the first whose registry is here is taken."""
    page: str = ""
    """Where a person finds it, where no registry has it."""
    why: str = ""
    """What is wrong with the one that is here."""


Installing = Generator[Run, Ran, tuple[Part, ...]]
"""What is lacking on a machine, being found out: yields the processes that it wants run, returns the parts."""

SYSTEM = ("apt-get", "dnf")
"""Registries of the system: root's, and their own question is answered here, since ours was."""
UPDATE = ("apt-get", "update")


def told(*parts: Part) -> str:
    """The parts as a hint: `apt-get install a or brew install a, and pip install b`."""
    return ", and ".join(" or ".join([*one.ways, *filter(None, [one.page])]) for one in parts)


def where(lacks: Callable[[Host], bool], *parts: Part) -> Callable[[Host], Installing]:
    """Parts that are lacking where looking at the machine says so."""

    def installs(host: Host) -> Installing:
        return parts if lacks(host) else ()
        yield  # a generator that asks nothing

    return installs


def commands(parts: Sequence[Part], host: Host) -> list[tuple[str, ...]]:
    """What installs the parts here, in order; a part that no registry here has is left out."""
    found = [words for one in parts if (words := command(one, host))]
    if any("apt-get" in words for words in found) and not host.glob("/var/lib/apt/lists/*_Packages*"):
        found.insert(0, _as_root(UPDATE, host))  # a bare container knows no package yet
    return found


def command(part: Part, host: Host) -> tuple[str, ...]:
    """What installs a part here; empty where none of its registries is here."""
    for way in part.ways:
        program, *rest = shlex.split(way)
        if program == "pip":
            return (host.python, "-m", "pip", *rest)
        if host.which(program) is None:
            continue
        if program in SYSTEM:
            return _as_root((program, rest[0], "-y", *rest[1:]), host)
        return (program, *rest)
    return ()


def _as_root(words: tuple[str, ...], host: Host) -> tuple[str, ...]:
    return words if host.root or host.which("sudo") is None else ("sudo", *words)
