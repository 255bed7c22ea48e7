"""A small template engine: `{{ value | filter }}`, `{% for x in xs %}`, `{% if x %}`."""

import functools
import re

# ----------------------------------------------------------------------
# Filters are registered by name. Each takes the value and answers text
# or another value; they are applied from left to right.
# ----------------------------------------------------------------------

FILTERS = {}


def filter_named(
    name,
    *,
    wants_text=False,
):
    """Register a filter; one that wants text is never given anything else."""

    def registered(function):

        @functools.wraps(function)
        def applied(value):
            if wants_text and not isinstance(value, str):
                value = str(value)
            return function(value)

        FILTERS[name] = applied
        return applied

    return registered


@filter_named("upper", wants_text=True)
def upper(value):
    """In capitals."""
    return value.upper()


@filter_named("length")
def length(value):
    """How many."""
    return len(value)


# The order of the three replacements matters to whoever reads the page
# afterwards: what stands for a character holds an ampersand itself.


@filter_named(
    "escape",
    wants_text=True,
)
def escape(value):
    """Make text safe inside of HTML."""
    value = value.replace("<", "&lt;")
    value = value.replace(">", "&gt;")
    value = value.replace("&", "&amp;")
    return value


@filter_named("joined")
def joined(value):
    """With commas between."""
    return ", ".join(map(str, value))


# ----------------------------------------------------------------------
# Tokens: ("text", ...), ("value", ...), ("tag", ...)
# ----------------------------------------------------------------------

TOKEN = re.compile(
    r"\{\{(?P<value>.*?)\}\}"
    r"|\{%(?P<tag>.*?)%\}",
    re.DOTALL,
)


def tokens(source):
    """Cut a template into text, values and tags."""
    at = 0
    for match in TOKEN.finditer(source):
        if match.start() > at:
            yield "text", source[at : match.start()]
        kind = match.lastgroup
        yield kind, match[kind].strip()
        at = match.end()
    if at < len(source):
        yield "text", source[at:]


# ----------------------------------------------------------------------
# Nodes
# ----------------------------------------------------------------------


class Text:
    """What stands for itself."""

    def __init__(self, text):
        self.text = text

    def render(self, scope):
        """The text, whatever the scope."""
        return self.text


class Value:
    """A dotted name and its filters."""

    def __init__(self, words):
        self.path, *self.filters = [word.strip() for word in words.split("|")]

    def render(self, scope):
        """Look it up, then filter it."""
        value = lookup(
            scope,
            self.path,
        )
        for name in self.filters:
            chosen = FILTERS[name]
            value = chosen(value)
        return str(value)


class For:
    """A body once for each item."""

    def __init__(self, name, path, body):
        self.name = name
        self.path = path
        self.body = body

    def render(self, scope):
        """Each item in a scope of its own."""
        parts = []
        for item in lookup(scope, self.path):
            inner = {
                **scope,
                self.name: item,
            }
            parts.extend(
                node.render(inner)
                for node in self.body
            )
        return "".join(parts)


class If:
    """A body where a name is true."""

    def __init__(self, path, body):
        self.path = path
        self.body = body

    def render(self, scope):
        """The body, or nothing."""
        if not lookup(scope, self.path):
            return ""
        return "".join(node.render(scope) for node in self.body)


def lookup(scope, path):
    """Follow a dotted name through mappings and attributes."""
    value = scope
    for step in path.split("."):
        if isinstance(value, dict):
            value = value[step]
        else:
            value = getattr(value, step)
    return value


# ----------------------------------------------------------------------
# Parsing: a stack of bodies, the innermost last
# ----------------------------------------------------------------------


def parse(source):
    """Nodes of a template."""
    root = []
    bodies = [root]
    for kind, text in tokens(source):
        if kind == "text":
            bodies[-1].append(Text(text))
        elif kind == "value":
            bodies[-1].append(Value(text))
        elif text.startswith("end"):
            bodies.pop()
        else:
            body = []
            node = opened(text, body)
            bodies[-1].append(node)
            bodies.append(body)
    return root


def opened(text, body):
    """The node that a tag opens."""
    word, *rest = text.split()
    if word == "for":
        name, _, path = rest
        return For(name, path, body)
    if word == "if":
        return If(rest[0], body)
    raise ValueError(f"no tag {word}")


def render(source, **scope):
    """Fill a template in."""
    nodes = parse(source)
    return "".join(node.render(scope) for node in nodes)


PAGE = """{% for row in rows %}{{ row.name | escape }}: {{ row.tags | joined | upper }}
{% endfor %}{% if empty %}nothing{% endif %}"""


if __name__ == "__main__":
    print(
        render(
            PAGE,
            rows=[
                {"name": "a <b> & c", "tags": ["x", "y"]},
                {"name": "plain", "tags": ["z"]},
            ],
            empty=False,
        )
    )
