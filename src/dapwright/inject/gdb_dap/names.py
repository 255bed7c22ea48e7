"""Functions by the names that people write: gdb finds a bare name in C++, not in Rust, D or Zig."""

import re

import gdb

from . import deferred
from .wiring import startup

LIBRARIES = ("/rustc/", "library/std/", "library/core/", "library/alloc/", "/.rustup/", "/lib/zig/", "/usr/include/")

DEFAULTS = re.compile(
    r"^(std::(__\w+::)?(allocator|less|hash|equal_to|char_traits|default_delete)<|alloc::alloc::Global$"
    r"|std::hash::random::RandomState$|std::collections::hash::map::RandomState$)"
)
"""Template arguments that nobody writes."""
STRING = re.compile(r"\bstd::(__cxx11::|__1::)?basic_string<char>")


def short_type(text):
    """A type as people write it: without the arguments that are there by default."""
    if "<" not in text or len(text) > 20000:
        return text
    return STRING.sub("std::string", _without_defaults(text)).replace("alloc::string::String", "String")


def _without_defaults(text):
    """Drop default arguments at every depth, from the innermost outwards."""
    done, stack = [], []
    for character in text:
        if character == "<":
            stack.append(done)
            done = [""]
            stack.append(done)
        elif character == ">" and len(stack) >= 2:
            arguments = stack.pop()
            done = stack.pop()
            kept = [each.strip() for each in arguments]
            kept = kept[:1] + [each for each in kept[1:] if not DEFAULTS.match(each)]
            _append(done, "<" + ", ".join(kept) + ">")
        elif character == "," and stack:
            done.append("")
        else:
            _append(done, character)
    return "".join(done) if not stack else text


def _append(parts, text):
    if not parts:
        parts.append("")
    parts[-1] += text


def resolve(name):
    """What gdb takes for all functions that NAME ends, or NAME as it is; `Box.area` is C++'s `Box::area` too.

    gdb takes one name a breakpoint: where several end so and no one text means them all, it is refused with them.
    """
    rust = "rust" in gdb.execute("show language", to_string=True)
    spelled = list(dict.fromkeys((name, name.replace(".", "::"))))
    for text in spelled:
        if (text != "main" or not rust) and _all_mine(text):  # a Rust program's bare `main` is the C library's way in
            return text
    found = [each for text in spelled for each in _search(text)]
    if not found:  # the C library's own, perhaps
        deferred.ask()
        found = [each for text in spelled for each in _search(text)]
    mine = [full for full, file in found if full != "main" and not any(part in file for part in LIBRARIES)]
    names = sorted({_without_arguments(full) for full in mine})
    if len(names) > 1 and name != "main":
        raise startup.DAPException(
            "%d functions are named so: %s; name one of them" % (len(names), ", ".join(names[:10]))
        )
    return min(names or [full for full, _ in found] or [name], key=len)


def _all_mine(text):
    """Whether gdb knows functions by this text, and all of them are the program's own."""
    try:
        places = gdb.decode_line(text)[1] if re.match(r"[A-Za-z_]", text) else None
    except gdb.error:
        return False
    files = [place.symtab.fullname() for place in places or () if place.symtab is not None]
    return bool(files) and not any(part in file for file in files for part in LIBRARIES)


def _without_arguments(name):
    """A name without the template arguments at its end, so that it means every instance."""
    if not name.endswith(">") or "operator" in name:
        return name
    depth = 0
    for at in range(len(name) - 1, -1, -1):
        depth += (name[at] == ">") - (name[at] == "<")
        if depth == 0:
            return name[:at]
    return name


def _search(name):
    """(full name, file) of each function whose name ends so."""
    if not gdb.objfiles() or not re.match(r"[\w:.<>{}#]+$", name):
        return []
    wanted = re.compile(r"(^|::|\.|__)%s(<.*>)?$" % re.escape(name))
    pattern = re.sub(r"([.*\[\]^$\\])", r"\\\1", name)  # gdb's patterns are basic ones
    try:
        answer = gdb.execute_mi("-symbol-info-functions", "--name", pattern, "--max-results", "5000")
    except gdb.error:
        return []
    found = []
    for group in answer.get("symbols", {}).get("debug", ()):
        for symbol in group.get("symbols", ()):
            full = re.sub(r"\(.*$", "", symbol["name"])
            if wanted.search(full):
                found.append((full, group.get("filename", "")))
    return found
