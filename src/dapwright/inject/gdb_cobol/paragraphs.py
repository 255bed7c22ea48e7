"""A function breakpoint's name is a paragraph, a section or a PROGRAM-ID."""

from gdb_dap import breakpoints

from .frames import cobol_files, functions_of
from .programs import Sources

_create = breakpoints.create


HEADS = ("Paragraph", "Section", "Entry")


def places(name):
    """The first statement of each paragraph of that name, (file, line), in every program of this one."""
    wanted = name.replace(".", ":").split(":")[-1].upper()
    found = []
    for path in _c_files():
        statements = Sources.of(path).statements
        for number, one in enumerate(statements):
            if one.kind in HEADS and one.name.upper() == wanted:
                found.append(_first(one, statements[number + 1 :]).place)
    return found


def _first(head, later):
    """What runs first below a head; a program's is in its first paragraph, and an empty one has but itself."""
    for one in later:
        if one.kind not in HEADS:
            return one
        if head.kind == "Paragraph" or one.kind == head.kind:
            return head
    return head


def _c_files():
    return sorted({function.symtab.fullname() for function in functions_of(cobol_files())})


def create(**place):
    """gdb's own, with a paragraph's place for its name."""
    known = places(place["function"]) if place.get("function") else []
    if known:
        del place["function"]
        place.update(source=known[0][0], line=known[0][1])
    return _create(**place)


breakpoints.create = create
breakpoints.breakpoints._set_one_breakpoint = create
