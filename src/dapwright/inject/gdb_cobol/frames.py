"""The stack as COBOL has it: one frame a paragraph, with the PERFORMs that led there.

All paragraphs of a program are one C function, and PERFORM is a jump that keeps its way
back in `frame_stack`; the C compiler moves blocks about, so that addresses are in no
order: an address is mapped by the C line that it belongs to.
"""

import gdb
from gdb.FrameDecorator import FrameDecorator

from .programs import COBOL, Program, Sources


def function_of(address):
    """The C function around an address, None where there is none with debug information."""
    try:
        block = gdb.block_for_pc(address)
    except RuntimeError:
        return None
    while block is not None and block.function is None:
        block = block.superblock
    return block.function if block is not None else None


def sources_of(address):
    """The statements of the C file that an address is in."""
    function = function_of(address)
    return Sources.of(function.symtab.fullname()) if function is not None else None


def statement_at(address):
    """The statement that an address belongs to, None outside of COBOL."""
    known, place = sources_of(address), gdb.find_pc_line(address)
    if known is None or place.symtab is None or not known.statements:
        return None
    if not place.symtab.fullname().lower().endswith(COBOL):
        return known.at(place.line)
    here = (place.symtab.fullname(), place.line)
    return next((one for one in reversed(known.statements) if one.place == here), None)


def paragraph_at(address):
    """The paragraph that an address belongs to."""
    found = statement_at(address)
    return sources_of(address).paragraph(found.c_line) if found is not None else ""


def cobol_files():
    """The COBOL sources that this program was made of."""
    known = gdb.execute_mi("-file-list-exec-source-files")["files"]
    paths = {entry.get("fullname", "") for entry in known}
    return sorted(path for path in paths if path.lower().endswith(COBOL))


def functions_of(files):
    """The C functions that these sources became."""
    found = {}
    for path in files:
        for place in gdb.decode_line("'%s':1" % path)[1] or ():
            for row in place.symtab.linetable():
                function = function_of(row.pc)
                if function is not None and function.name.endswith("_") and not function.name.startswith("_"):
                    found[function.name] = function
    return list(found.values())


def is_cobol(frame):
    """Whether a frame of gdb's is a COBOL program."""
    name = frame.name() or ""
    return name.endswith("_") and not name.startswith("_") and statement_at(frame.pc()) is not None


def program_of(frame):
    """The data of a COBOL frame's program."""
    return Program.of(frame.function().symtab.fullname(), frame.name()[:-1])


def newest():
    """The innermost COBOL frame; None where there is none."""
    frame = gdb.newest_frame()
    while frame is not None and not is_cobol(frame):
        frame = frame.older()
    return frame


def returns(frame):
    """Where the PERFORMs that are active in a frame go back to, the innermost first."""
    frame.select()
    top = gdb.parse_and_eval("frame_ptr")
    depth = int(top - gdb.parse_and_eval("&frame_stack[0]"))
    return [int((top - back)["return_address_ptr"]) for back in range(depth)]


class CobolFrame(FrameDecorator):
    """A paragraph that runs, or that waits for one it PERFORMed."""

    def __init__(self, frame, address):
        super().__init__(frame)
        self._at, self.found = address, statement_at(address)

    def function(self):
        program = self.inferior_frame().name()[:-1]
        paragraph = paragraph_at(self._at)
        return "%s:%s" % (program, paragraph) if paragraph else program

    def filename(self):
        return self.found.file

    def line(self):
        return self.found.line

    def address(self):
        return self._at

    def frame_args(self):
        return None

    def frame_locals(self):
        return None


def expand(decorated):
    """A frame of C as the frames of COBOL that it is; what only carries COBOL is left out."""
    frame = decorated.inferior_frame()
    if is_cobol(frame):
        yield CobolFrame(decorated, frame.pc())
        for address in returns(frame):
            if statement_at(address) is not None:
                yield CobolFrame(decorated, address)
        return
    newer = frame.newer()
    if not (newer is not None and is_cobol(newer)) and not (frame.name() == "main" and frame.older() is None):
        yield decorated


class CobolFilter:
    """gdb's way to change what a stack looks like."""

    name, enabled, priority = "cobol", True, 1000

    def filter(self, frames):
        for decorated in frames:
            try:
                yield from list(expand(decorated))
            except gdb.error:
                yield decorated


gdb.frame_filters["cobol"] = CobolFilter()
