"""What may change a program that gdb or LLDB debugs, read from an expression's words."""

from dapwright.core.errors import NotAllowed
from dapwright.core.lazy import regex

QUOTED = regex(r"'(\\.|[^'\\])'|\"(\\.|[^\"\\])*\"")
EFFECTS = regex(r"\+\+|--|(<<|>>)=|(?<![=!<>])=(?!=)|(?<!\bsizeof)(?<!\balignof)(?<=[\w>\])])\s*\(")
"""Assignments, and calls: who knows what they do."""


def refuse_effects(expression: str) -> None:
    """Refuse what may change the program.

    Raises:
        NotAllowed: it assigns, or calls.
    """
    if EFFECTS.search(QUOTED.sub("", expression)):
        raise NotAllowed(
            f"`{expression[:200]}` may change the program", "pass allowSideEffects to evaluate it all the same"
        )


ASSIGN_BY_EQUALS = frozenset({"c", "cpp", "objc", "rust", "d", "zig", "swift"})
"""The languages of which the next rule is true: in Ada and Pascal `=` compares."""
WRITES = regex(r"\+\+|--|(<<|>>)=|(?<![=!<>])=(?!=)")
"""Assignments alone: the ones that are taken for `==` above all."""


def refuse_writes(expression: str) -> None:
    """Refuse what changes the program for certain where it should only look.

    Raises:
        NotAllowed: it assigns.
    """
    if WRITES.search(QUOTED.sub("", expression)):
        raise NotAllowed(
            f"`{expression[:200]}` assigns, which changes the program at every hit",
            "`==` compares; to try a change once use evaluate_expression",
        )
