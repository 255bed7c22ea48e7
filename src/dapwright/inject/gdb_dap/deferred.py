"""The C library's own debug information, read once something asks for it.

Where a system has it installed (Debian's libc6-dbg), gdb reads it at every start of a program, for names that
most sessions never look at: 165 of the 265 ms from gdb's start to the first stop of a small C++ program (gdb 18.1).
Here it waits until a stack passes through that library, or an expression, a breakpoint or a command names what the
program alone does not know. From then on gdb is as it comes.

gdb looks into the folders of `debug-file-directory`; where they hold nothing it asks Python (`missing_debug`, gdb 15
and newer). So it is told no folder, and for every other file that asks it is told the true ones for that time.
"""

import os
import re

import gdb

from .wiring import module

try:
    from gdb.missing_debug import MissingDebugHandler, register_handler
except ImportError:  # an older gdb reads all there is
    MissingDebugHandler = object
    register_handler = None

LIBRARY = re.compile(r"(ld(-linux[\w-]*|64)?|lib(c|m|pthread|dl|rt|resolv|util|anl|thread_db|nss_\w+))(-2\.\d+)?\.so\b")
STRING = re.compile(r'"(?:\\.|[^"\\])*"')
NAME = re.compile(r"(?<![\w$.:])(?<!->)[A-Za-z_]\w*\b(?!\s*::)")
"""A name that an expression looks up by itself: no member, no register, nothing of a namespace."""
KEYWORDS = frozenset("alignof as bool class const enum false mut nullptr self sizeof struct this true union".split())
DEPTH = 40
"""How many frames of a stack that is asked whole are looked at."""


class Late:
    """The folders of debug files while the library's are left out; None before, after, and where none are."""

    folders = None


def begin():
    """Leave the C library's debug files out, if there are any; before a program is read."""
    folders = gdb.parameter("debug-file-directory")
    if register_handler is None or Late.folders is not None or not _hold_any(folders):
        return
    Late.folders = folders
    gdb.set_parameter("debug-file-directory", "")
    register_handler(None, _Others("dapwright"), replace=True)


def _hold_any(folders):
    return any(os.path.isdir(os.path.join(each, ".build-id")) for each in folders.split(os.pathsep))


class _Others(MissingDebugHandler):
    """Gives every file but the library's its debug information, as gdb alone would."""

    def __call__(self, objfile):
        if Late.folders is None:
            return None
        path = _debug_file(objfile)
        if path and LIBRARY.match(os.path.basename(objfile.filename or "")):
            objfile.left_out = path
            return False
        gdb.set_parameter("debug-file-directory", Late.folders)
        return True  # gdb looks again, by itself, until the file is read


def _debug_file(objfile):
    build = objfile.build_id
    if not build:
        return None
    places = [
        os.path.join(each, ".build-id", build[:2], build[2:] + ".debug") for each in Late.folders.split(os.pathsep)
    ]
    return next((each for each in places if os.path.isfile(each)), None)


def _on_read(event):
    """A file was read, with its debug file: the next may be the library's."""
    if Late.folders is not None and event.new_objfile.owner is None:
        gdb.set_parameter("debug-file-directory", "")


def ask():
    """Read what was left out, and leave out nothing more. The selected frame stays selected."""
    if Late.folders is None:
        return
    folders, Late.folders = Late.folders, None
    gdb.set_parameter("debug-file-directory", folders)
    frame = _selected()
    for space in gdb.progspaces():
        for objfile in space.objfiles():
            if path := objfile.__dict__.pop("left_out", None):
                objfile.add_separate_debug_file(path)
    if frame is not None and frame.is_valid():
        frame.select()


def _selected():
    try:
        return gdb.selected_frame()
    except gdb.error:
        return None


def need(text, address=None):
    """Ask if an expression names what is unknown without it, at the selected frame or at an address."""
    if Late.folders is None or not text:
        return
    block = _block(address)
    if not all(_is_known(name, block) for name in set(NAME.findall(STRING.sub("", text)))):
        ask()


def _block(address):
    try:
        return gdb.block_for_pc(address) if address is not None else gdb.selected_frame().block()
    except (gdb.error, RuntimeError):
        return None


def _is_known(name, block):
    if name in KEYWORDS:
        return True
    scope = (block,) if block is not None else ()
    try:
        for domain in (gdb.SYMBOL_VAR_DOMAIN, gdb.SYMBOL_STRUCT_DOMAIN):
            symbol, of_this = gdb.lookup_symbol(name, *scope, domain=domain)
            if symbol is not None or of_this:
                return True
        return gdb.lookup_type(name) is not None
    except gdb.error:
        return False


def _passes(frame, levels):
    """Whether a stack has a frame in the library among its innermost."""
    space = gdb.current_progspace()
    for _ in range(levels or DEPTH):
        if frame is None:
            return False
        if frame.function() is None and _is_left_out(space.objfile_for_address(frame.pc())):
            return True
        frame = frame.older()
    return False


def _is_left_out(objfile):
    return objfile is not None and hasattr(objfile, "left_out")


def need_stack(levels=0):
    """Ask if the selected thread's stack passes through the library."""
    try:
        if Late.folders is not None and _passes(gdb.newest_frame(), levels):
            ask()
    except gdb.error:
        pass  # no thread, or a stack that cannot be read: whoever asked for it is told


def _wrap():
    bt, disassembly = module("bt"), module("disassemble")
    backtrace, label = bt._backtrace, disassembly._BlockTracker.add_pc

    def looked(thread, levels, start, form):
        module("state").set_thread(thread)
        need_stack(start + levels if levels else 0)
        return backtrace(thread, levels, start, form)

    def labelled(self, pc, result):
        if Late.folders is not None and _is_left_out(gdb.current_progspace().objfile_for_address(pc)):
            ask()
        return label(self, pc, result)

    bt._backtrace = looked
    disassembly._BlockTracker.add_pc = labelled


_wrap()
gdb.events.new_objfile.connect(_on_read)
