"""A Java snippet made into a class of its own: which names it uses, and the source around it."""

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from dapwright.engines.jvm.expressions_tokens import Token, tokens

KEYWORDS = {
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "default",
    "do", "double", "else", "enum", "extends", "final", "finally", "float", "for", "goto", "if", "implements", "import",
    "instanceof", "int", "interface", "long", "native", "new", "package", "private", "protected", "public", "record",
    "return", "short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw", "throws", "transient",
    "try", "void", "volatile", "while", "true", "false", "null", "var", "yield",
}  # fmt: skip
BEFORE_CALLS = {"return", "throw", "else", "do", "yield", "case", "assert", "instanceof"}
"""Words after which a name and a parenthesis are a call, not a method being declared."""
IMPORTS = (
    "java.util.*", "java.util.stream.*", "java.util.function.*", "java.io.*", "java.math.*", "java.time.*",
    "java.nio.file.*", "java.util.concurrent.*",
)  # fmt: skip


class Parameter(Struct, frozen=True):
    """A value handed to the snippet under a name; `assigned` values are handed back."""

    name: str
    type: str
    assigned: bool = False


class Use(Struct, frozen=True):
    """A bare name in a snippet: a variable or class, or (`called`) a method."""

    name: str
    at: int
    called: bool


def uses(text: str) -> list[Use]:
    """The bare names that a snippet takes from around it, in order."""
    found = tokens(text)
    declared = _declared(found)
    bare = []
    for at, token in enumerate(found):
        before = found[at - 1].text if at else ""
        if token.kind != "word" or token.text in KEYWORDS or token.text in declared or before in (".", "::", "@"):
            continue
        if before == "new" and at > 1 and found[at - 2].text == ".":
            continue  # `outer.new Inner()`: what is before the dot says which
        called = found[at + 1].text == "(" and before not in ("new", "instanceof")  # a pattern has brackets too
        if called and at and found[at - 1].kind == "word" and before not in BEFORE_CALLS:
            continue  # a method that the snippet declares
        bare.append(Use(token.text, token.at, called))
    return bare


def _declared(found: Sequence[Token]) -> set[str]:
    """Names that the snippet declares itself: a lambda's parameters, locals, a loop's or a catch's variable."""
    names = set()
    for at, token in enumerate(found[:-1]):
        after = found[at + 1].text
        before = found[at - 1] if at else None
        if token.text == "->":
            names |= _lambda_names(found, at)
        elif token.kind == "word" and after in ("=", ":", ";", ")", ",") and before is not None:
            typed = before.kind == "word" and (before.text not in KEYWORDS or before.text in _TYPES)
            typed = typed or before.text == "]" or _ends_type(found, at - 1)
            if typed and token.text not in KEYWORDS and after != ",":
                names.add(token.text)
    return names


def _ends_type(found: Sequence[Token], at: int) -> bool:
    """Tell whether the `>` at a place ends type arguments (`List<String> xs`), not a comparison."""
    depth = 0
    while at >= 0:
        text = found[at].text
        depth += text.count(">") - text.count("<") if found[at].kind == "mark" and set(text) <= {"<", ">"} else 0
        if depth <= 0:
            return found[at].text == "<" and at > 0 and found[at - 1].text[:1].isupper()
        if found[at].kind != "word" and text not in ("<", ">", ">>", ",", "?", ".", "[", "]", "&"):
            return False
        at -= 1
    return False


_TYPES = {"int", "long", "short", "byte", "char", "boolean", "float", "double", "var"}


def _lambda_names(found: Sequence[Token], arrow: int) -> set[str]:
    if found[arrow - 1].text != ")":
        return {found[arrow - 1].text}
    names, at = set(), arrow - 2
    while at >= 0 and found[at].text != "(":
        if found[at].kind == "word" and found[at + 1].text in (",", ")"):
            names.add(found[at].text)
        at -= 1
    return names


def assigned(text: str, name: str) -> bool:
    """Tell whether a snippet assigns a name."""
    word = re.escape(name)
    after = rf"(?<![\w.$]){word}\s*(?:[-+*/%&|^]=|<<=|>>>?=|=(?!=)|\+\+|--)"
    before = rf"(?:\+\+|--)\s*{word}\b"
    return re.search(after, text) is not None or re.search(before, text) is not None


def rewrite(text: str, changes: Mapping[int, tuple[str, str]]) -> str:
    """Replace names at offsets: {offset: (old, new)}."""
    for at in sorted(changes, reverse=True):
        old, new = changes[at]
        text = text[:at] + new + text[at + len(old) :]
    return text


def statements(text: str) -> tuple[str, str]:
    """Cut a snippet into (statements, last expression); either may be empty."""
    depth, cut = 0, 0
    for token in tokens(text):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(token.text, 0) if token.kind == "mark" else 0
        if token.kind == "mark" and depth == 0 and token.text in (";", "}"):
            cut = token.at + 1
    last = text[cut:].strip()
    if text[:cut].rstrip().endswith("}") and last and not re.match(r"[\w\"'(+\-!]", last):
        return "", text.strip()  # the braces belong to an expression: a lambda, an anonymous class
    return text[:cut].strip(), last


def source(
    name: str,
    package: str,
    body: tuple[str, str],
    parameters: Sequence[Parameter],
    *,
    imports: Sequence[str] = (),
    value: bool = True,
) -> str:
    """The whole source of a snippet's class; `value` tells whether its last expression has one."""
    before, last = body
    lines = [f"package {package};"] if package else []
    lines += [f"import {one};" for one in (*imports, *IMPORTS)]
    declared = ", ".join(["Object[] __out", *(f"{one.type} {one.name}" for one in parameters)])
    back = " ".join(f"__out[{at}] = {one.name};" for at, one in enumerate(p for p in parameters if p.assigned))
    end = (f"return (Object) ({last});" if value else f"{last};") if last else ""
    flow = f"if (__out != null) {{ {before}\n{end} }}"
    lines.append(f"class {name} {{ static Object __e({declared}) throws Throwable {{")
    lines.append(f"try {{ {flow} }} finally {{ {back} }}" if back else flow)
    lines.append("return null; } }")
    return "\n".join(lines)
