"""How values of the program are shown: a `__repr__` of the program is bounded, marked, and leaves no trace.

pydevd (debugpy 1.8.22) runs a `__repr__` as long as it takes, shows `object.__repr__` where one
raises, lets one print into the program's output, and runs every property of what is expanded.
"""

import inspect
import sys
import threading
import types
import weakref

import _dapwright_limits as limits

REQUEST_SECONDS = 2.0
"""How long the program's own code may take for all that one request shows."""
PAGE_ITEMS = 301
STRING_CHARACTERS = 100000
PLAIN = (types.GetSetDescriptorType, types.MemberDescriptorType, types.WrapperDescriptorType)
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, classmethod, staticmethod)
CALLED = PLAIN + FUNCTIONS + (types.ClassMethodDescriptorType, type)
MISSING = object()
_request = threading.local()
_slow = weakref.WeakSet()
"""Types whose `__repr__` did not end in time once: it is not run again unasked."""


class Unrun(str):
    """Stands for the value of a property that was not run."""

    def __repr__(self):
        return "<" + str(self) + ", not run: evaluate it to see its value>"


Unrun.__name__ = Unrun.__qualname__ = "property"


class _Kept:
    """Stands for a stream while a `__repr__` runs on one thread: what that one prints is kept apart."""

    def __init__(self, stream, ident, said):
        self._stream, self._ident, self._said = stream, ident, said

    def write(self, text):
        if threading.get_ident() == self._ident:
            self._said.append(text)
            return len(text)
        return self._stream.write(text)

    def flush(self):
        if threading.get_ident() != self._ident:
            self._stream.flush()

    def __getattr__(self, name):
        return getattr(self._stream, name)


class Request:
    """What one request of the client has used up."""

    def __init__(self, tracker):
        self.bound = limits.Bound(REQUEST_SECONDS, tracker)
        self.said = []
        """What was printed by the values that were shown."""

    def show(self, value, how=repr):
        """`repr(value)` within the time that is left. Raises DapwrightTimeLimit."""
        ident, out, err = threading.get_ident(), sys.stdout, sys.stderr
        sys.stdout, sys.stderr = _Kept(out, ident, self.said), _Kept(err, ident, self.said)
        try:
            return self.bound.run(how, value)
        finally:
            sys.stdout, sys.stderr = out, err


def of_program(value):
    """Whether showing it may run code of the program."""
    return type(getattr(type(value), "__repr__", None)) not in PLAIN


def name_of(value):
    """The name of a value's type, whatever its metaclass does."""
    try:
        return type.__getattribute__(type(value), "__name__")
    except Exception:
        return "object"


def show(value):
    """`repr(value)`, or what stands for it where that raises, is no text or takes too long."""
    if not of_program(value):
        return _show_plain(value)
    request = getattr(_request, "now", None)
    if request is None:
        return repr(value)
    where = "<%s object at %#x" % (name_of(value), id(value))
    if type(value) in _slow:
        return where + " (its __repr__ is slow: not run again)>"
    try:
        text = request.show(value)
    except limits.DapwrightTimeLimit:
        _slow.add(type(value))
        return where + " (its __repr__ did not end in time)>"
    except BaseException as failure:
        return where + " (its __repr__ raised %s)>" % _words(failure)
    return str.__str__(text)


def _show_plain(value):
    if isinstance(value, int):
        try:
            return repr(value)
        except ValueError:  # more digits than the interpreter prints
            return "<int of %d bits>" % value.bit_length()
    return repr(value)


def _words(failure):
    try:
        return "%s: %s" % (type(failure).__name__, str(failure)[:200])
    except BaseException:
        return name_of(failure)


def _repr_obj(self, obj, level, limit_inner, limit_outer):
    """SafeRepr's last resort: everything that is no string, number or plain container."""
    if self.raw_value:
        yield from _original["_repr_obj"](self, obj, level, limit_inner, limit_outer)
        return
    text = hex(obj) if self.convert_to_hex and isinstance(obj, self.int_types) else show(obj)
    yield _cut(text, limit_inner if level > 0 else limit_outer, level)


def _repr_str(self, obj, level):
    """A string or bytes: cut before it is copied, and the cut told with the whole length."""
    limit = self.maxother_inner if level > 0 else self.maxother_outer
    if self.raw_value or len(obj) <= limit:
        yield from _original["_repr_str"](self, obj, level)
        return
    left, right = max(1, 2 * limit // 3), max(1, limit // 3)
    yield repr(obj[:left])[:-1] + "..." + repr(obj[-right:]).lstrip("b")[1:]
    if level == 0:
        yield " (cut: %d %s in all)" % (len(obj), "bytes" if isinstance(obj, bytes) else "characters")


def _cut(text, limit, level):
    if len(text) <= limit:
        return text
    told = " (cut: %d characters in all)" % len(text) if level == 0 else ""
    return text[: 2 * limit // 3] + "..." + text[-(limit // 3) :] + told


def attribute(owner, name):
    """An attribute's value; a property stands unrun, unless its value is kept in the object already."""
    found = inspect.getattr_static(owner, name, MISSING)
    if found is MISSING:
        return Unrun("made by __getattr__")
    kind = type(found)
    if issubclass(kind, CALLED) or not hasattr(kind, "__get__"):
        return getattr(owner, name)
    return Unrun("property" if issubclass(kind, property) else kind.__name__)


def _get_py_dictionary(self, var, names=None, used___dict__=False):
    """All attributes of an object, by name; nothing of the program's is run for it."""
    if not names:
        names, used___dict__ = self.get_names(var)
    found = {}
    for name in names:
        text = name if name.__class__ is str else "%r" % (name,)
        try:
            found[text] = var.__dict__[name] if used___dict__ else attribute(var, name)
        except AttributeError:
            continue
        except Exception as failure:
            found[text] = Unrun("raised " + _words(failure))
    return found, used___dict__


def key_to_str(self, key, fmt=None):
    """A key of a mapping as its name."""
    if fmt is not None and fmt.get("hex", False):
        return _original["key_to_str"](self, key, fmt)
    return _cut(show(key) if not isinstance(key, str) else repr(key), STRING_CHARACTERS, 1)


_original = {}


def _replace(owner, name, new):
    _original[name] = getattr(owner, name)
    setattr(owner, name, new)


def count_requests():
    """Give every request of the client its own time; tell what the values that it showed have printed."""
    from _pydevd_bundle import pydevd_comm

    do_it = pydevd_comm.InternalThreadCommand.do_it

    def counted(self, dbg):
        if getattr(_request, "now", None) is not None:
            return do_it(self, dbg)
        _request.now = request = Request(dbg.timeout_tracker)
        try:
            return do_it(self, dbg)
        finally:
            _request.now = None
            if request.said:
                words = "(printed by a value while it was looked at) " + "".join(request.said)
                dbg.writer.add_command(dbg.cmd_factory.make_console_message(words))

    pydevd_comm.InternalThreadCommand.do_it = counted


def install():
    """Put it in place, once."""
    if _original:
        return
    from _pydevd_bundle import pydevd_constants, pydevd_resolver, pydevd_safe_repr

    limits.install()
    pydevd_constants.PYDEVD_CONTAINER_INITIAL_EXPANDED_ITEMS = PAGE_ITEMS
    pydevd_constants.PYDEVD_CONTAINER_RANDOM_ACCESS_MAX_ITEMS = PAGE_ITEMS
    pydevd_safe_repr.SafeRepr.maxother_outer = STRING_CHARACTERS
    _replace(pydevd_safe_repr.SafeRepr, "_repr_obj", _repr_obj)
    _replace(pydevd_safe_repr.SafeRepr, "_repr_str", _repr_str)
    _replace(pydevd_resolver.DictResolver, "key_to_str", key_to_str)
    _replace(pydevd_resolver.DefaultResolver, "_get_py_dictionary", _get_py_dictionary)
    count_requests()
