"""A small reader of `key = value` settings with sections."""

COMMENT = "#"


def strip_comment(line):
    """Cut what trails a line as comment; a # in quotes is text."""
    quoted = False
    for index, char in enumerate(line):
        if char == '"':
            quoted = True
        elif char == COMMENT and not quoted:
            return line[:index]
    return line


def unquote(text):
    """Take the quotes off."""
    bare = text.strip()
    if len(bare) > 1 and bare[0] == bare[-1] == '"':
        return bare[1:-1]
    return bare


def parse(text):
    """Read settings into a mapping of sections."""
    sections = {"": {}}
    current = sections[""]
    for raw in text.split("\n"):
        line = strip_comment(raw).strip()
        if not line:
            continue
        if line.startswith("[") and line.endswith("]"):
            current = sections.setdefault(line[1:-1], {})
            continue
        key, _, value = line.partition("=")
        current[key.strip()] = unquote(value)
    return sections


if __name__ == "__main__":
    print(parse('name = "a # b" # a comment\n[more]\nsize = 3 # three'))
