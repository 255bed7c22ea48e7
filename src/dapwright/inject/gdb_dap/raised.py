"""What a runtime raises, read from the arguments of the function that raises it: (type, message).

The runtimes come without debug information of their own, so their records are read by their layout
on 64-bit machines: GNAT 12 (`Exception_Occurrence`), druntime 2.100 (`Throwable`), Free Pascal 3.2
(an object's VMT), GNU Objective-C (`struct objc_class`), libgfortran 5 (its C arguments).
"""

import re

import gdb

WORD = 8
LONGEST = 400
NUMBERS = ("rdx", "rcx", "r8", "r9")


def _register(name):
    return int(gdb.newest_frame().read_register(name)) & (2**64 - 1)


def _argument(number):
    """An argument of the function just entered, by the platform's calling convention."""
    if gdb.newest_frame().architecture().name().startswith("aarch64"):
        return _register("x%d" % number)
    return _register(("rdi", "rsi", *NUMBERS)[number])


def _number(address, size=WORD):
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, size)), "little")


def _text(address, length):
    if not address or length <= 0:
        return ""
    return bytes(gdb.selected_inferior().read_memory(address, min(length, LONGEST))).decode("utf-8", "replace")


def _c_text(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string(errors="replace") if address else ""


def ada_unhandled():
    """`__gnat_notify_unhandled_exception (Exception_Occurrence_Access)`."""
    occurrence = _argument(0)
    identity = _number(occurrence)
    name = _text(_number(identity + WORD), _number(identity + 4, 4) - 1)
    return name, _text(occurrence + 2 * WORD + 4, _number(occurrence + 2 * WORD, 4))


def ada_raise():
    """`__gnat_debug_raise_exception (Exception_Data_Ptr, Message : String)`: a text and its bounds."""
    identity = _argument(0)
    name = _text(_number(identity + WORD), _number(identity + 4, 4) - 1)
    bounds = _argument(2)
    return name, _text(_argument(1), _number(bounds + 4, 4) - _number(bounds, 4) + 1)


def d_throw():
    """`_d_throw (Object)`: the class's name, and the message that `Throwable` holds first."""
    thrown = _argument(0)
    info = _number(_number(thrown))
    name = _text(_number(info + 5 * WORD), _number(info + 4 * WORD))
    return name.rpartition(".")[2], _text(_number(thrown + 3 * WORD), _number(thrown + 2 * WORD))


def pascal_raise():
    """`fpc_raiseexception (object, address, frame)`: the VMT's short string, and `Exception.Message`."""
    thing = _argument(0)
    name = _number(_number(thing) + 3 * WORD)
    return _text(name + 1, _number(name, 1)), _c_text(_number(thing + WORD))


def objc_throw():
    """`objc_exception_throw (id)`: the name of its class."""
    return _c_text(_number(_number(_argument(0)) + 2 * WORD)), ""


def fortran_error():
    """The text that libgfortran is about to print, its numbers filled in."""
    name = gdb.newest_frame().name() or ""
    if "error_stop" in name:
        return "ERROR STOP", _text(_argument(0), _argument(1))
    first = 1 if name.endswith("_at") else 0
    numbers = iter(range(first + 1, 6))
    pattern = _c_text(_argument(first))
    return "run-time error", re.sub(r"%l?[di]", lambda found: _filled(found, numbers), pattern)


def _filled(found, numbers):
    number = next(numbers, None)
    if number is None:
        return found.group(0)
    value = _argument(number)
    return str(value - 2**64 if value >> 63 else value)


READERS = {each.__name__: each for each in (ada_unhandled, ada_raise, d_throw, pascal_raise, objc_throw, fortran_error)}


def read(name):
    """(type, message) of what is raised; "" for what cannot be read."""
    try:
        gdb.newest_frame().select()
        return READERS[name]() if name in READERS else ("", "")
    except (gdb.error, ValueError, OverflowError, StopIteration):
        return "", ""


def is_internal(name):
    """Whether a runtime throws to itself (druntime does while it prints a backtrace): nobody's failure."""
    older = gdb.newest_frame().older()
    return name == "d_throw" and older is not None and older.find_sal().symtab is None
