"""`dapwright/trace`: every call of the functions in focus, with its arguments and what it returned.

Both ends are breakpoints of gdb's whose `stop` looks and never stands: behind a function's
prologue, and where its caller goes on (gdb's own finish, which knows how each type comes
back). Nothing of the program is called for it.
"""

from typing import Sequence

import gdb

from . import failures, forks
from .calls import Quiet
from .recording import Recorder
from .values import preview
from .wiring import advertise, execute, module, replace

breakpoints = module("breakpoint")

ATTRIBUTES = 12
LONGEST = 300
THROWS = ("__cxa_throw", "rust_panic", "__rustc::rust_panic")
CATCHES = ("__cxa_begin_catch",)
RECEIVERS = ("this", "self")
TEXTS = ("std::runtime_error", "std::logic_error")
"""Bases whose object holds its text behind the table of virtual functions (libstdc++)."""


class Tracing:
    """The one trace of a program."""

    now = None

    def __init__(self, functions, most, depth, only):
        self.recorder = Recorder(most, depth, only)
        self.planted = []
        execute("set backtrace past-main on")  # else nothing is known to call `main`
        with breakpoints.suppress_new_breakpoint_event():
            for function in functions:
                self.plant(Entry, function, source=function["file"], line=function["line"])
            for name in THROWS:
                self.plant(Throw, name, function=name)
            for name in CATCHES:
                self.plant(Catch, name, function=name)

    def plant(self, kind, about, **place):
        try:
            self.planted.append(kind(self, about, **place))
        except gdb.error:
            pass  # no code is there: nobody calls it

    def stop(self):
        """No more is wanted; deleted later, since a breakpoint must not go while gdb asks it."""
        planted, self.planted = self.planted, []
        finishes = [call.finish for stack in self.recorder.stacks.values() for call in stack]

        def remove():
            for each in [*planted, *filter(None, finishes)]:
                if each.is_valid():
                    each.delete()

        for each in planted:
            each.over = True
        gdb.post_event(remove)
        self.recorder.tell()


class Watching(gdb.Breakpoint):
    """A breakpoint that looks and goes on."""

    def __init__(self, tracing, about, **place):
        super().__init__(internal=True, **place)
        self.silent, self.over = True, False
        self.tracing, self.about = tracing, about

    def stop(self):
        if not self.over and not Quiet.depth:
            try:
                self.look(gdb.newest_frame(), gdb.selected_thread().ptid)
                if self.tracing.recorder.full():
                    self.tracing.stop()
            except (gdb.error, RuntimeError, ValueError):
                pass  # a frame that cannot be read is a call that is not told
        return False


class Entry(Watching):
    """Behind the prologue of a function in focus."""

    def look(self, frame, thread):
        symbol = frame.function()
        if frame.type() == gdb.INLINE_FRAME or symbol is None:
            return
        if not self.about["first"] <= symbol.line <= self.about["last"]:
            return  # gdb takes the next line with code where this one has none
        if "closure" in symbol.name.rpartition("::")[2]:
            return  # Rust puts one around each test, on the same line
        recorder = self.tracing.recorder
        call = recorder.begin(thread, symbol.symtab.filename + symbol.name, depth_of(frame))
        if call is None:
            return
        call.finish = self.finish(call, frame, thread)
        if call.shown:
            arguments, receiver = arguments_of(frame)
            if receiver and call.finish is not None:
                call.before, call.finish.receiver = attributes(receiver[1]), receiver[1]
            more = {"thread": thread_name(), "receiver": receiver[0] if receiver else "this"}
            recorder.began(thread, call, self.about, arguments, more)

    def finish(self, call, frame, thread):
        """Stop where it returns; None where nobody called it."""
        try:
            with breakpoints.suppress_new_breakpoint_event():
                return Finish(self.tracing, call, frame, thread, self.about["file"].endswith(".rs"))
        except (gdb.error, ValueError):
            return None


class Finish(gdb.FinishBreakpoint):
    """Where the caller of a function goes on."""

    def __init__(self, tracing, call, frame, thread, rust):
        super().__init__(frame, internal=True)
        self.silent = True
        self.tracing, self.call, self.on, self.receiver = tracing, call, thread, None
        self.rust = rust

    def stop(self):
        if Quiet.depth:
            return False
        value, changed = "", {}
        if self.call.shown:
            value = "void" if self.return_value is None else self.text(self.return_value)
            after = attributes(self.receiver) if self.receiver is not None else None
            changed = changes(self.call.before, after)
        self.tracing.recorder.end(self.on, self.call, value, changed)
        if self.tracing.recorder.full():
            self.tracing.stop()
        return False

    def text(self, value):
        """The value that came back, where gdb knows how.

        Rust returns two small parts of a value in two registers, C packs them into one; gdb 18 knows C's way alone.
        """
        code = value.type.strip_typedefs().code
        if self.rust and code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION) and 1 < value.type.sizeof <= 8:
            if _parts(value.type) > 1:
                return "<unknown: gdb does not know how Rust returns %s>" % failures.short_type(str(value.type))
        return short(value)


def _parts(type_):
    """How many scalars a type is made of; those of an enum's variants all count."""
    type_ = type_.strip_typedefs()
    if type_.code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
        return 1
    return sum(_parts(each.type) for each in type_.fields() if each.type is not None and each.type.sizeof)


class Throw(Watching):
    """What throws, before it does."""

    def look(self, frame, thread):
        recorder = self.tracing.recorder
        if recorder.stack(thread):
            recorder.unwind(thread, depth_of(frame))
            recorder.throw(thread, thrown(frame, self.about))


class Catch(Watching):
    """What a handler calls first: its caller is who catches."""

    def look(self, frame, thread):
        catcher = frame.older()
        if catcher is not None:
            self.tracing.recorder.catch(thread, depth_of(catcher))


def depth_of(frame):
    """How deep a frame lies: more than whatever called it."""
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    older = frame.older()
    return -int(older.read_register("sp")) if older is not None else -(1 << 64)


def arguments_of(frame):
    """The arguments as text by their names, and the receiver among them: (name, value)."""
    told, receiver = {}, None
    for symbol in frame.block():
        if symbol.is_argument:
            value = symbol.value(frame)
            told[symbol.name] = short(value)
            if symbol.name in RECEIVERS and receiver is None:
                receiver = (symbol.name, value)
    return told, receiver


def attributes(receiver):
    """The fields of the object that a method is called on, as text; None where it has none that can be read."""
    try:
        value = receiver
        if value.type.strip_typedefs().code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_REF):
            value = value.referenced_value()
        if value.type.strip_typedefs().code != gdb.TYPE_CODE_STRUCT:
            return None
        fields = [each for each in value.type.fields() if hasattr(each, "bitpos") and not each.is_base_class]
        named = [each for each in fields if each.name and not each.name.startswith("_vptr")]
        return {each.name: short(value[each]) for each in named[:ATTRIBUTES]}
    except (gdb.error, gdb.MemoryError):
        return None


def changes(before, after):
    if before is None or after is None:
        return {}
    return {name: [before.get(name), text] for name, text in after.items() if before.get(name) != text}


def short(value):
    if value.type.strip_typedefs().code == gdb.TYPE_CODE_REF:
        value = value.referenced_value()
    text = preview(value)
    return text if len(text) <= LONGEST else text[:LONGEST] + "..."


def thread_name():
    thread = gdb.selected_thread()
    return "%s %d" % (thread.name or "thread", thread.num)


def thrown(frame, about):
    """What is thrown, by its type, and its text where that can be read without a call."""
    if about != "__cxa_throw":
        return "panic: " + failures.of_filter("rust_panic")["description"]
    try:
        thing, info = [int(gdb.parse_and_eval(register)) for register in failures._registers(frame)]
        name = failures._type_name(info)
        text = _text(name, thing)
        return "%s: %s" % (failures.short_type(name), text) if text else failures.short_type(name)
    except (gdb.error, gdb.MemoryError, RuntimeError):
        return "<unknown>"


def _text(name, thing):
    if name in failures.STANDARD:
        return failures._message(name, thing)
    type_ = gdb.lookup_type(name)
    if any(failures._descends(type_, base) for base in TEXTS):
        return gdb.parse_and_eval("*(char **)(%d + sizeof(void *))" % thing).string()
    if failures._descends(type_, "std::exception"):
        return ""
    return gdb.Value(thing).cast(type_.pointer()).dereference().format_string(max_elements=64)


def _ended(event):
    others = [one for one in gdb.inferiors() if one.pid and one.num != event.inferior.num]
    if Tracing.now is not None and not others:  # a child's end is not the program's
        Tracing.now.recorder.finish()
        Tracing.now.recorder.tell()


@replace("dapwright/trace", expect_stopped=False)
def trace(*, functions: Sequence = (), most: int = 2000, depth: int = 0, only: int = 0, flush: bool = False, **args):
    """Tell the calls of these functions from now on."""
    if not flush:
        Tracing.now = Tracing(functions, most, depth, only)
    return {}


advertise("supportsDapwrightTrace")
gdb.events.exited.disconnect(forks.on_exit)  # calls are told before the end is
gdb.events.exited.connect(_ended)
gdb.events.exited.connect(forks.on_exit)
