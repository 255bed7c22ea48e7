"""Functions by the names that people write: gdb finds a bare name in C++, not in Rust, D or Zig."""

import re

import gdb

LIBRARIES = ("/rustc/", "library/std/", "library/core/", "library/alloc/", "/.rustup/", "/lib/zig/")


def resolve(name):
    """The full name of the one function that NAME ends, or NAME as it is."""
    try:
        gdb.decode_line("-function " + name)
        return name
    except gdb.error:
        pass
    found = _search(name)
    mine = [full for full, file in found if not any(part in file for part in LIBRARIES)]
    return min(mine or [full for full, _ in found] or [name], key=len)


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
