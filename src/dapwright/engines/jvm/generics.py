"""Generic signatures of the JVM as Java's types."""

from dapwright.engines.jvm.signatures import PRIMITIVES, dotted


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def type(self) -> str:
        letter = self.text[self.at]
        self.at += 1
        if letter == "[":
            return self.type() + "[]"
        if letter == "T":
            self.at = self.text.index(";", self.at) + 1
            return "Object"  # a type variable: what it stands for is not known here
        if letter == "L":
            return self.named()
        return PRIMITIVES[letter]

    def named(self) -> str:
        start = self.at
        while self.text[self.at] not in "<;.":
            self.at += 1
        name = dotted(self.text[start : self.at].replace("/", "."))
        while self.text[self.at] != ";":
            if self.text[self.at] == "<":
                name += self.arguments()
            else:  # `.Inner` of a generic class
                start = self.at
                self.at += 1
                while self.text[self.at] not in "<;.":
                    self.at += 1
                name += self.text[start : self.at]
        self.at += 1
        return name

    def arguments(self) -> str:
        self.at += 1
        found = []
        while self.text[self.at] != ">":
            mark = self.text[self.at]
            if mark in "*+-":
                self.at += 1
                bound = {"+": "? extends ", "-": "? super "}.get(mark, "?")
                found.append(bound + (self.type() if mark != "*" else ""))
            else:
                found.append(self.type())
        self.at += 1
        return f"<{', '.join(found)}>"


def java_type(signature: str, generic: str = "") -> str:
    """Return the type that source code writes for a variable; a class without a name becomes Object."""
    try:
        name = _Reader(generic or signature).type()
    except (IndexError, KeyError, ValueError):
        name = _Reader(signature).type()
    return "Object" if "$" in name else name
