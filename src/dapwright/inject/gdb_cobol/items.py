"""Data items as cobc lists them (`-T file -ftsymbols`): names, pictures, sizes, and where each lies in its record."""

import re

HEAD = "SIZE  TYPE"
ROW = re.compile(r"(\d{5}) (\w+)\s+(\d\d)\s+(\S+)\s*(.*)$")
SECTION = re.compile(r"\s+(\S+) SECTION\s*$")
PROGRAM = re.compile(r"(?m)^\s+PROGRAM\s+(\S+)\s*$")
UNSTORED = ("66", "78", "88")
"""Levels without storage of their own: renames, constants, condition names."""
PLAIN = re.compile(r"S?[9V]+")


class Item:
    """One data item; `offset` is from the beginning of its 01 level, for the first of each table."""

    def __init__(self, size, kind, level, name, rest):
        self.size, self.kind, self.level, self.name = size, kind, level, name.rstrip(",")
        self.section, self.storage, self.children, self.parent, self.offset = "", None, [], None, 0
        found = re.search(r"OCCURS (?:\d+ TO )?(\d+)", rest)
        self.occurs = int(found.group(1)) if found else 0
        found = re.search(r"REDEFINES (\S+)", rest)
        self.redefines = found.group(1) if found else ""
        words = re.sub(r",? *(OCCURS .*|REDEFINES .*)$", "", rest).split()
        self.picture = words[0] if words else ""
        self.usage = words[-1].upper() if len(words) > 1 else "DISPLAY" if words else kind
        full = re.sub(r"(.)\((\d+)\)", lambda m: m.group(1) * int(m.group(2)), self.picture.upper())
        self.numeric = kind == "NUMERIC" and (not full or bool(PLAIN.fullmatch(full)))
        self.signed = full.startswith("S")
        self.digits = full.count("9")
        self.scale = full.partition("V")[2].count("9")
        self.separate = self.usage == "DISPLAY" and self.signed and self.unit == self.digits + 1

    @property
    def unit(self):
        """Bytes of one occurrence: the listing counts a group with all of them, an elementary item once."""
        return self.size // self.occurs if self.children and self.occurs else self.size

    def chain(self):
        """From the 01 level down to this one."""
        return (self.parent.chain() if self.parent else []) + [self]

    def describe(self):
        """Its level and picture, as it was declared."""
        usage = self.usage if self.picture and self.usage != "DISPLAY" else ""
        words = [
            "%02d" % self.level,
            "GROUP" if self.children else ("PIC " + self.picture if self.picture else self.usage),
        ]
        return " ".join(words + ([usage] if usage else []) + (["OCCURS %d" % self.occurs] if self.occurs else []))


def listing_of(text, program):
    """The part of a listing that belongs to one PROGRAM-ID."""
    text = text[max(text.find(HEAD), 0) :]
    parts = PROGRAM.split(text)
    for name, body in zip(parts[1::2], parts[2::2]):  # noqa: B905  (older Pythons)
        if name.upper() == program.upper():
            return body
    return text


def read(text):
    """The 01 and 77 levels of a listing, with all below them."""
    section, roots, open_groups = "WORKING-STORAGE", [], []
    for line in text.splitlines():
        found = SECTION.match(line)
        if found:
            section = found.group(1)
            continue
        found = ROW.match(line)
        if not found or found.group(3) in UNSTORED:
            continue
        item = Item(int(found.group(1)), found.group(2), int(found.group(3)), found.group(4), found.group(5).strip())
        item.section = section
        _place(item, roots, open_groups)
    for root in roots:
        _lay_out(root, 0)
    return roots


def _place(item, roots, open_groups):
    while open_groups and open_groups[-1].level >= item.level:
        open_groups.pop()
    if item.level in (1, 77) or not open_groups:
        roots.append(item)
        open_groups[:] = [item]
    else:
        item.parent = open_groups[-1]
        item.parent.children.append(item)
        open_groups.append(item)


def _lay_out(item, at):
    item.offset = at
    known = {}
    for child in item.children:
        start = known.get(child.redefines, at)
        known[child.name] = start
        _lay_out(child, start)
        if start == at:
            at += child.unit * max(child.occurs, 1)
