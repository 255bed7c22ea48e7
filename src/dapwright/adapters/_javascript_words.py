"""What can be said of JavaScript text without an engine."""

from dapwright.core.errors import UsageError
from dapwright.core.source.grammars import parse
from dapwright.core.source.text import of_text


def check_condition(condition: str) -> None:
    """Refuse a condition that JavaScript cannot read; TypeScript's own words are refused too, since V8 runs it.

    Raises:
        UsageError: it is no expression.
    """
    text = condition.strip()
    tree = parse(of_text("condition.js", f"({text}\n)", "javascript"))
    if tree is not None and tree.root_node.has_error:
        raise UsageError(f"the condition `{text}` cannot be parsed", "pass a JavaScript expression, not a statement")
