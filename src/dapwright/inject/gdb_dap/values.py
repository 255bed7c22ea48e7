"""Values that can be read: previews of aggregates, null pointers without children, garbage that harms nobody."""

import itertools
import re

import gdb

from . import names
from .wiring import module

variables, scopes = module("varref"), module("scopes")
FrameDecorator = __import__("gdb.FrameDecorator", fromlist=["FrameDecorator"])

MANY = 5000
"""Children that are read of a container unasked: an uninitialised one claims billions."""
MOST = 1000000
"""How far a page of a container may lie."""
LENGTH = re.compile(r"(?:of length |with |size=)(\d+)")
"""A container's size in its printer's words (libstdc++, Rust): printers without `num_children` tell it nowhere else."""
READABLE = {"max_elements": 8, "max_characters": 200, "max_depth": 3, "repeat_threshold": 0}
TEXT = {"max_elements": 65536, "repeat_threshold": 0}
UNUSED = re.compile(r"(\\000)+\"")
"""The unused end of a character array, which is no text."""
LONGEST = 400
SMART = re.compile(r"std::(__\w+::)?(unique|shared)_ptr<(?!.*\[\])")
AGGREGATES = (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION)
REFERENCES = (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF)

gdb.set_parameter("max-value-size", 1 << 28)  # 64 KiB by default: an array of 100,000 numbers is more

_to_object = variables.VariableReference.to_object
_plain = variables.BaseReference.to_object


def preview(value, printer=None):
    """One line of text for a value; never raises."""
    try:
        if value.is_optimized_out:
            return "<optimized out>"
        if value.type.strip_typedefs().code in REFERENCES:
            return preview(value.referenced_value(), printer)
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY and _is_text(value.type):
            return UNUSED.sub('"', value.format_string(**TEXT))
        if printer is not None and getattr(printer, "display_hint", lambda: None)() == "string":
            return value.format_string(**TEXT)
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR and _is_text(value.type):
            return value.format_string(**TEXT)
        held = _held(value)
        pointee = _pointee(value) if held is None else _pointee(held, None)
        text = UNUSED.sub('"', value.format_string(**READABLE)) + pointee
        return text if len(text) <= LONGEST else text[:LONGEST] + "..."
    except Exception as error:
        return "<error: %s>" % error


def _held(value):
    """The pointer in a smart pointer, by its printer; None for any other value."""
    if not SMART.match(str(value.type.strip_typedefs().unqualified())):
        return None
    printer = gdb.default_visualizer(value)
    return dict(printer.children()).get("get()") if hasattr(printer, "children") else None


def _pointee(value, kinds=AGGREGATES):
    """What a pointer points to, as the type that it has when the program runs: it saves the reader a question."""
    type_ = value.type.strip_typedefs()
    if type_.code != gdb.TYPE_CODE_PTR or not int(value):
        return ""
    if kinds is not None and type_.target().strip_typedefs().code not in kinds:
        return ""
    try:
        true = value.dynamic_type
        named = "%s " % true.target().unqualified() if true != value.type else ""
        return " -> " + named + value.cast(true).dereference().format_string(**{**READABLE, "max_depth": 2})
    except gdb.error:
        return ""


def _is_text(type_):
    target = type_.strip_typedefs().target().strip_typedefs()
    return target.sizeof == 1 and target.code in (gdb.TYPE_CODE_INT, gdb.TYPE_CODE_CHAR)


def _is_null(value):
    type_ = value.type.strip_typedefs()
    return type_.code == gdb.TYPE_CODE_PTR and not value.is_optimized_out and int(value) == 0


def describe(self):
    """What `variables` and `evaluate` tell of a value."""
    try:
        result = _plain(self)
    except Exception:
        result = {"variablesReference": 0, **({"name": str(self._name)} if self._name is not None else {})}
    value = self._value
    if getattr(self, "expression", None):
        result["evaluateName"] = self.expression
    result[self._result_name] = preview(value, self._printer)
    try:
        result["type"] = names.short_type(str(value.type))
        if _is_null(value) or result[self._result_name].startswith("<error:"):
            result["variablesReference"] = 0
        if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR and not value.is_optimized_out:
            result["memoryReference"] = hex(int(value))
        elif value.address is not None:
            result["memoryReference"] = hex(int(value.address))
        if result.get("variablesReference") and (size := size_of(self)):
            result["indexedVariables"] = size
    except Exception:
        pass
    return result


def read_children(self):
    """The children, MANY at most, what could be read before an error included."""
    if self._child_cache is None:
        found = []
        try:
            self._rest = iter(self._printer.children())
            found.extend(itertools.islice(self._rest, MANY))
        except Exception as error:
            self._rest = iter(())
            found.append(("<error>", str(error)))
        self._child_cache = found
    return self._child_cache


def reach(self, end):
    """Read a container's children as far as a page asks for; its printer can only be read from the beginning."""
    if not isinstance(self, variables.VariableReference) or hasattr(self._printer, "child"):
        return
    found = self.cache_children()
    if end <= len(found) or len(found) < MANY:
        return
    try:
        found.extend(itertools.islice(self._rest, min(end, MOST) - len(found)))
    except Exception as error:
        self._rest = iter(())
        found.append(("<error>", str(error)))
    self.count = len(found)
    if self._children is not None:
        self._children.extend([None] * (len(found) - len(self._children)))


def size_of(self):
    """How many items a container has; None where nothing tells."""
    printer = self._printer
    if printer is None or getattr(printer, "display_hint", lambda: None)() != "array":
        return None
    if hasattr(printer, "num_children"):
        return printer.num_children()
    told = LENGTH.search(str(printer.to_string()))
    return int(told[1]) if told else None


variables.VariableReference.to_object = describe
variables.VariableReference.cache_children = read_children


def _is_expensive(original):
    def to_object(self):
        return {**original(self), "expensive": True}

    return to_object


scopes._RegisterReference.to_object = _is_expensive(scopes._ScopeReference.to_object)
module("globalvars")._Globals.to_object = _is_expensive(module("globalvars")._Globals.to_object)

_decorator = getattr(FrameDecorator, "DAPFrameDecorator", FrameDecorator.FrameDecorator)
_arguments, _locals = _decorator.frame_args, _decorator.frame_locals


def declared_locals(self):
    """Arguments and the locals that exist at this line: those declared further down hold garbage in C, C++, Rust.

    One scope for both, as other debuggers have it: who looks at the locals wants the arguments.
    """
    found, line = [*(_arguments(self) or ()), *(_locals(self) or ())], self.line()
    if line is None:
        return found
    return [each for each in found if not _is_later(each.symbol(), line)]


def _is_later(symbol, line):
    return isinstance(symbol, gdb.Symbol) and not symbol.is_argument and symbol.line > line


_decorator.frame_locals = declared_locals
_decorator.frame_args = lambda self: None


_fetch = variables.BaseReference.fetch_children


def fetch_children(self, start, count):
    """gdb's own, with the expression by which each child can be named."""
    if count:
        reach(self, start + count)
    for child in _fetch(self, start, count or min(self.child_count() or 0, MANY)):
        child.expression = expression_of(self, child)
        yield child


def expression_of(parent, child):
    """How a program's text would name a child; None where a printer made it up."""
    name = "" if child._name is None else str(child._name)  # the item of an array has a number
    if not isinstance(parent, variables.VariableReference):
        if isinstance(parent, scopes._RegisterReference):
            return "$" + name
        return name if name.isidentifier() else None
    own, printer = getattr(parent, "expression", None), type(parent._printer).__name__
    if own is None or not printer.startswith("NoOp"):
        return None
    if "Array" in printer:
        return "(%s)[%s]" % (own, name.strip("[]"))
    if "Struct" in printer and name.isidentifier():
        return "(%s).%s" % (own, name)
    return "*(%s)" % own if "Pointer" in printer else None


variables.BaseReference.fetch_children = fetch_children
