"""A test's methods as JUnit selects them: with the types of their parameters, which `javap` tells."""

import re
from collections.abc import Generator

from dapwright.core.errors import UsageError
from dapwright.core.model import Host, Ran, Run

HEADER = re.compile(r"\b(?:class|interface)\s+[\w.$]+(?:<.*?>)?(?:\s+extends\s+([\w.$]+))?")
METHOD = re.compile(
    r"^\s*+(?:(?:public|protected|private|static|final|synchronized|abstract|native|default|strictfp)\s++)*+"
    r"(?:<.*>\s+)?[\w.$]++(?:<.*>)?(?:\[\])*\s+(.+?)\(([^()]*)\)[^();]*;$",
    re.MULTILINE,
)
"""A method as `javap` prints it; Kotlin's names may have spaces in them. A constructor has no type before it."""
DECLARED = r"(?<!return)\s`?%s`?\s*\(\s*\)\s*(?:throws\s[\w\s.,]+)?(?:[{:]|=(?!=))"
"""A method without parameters where it is declared: a call of another of its name is none."""
ABOVE = 8
"""Superclasses that are asked for a method."""


def methods(
    class_name: str, method: str, source: str, entries: list[str], host: Host
) -> Generator[Run, Ran, tuple[str, ...]]:
    """The methods that a name means, `many(int, java.lang.String)`; none where the whole class is meant.

    Raises:
        UsageError: there is no such class, or no such method in it and what it extends.
    """
    text = host.read(source) if source else ""
    if (text and not method) or re.search(DECLARED % re.escape(method), text):
        return (method,) if method else ()
    javap = host.which("javap")
    if not javap:
        return (method,) if method else ()
    known: list[str] = []
    asked = class_name
    for _ in range(ABOVE):
        ran = yield Run((javap, "-p", "-cp", _joined(entries, host), asked), cwd="", purpose="read a test's methods")
        if ran.code != 0:
            break
        declared = [(name, plain(words)) for name, words in METHOD.findall(ran.stdout)]
        known += [name for name, _ in declared if not name.startswith("lambda$")]
        found = tuple(f"{name}({words})" if words else name for name, words in declared if name == method)
        above = HEADER.search(ran.stdout)
        if found or not method:
            return found
        if above is None or not above[1] or above[1] == "java.lang.Object":
            break
        asked = above[1]
    if asked == class_name and ran.code != 0:
        raise UsageError(f"there is no class `{class_name}`", "name it as the runner does: `FenceTest#longFence`")
    listed = ", ".join(dict.fromkeys(known)) or "none"
    raise UsageError(f"`{class_name}` has no method `{method}`", f"it has {listed[:600]}")


def plain(words: str) -> str:
    """A parameter list of `javap` without type arguments.

    >>> plain("java.util.Map<java.lang.String, int[]>, int...")
    'java.util.Map, int[]'
    """
    while (shorter := re.sub(r"<[^<>]*>", "", words)) != words:
        words = shorter
    return words.replace("...", "[]")


def _joined(entries: list[str], host: Host) -> str:
    return (";" if host.platform == "win32" else ":").join(entries)
