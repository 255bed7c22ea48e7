"""Java expressions as trees: a parser for all that the interpreter can run.

What Java knows and this does not (lambdas, statements, anonymous classes, switches) raises
`NeedsCompiler`: the real compiler takes it from there.
"""

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.expressions_tokens import Token, string_text, tokens, unescape
from dapwright.engines.jvm.expressions_tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Choice,
    ClassLiteral,
    Index,
    InstanceOf,
    Literal,
    Member,
    Name,
    NeedsCompiler,
    New,
    NewArray,
    Node,
    Step,
    Unary,
    names,
    number,
)
from dapwright.engines.jvm.packets import NULL, Value
from dapwright.engines.jvm.signatures import LETTERS

LEVELS = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7, "instanceof": 7,
    "<<": 8, ">>": 8, ">>>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip
ASSIGNS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", ">>>="}
STATEMENTS = {
    "if", "for", "while", "do", "switch", "try", "return", "throw", "var", "final", "synchronized", "yield", "assert",
}  # fmt: skip
PRIMITIVE = set(LETTERS) - {"void"}


def parse(text: str) -> Node:
    """Return the tree of a Java expression.

    Raises:
        UsageError: it is no expression.
        NeedsCompiler: it is, or may be, Java that only a compiler can take.
    """
    parser = _Parser(text)
    node = parser.expression()
    if parser.look().text == ";" and parser.look(1).kind == "end":
        return node
    if parser.look().text in ("->", "::", ";", "{"):
        raise NeedsCompiler
    if parser.look().kind == "word" and isinstance(node, (Name, Member, Index, Binary)):
        raise NeedsCompiler  # `String s = ...`
    if parser.look().kind != "end":
        parser.fail()
    return node


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens(text)
        self.at = 0
        if any(token.text in ("->", "::", "switch") for token in self.tokens if token.kind != "string"):
            raise NeedsCompiler
        if self.tokens[0].kind == "end":
            raise UsageError("there is nothing to evaluate", "give an expression")
        if self.tokens[0].text in STATEMENTS or self.tokens[0].text == "{":
            raise NeedsCompiler

    def look(self, ahead: int = 0) -> Token:
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def take(self) -> Token:
        token = self.look()
        self.at += 1
        return token

    def accept(self, *texts: str) -> bool:
        if self.look().kind in ("mark", "word") and self.look().text in texts:
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.accept(text):
            self.fail(text)

    def fail(self, wanted: str = "") -> "Node":
        token = self.look()
        what = "it ends too early" if token.kind == "end" else f"`{token.text}` at column {token.at + 1}"
        needed = f", where `{wanted}` was expected" if wanted else " was not expected" if token.kind != "end" else ""
        raise UsageError(f"`{self.text}` cannot be read as a Java expression: {what}{needed}")

    def expression(self) -> Node:
        left = self.choice()
        if self.look().kind == "mark" and self.look().text in ASSIGNS:
            operator = self.take().text[:-1]
            if not isinstance(left, (Name, Member, Index)):
                self.fail()
            return Assign(left, operator, self.expression())
        return left

    def choice(self) -> Node:
        test = self.binary(1)
        if not self.accept("?"):
            return test
        yes = self.expression()
        self.expect(":")
        return Choice(test, yes, self.choice())

    def binary(self, level: int) -> Node:
        left = self.unary()
        while LEVELS.get(self.look().text, 0) >= level and self.look().kind in ("mark", "word"):
            operator = self.take().text
            if operator == "instanceof":
                left = InstanceOf(left, self.type_name())
                if self.look().text == "(" or (self.look().kind == "word" and self.look().text not in LEVELS):
                    raise NeedsCompiler  # a pattern that binds names
                continue
            left = Binary(operator, left, self.binary(LEVELS[operator] + 1))
        return left

    def unary(self) -> Node:
        token = self.look()
        if token.kind == "mark" and token.text in ("++", "--"):
            return Step(self.take().text[0], self.unary(), True)
        if token.kind == "mark" and token.text in ("+", "-", "!", "~"):
            self.take()
            if token.text == "-" and self.look().kind == "number":
                return self.postfix(Literal(number("-" + self.take().text)))
            return Unary(token.text, self.unary())
        cast = self.cast()
        return cast or self.postfix(self.primary())

    def cast(self) -> Node | None:
        """A cast, if one stands here: `(int) x`, or a type's name before what cannot follow a value."""
        start = self.at
        if not self.accept("(") or self.look().kind != "word":
            self.at = start
            return None
        primitive = self.look().text in PRIMITIVE
        try:
            name = self.type_name()
            closed = self.accept(")")
        except UsageError:
            closed, name = False, ""
        after = self.look()
        follows = after.kind in ("number", "string", "char") or after.text in ("(", "!", "~")
        follows = follows or (after.kind == "word" and after.text != "instanceof")
        if closed and (follows or (primitive and after.text in ("-", "+"))):
            return Cast(name, self.unary())
        self.at = start
        return None

    def type_name(self) -> str:
        """A type, its type arguments left out."""
        if self.look().kind != "word":
            self.fail("a type")
        name = self.take().text
        while self.look().text == "." and self.look(1).kind == "word" and self.look(1).text != "class":
            self.take()
            name += "." + self.take().text
        if self.look().text == "<":
            self.type_arguments()
        while self.look().text == "[" and self.look(1).text == "]":
            self.at += 2
            name += "[]"
        return name

    def type_arguments(self) -> None:
        depth = 0
        while self.look().kind != "end":
            text = self.take().text
            depth += text.count("<") - text.count(">")
            if depth <= 0:
                return
            if text not in ("<", ">", ">>", ",", "?", ".", "[", "]", "&") and self.tokens[self.at - 1].kind != "word":
                self.fail()

    def primary(self) -> Node:
        token = self.take()
        match token.kind:
            case "number":
                return Literal(number(token.text))
            case "string":
                return Literal(string_text(token.text))
            case "char":
                return Literal(Value("C", ord(unescape(token.text[1:-1]))))
            case "word":
                return self.word(token.text)
        if token.text == "(":
            node = self.expression()
            self.expect(")")
            return node
        self.at -= 1
        return self.fail()

    def word(self, text: str) -> Node:
        if text in ("true", "false"):
            return Literal(Value("Z", text == "true"))
        if text == "null":
            return Literal(NULL)
        if text == "new":
            return self.creation()
        if text in PRIMITIVE:
            self.at -= 1
            name = self.type_name()
            if self.look().kind == "word":
                raise NeedsCompiler  # a local's declaration
            self.expect(".")
            self.expect("class")
            return ClassLiteral(name)
        if self.look().text == "(":
            return Call(None, text, self.arguments())
        return Name(text)

    def creation(self) -> Node:
        name = self.type_name()
        if self.look().text == "(":
            args = self.arguments()
            if self.look().text == "{":
                raise NeedsCompiler
            return New(name, args)
        if name.endswith("[]") and self.accept("{"):
            return NewArray(name, (), self.list_until("}"))
        sizes = []
        while self.accept("["):
            if self.accept("]"):
                name += "[]"
                continue
            sizes.append(self.expression())
            self.expect("]")
        if not sizes:
            self.fail("(")
        return NewArray(name + "[]" * len(sizes), tuple(sizes), None)

    def arguments(self) -> tuple[Node, ...]:
        self.expect("(")
        return self.list_until(")")

    def list_until(self, end: str) -> tuple[Node, ...]:
        found: list[Node] = []
        while not self.accept(end):
            if found:
                self.expect(",")
            found.append(self.expression())
        return tuple(found)

    def postfix(self, node: Node) -> Node:
        while self.look().kind == "mark":
            if self.accept("."):
                node = self.member(node)
            elif self.accept("["):
                node = Index(node, self.expression())
                self.expect("]")
            elif self.look().text in ("++", "--"):
                node = Step(self.take().text[0], node, False)
            else:
                break
        return node

    def member(self, node: Node) -> Node:
        if self.look().text == "<":
            raise NeedsCompiler
        token = self.take()
        if token.kind != "word":
            self.at -= 1
            self.fail("a name")
        if token.text == "new":
            raise NeedsCompiler
        if token.text == "class":
            return ClassLiteral(".".join(names(node) or ()))
        if self.look().text == "(":
            return Call(node, token.text, self.arguments())
        return Member(node, token.text)
