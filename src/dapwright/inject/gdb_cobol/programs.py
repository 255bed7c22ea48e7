"""What cobc leaves beside a program: its C file, which names each statement, and its storage."""

import os
import re
import subprocess
import tempfile

from . import items

COBOL = (".cob", ".cbl", ".cpy", ".cobol")
STATEMENT = re.compile(r"/\* Line: (\d+)\s+: (\S.*?)\s+: (.+?) \*/")
STORED = re.compile(r"\b(b_\d+)(?:\[\d+\])?[^;\n]*;\s*/\* (\S+?)(?: Record)? \*/")
FIELD = re.compile(r"cob_field (f_\d+)\s*=.*?/\* (\S+) \*/")
PASSED = re.compile(r"\*last_b_(\d+);")
"""Parameters, numbered in the order of the LINKAGE SECTION."""
ALIGNED = 16
"""LOCAL-STORAGE items lie one after the other, each at a multiple of this."""


class Statement:
    """One comment of cobc's: at a line of the C file begins a COBOL statement, paragraph or entry."""

    def __init__(self, c_line, kind, name, file, line):
        self.c_line, self.kind, self.name, self.file, self.line = c_line, kind, name, file, line

    @property
    def place(self):
        return self.file, self.line


class Sources:
    """The statements of one C file, in its order."""

    _known = {}

    def __init__(self, path):
        folder, self.statements, self.lines = os.path.dirname(path), [], []
        try:
            with open(path, errors="replace") as file:
                self.lines = file.read().splitlines()
        except OSError:
            pass
        for number, text in enumerate(self.lines, 1):
            found = STATEMENT.search(text)
            if found and int(found.group(1)):
                kind, _, name = found.group(2).partition(" ")
                file = os.path.join(folder, found.group(3))
                self.statements.append(Statement(number, kind, name.strip(), file, int(found.group(1))))

    @classmethod
    def of(cls, path):
        """Read once."""
        if path not in cls._known:
            cls._known[path] = cls(path)
        return cls._known[path]

    def at(self, c_line):
        """The statement that a line of C belongs to."""
        return next((one for one in reversed(self.statements) if one.c_line <= c_line), None)

    def paragraph(self, c_line):
        """The paragraph around a line of C, "" before the first."""
        for one in reversed(self.statements):
            if one.c_line <= c_line and one.kind in ("Paragraph", "Section", "Entry"):
                return one.name if one.kind == "Paragraph" else ""
        return ""


class Program:
    """The data items of one PROGRAM-ID, and where each is stored."""

    _known = {}

    def __init__(self, c_file, name):
        storage = _storage_text(c_file, name)
        self.roots = items.read(items.listing_of(_listing(c_file, storage), name))
        stored, fields = {}, {}
        for found in STORED.finditer(storage):
            stored.setdefault(found.group(2), found.group(1))
        for found in FIELD.finditer(storage):
            fields[found.group(2)] = found.group(1)
        linkage = [root.name for root in self.roots if root.section == "LINKAGE" and not root.redefines]
        passed = sorted(PASSED.findall(storage), key=int)
        parameters = dict(zip(linkage, passed)) if len(linkage) == len(passed) else {}  # noqa: B905  (older Pythons)
        local = 0
        for root in self.roots:
            root.storage = stored.get(root.name) or stored.get(root.redefines)
            if root.section == "LINKAGE" and not root.storage:
                name = fields.get(root.name, "")[2:] or parameters.get(root.name) or parameters.get(root.redefines)
                root.storage = "b_" + name if name else None
            if root.section == "LOCAL-STORAGE" and not root.redefines:
                root.storage = local
                local += (root.size + ALIGNED - 1) // ALIGNED * ALIGNED
        self.index = {}
        for root in self.roots:
            self._add(root)

    def _add(self, item):
        self.index.setdefault(item.name.upper(), []).append(item)
        for child in item.children:
            self._add(child)

    @classmethod
    def of(cls, c_file, name):
        """Read once."""
        if (c_file, name) not in cls._known:
            cls._known[c_file, name] = cls(c_file, name)
        return cls._known[c_file, name]


def _storage_text(c_file, name):
    """The generated header that declares a program's storage: one a PROGRAM-ID."""
    folder, base = os.path.split(c_file)
    for entry in sorted(os.listdir(folder or ".")):
        if entry.startswith(base + ".l") and entry.endswith(".h"):
            with open(os.path.join(folder, entry), errors="replace") as file:
                text = file.read()
            if re.search("Program local variables for '%s'" % re.escape(name), text, re.I):
                return text
    return ""


def _listing(c_file, storage):
    """The listing that our build left; else cobc is asked again, with the flags of the build."""
    kept = c_file[:-2] + ".lst"
    if os.path.isfile(kept):
        with open(kept, errors="replace") as file:
            return file.read()
    found = re.search(r"Compile command\s+cobc (.*?) \*/", storage)
    flags = [one for one in (found.group(1).split() if found else ()) if one.startswith(("-I", "-std", "-f", "-D"))]
    found = re.search(r"Generated from\s+(\S+)", storage)
    source = found.group(1) if found else os.path.basename(c_file)[:-2] + ".cob"
    with tempfile.TemporaryDirectory() as folder:
        made = os.path.join(folder, "listing")
        argv = ["cobc", "-fsyntax-only", *flags, "-T", made, "-ftsymbols", "--tlines=0", source]
        try:
            subprocess.run(argv, cwd=os.path.dirname(c_file) or ".", capture_output=True, timeout=30, check=False)
            with open(made, errors="replace") as file:
                return file.read()
        except (OSError, subprocess.SubprocessError):
            return ""
