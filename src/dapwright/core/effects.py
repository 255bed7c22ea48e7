"""What may change a program, where its engine does not tell: read from an expression's words alone.

An expression passes that is made of names, literals, operators, items and members. Whatever may run
other code is refused: that is said too often rather than too seldom.
"""

from collections.abc import Callable

from dapwright.core.errors import NotAllowed
from dapwright.core.lazy import regex

QUOTED = regex(r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"")
FILLED = regex(r"[#$@]\{|\$\(|`")
"""Code within a text, or a command."""
WORDS = "and or not in is as instanceof xor div mod rem shl shr ushr eq ne lt gt le ge cmp if then else unless defined"
OPERATORS = frozenset(WORDS.split())
"""Words that stand between two others, or before one, and run nothing."""
ASSIGNED = regex(r"\+\+|--|(?:<<|>>)=|(?<![=!<>~])=(?![=~>])|=~\s*(?:s|tr|y)\b")
CALLED = regex(r"([\w!?]+|[\])])\s*\(")
BESIDE = regex(r"([\w!?]+)\s+(?=(\w+|[$@%&]\w|\"))")
TEXT_AFTER = regex(r"\w\"\"")
MEMBER = regex(r"(?:\.|::)\s*[a-z_]")
BARE = regex(r"(?<![$@%&\w{>:])[A-Za-z_]\w*(?!\w|\s*(?:\}|=>))")


def refusing(*, braces: bool = False, members: bool = True, bare: bool = True) -> Callable[[str], None]:
    """A language's `refuse_effects`.

    Args:
        braces: `{` begins an item's name (Perl), not code.
        members: `a.b` reads a member; where it is false (Ruby) it calls.
        bare: a name without a sigil is a variable; where it is false (Perl) it calls.
    """

    def refuse(expression: str) -> None:
        """Refuse what may change the program.

        Raises:
            NotAllowed: with what was found.
        """
        words = QUOTED.sub('""', expression.strip())
        found = "code within a text" if FILLED.search(expression) else _effect(words)
        found = found or ("a block" if not braces and "{" in words else "")
        found = found or ("a call of a member" if not members and MEMBER.search(words) else "")
        if not found and not bare and any(name not in OPERATORS for name in BARE.findall(words)):
            found = "a name that may be called"
        if found:
            raise NotAllowed(
                f"`{expression[:200]}` has {found}, and may change the program",
                "pass `allowSideEffects: true` to evaluate it all the same",
            )

    return refuse


def _effect(words: str) -> str:
    if ";" in words or "\n" in words:
        return "more than one statement"
    if ASSIGNED.search(words):
        return "an assignment"
    if any(name not in OPERATORS for name in CALLED.findall(words)) or TEXT_AFTER.search(words):
        return "a call"
    for first, second in BESIDE.findall(words):
        if first not in OPERATORS and second not in OPERATORS and not first.isdigit():
            return f"`{first} {second}`, which may be a call"
    return ""


refuse = refusing()
"""For languages that have nothing of their own here."""
