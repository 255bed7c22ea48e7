"""How code inside a debugged Python program shows values, and tells dapwright of them.

Over a socket of dapwright's own: what the program prints never passes through it.
Standard library only, Python 3.8 and later.

Rule: nothing here may raise into the program, print, or wait for anything but the socket.
"""

import _socket
import _thread
import json
import os
import sys
import time
from reprlib import Repr

VALUE = 1024
"""Characters of a captured value."""
REPR_SECONDS = 1.0
"""How long a `__repr__` of the program may take for one value; its type is not asked again afterwards."""
QUICK_SECONDS, QUICK_TIMES = 0.001, 10
"""A type whose `__repr__` was so quick so often is not watched any more: watching costs some 0.3 ms a value."""
COMPREHENSIONS = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
_slow, _quick = {}, {}
"""By the identity of a type, whose hash may be code of the program: the slow ones, and how often one was quick."""


def _bounded(value):
    """`repr(value)`; interrupted where it takes too long and python_limits.py is there, else not run a second time."""
    kind = type(value)
    where = "<%s object at %#x" % (kind.__name__, id(value))
    if id(kind) in _slow:
        return where + " (its __repr__ is slow: not run again)>"
    limits, constants = sys.modules.get("_dapwright_limits"), sys.modules.get("_pydevd_bundle.pydevd_constants")
    debugger = constants.get_global_debugger() if limits and constants else None
    began = time.monotonic()
    if debugger is None or _quick.get(id(kind), (0, kind))[0] >= QUICK_TIMES:
        text = repr(value)
    else:
        try:
            text = limits.Bound(REPR_SECONDS, debugger.timeout_tracker).run(repr, value)
        except limits.DapwrightTimeLimit:
            _slow[id(kind)] = kind
            return where + " (its __repr__ did not end in time)>"
    took = time.monotonic() - began
    if took > REPR_SECONDS:
        _slow[id(kind)] = kind
    elif _quick.get(id(kind), (0, kind))[0] < QUICK_TIMES:
        times = _quick.get(id(kind), (0, kind))[0]
        _quick[id(kind)] = (times + 1 if took < QUICK_SECONDS else 0, kind)
    return text


def repeats(frame, codes):
    """Whether a frame only repeats its line: a comprehension's, at the line at which its function stands.

    Not where one of `codes` asks for what is the comprehension's own. (Inlined since Python 3.12, but for
    generator expressions.)
    """
    code, outer = frame.f_code, frame.f_back
    if code.co_name not in COMPREHENSIONS or outer is None or outer.f_lineno != frame.f_lineno:
        return False
    return outer.f_code.co_filename == code.co_filename and not any(
        name in code.co_varnames for one in codes for name in one.co_names
    )


class _Short(Repr):
    """A repr whose work is bounded: by depth, by length, by the object's own good behaviour."""

    def __init__(self):
        Repr.__init__(self)
        self.maxlevel = 5
        self.maxlist = self.maxtuple = self.maxset = self.maxfrozenset = self.maxdeque = self.maxarray = 50
        self.maxdict = 50
        self.maxstring = self.maxlong = VALUE
        self.maxother = VALUE

    def repr_instance(self, x, level):
        try:
            text = _bounded(x)
        except Exception as failed:
            return "<%s object, its repr raised %s>" % (type(x).__name__, type(failed).__name__)
        return text if len(text) <= VALUE else text[:VALUE] + "..."

    def repr_str(self, x, level):
        text = repr(x[: self.maxstring])
        return text if len(x) <= self.maxstring else text + "..."

    def repr_dict(self, x, level):
        """In the program's own order, as `repr` would: reprlib sorts the keys."""
        if level <= 0:
            return "{...}"
        parts = []
        for key in list(x)[: self.maxdict]:
            parts.append("%s: %s" % (self.repr1(key, level - 1), self.repr1(x[key], level - 1)))
        if len(x) > self.maxdict:
            parts.append("...")
        return "{%s}" % ", ".join(parts)


_short = _Short()
_plain = frozenset([int, float, bool, type(None), complex])


def shown(value):
    """A value as text, at most about `VALUE` characters, whatever the object does."""
    try:
        if type(value) in _plain:
            text = repr(value)
        elif type(value) is str and len(value) <= VALUE:
            text = repr(value)
        else:
            text = _short.repr(value)
    except Exception as failed:
        return "<%s object, its repr raised %s>" % (type(value).__name__, type(failed).__name__)
    return text if len(text) <= VALUE + 8 else text[:VALUE] + "..."


def error_text(failed):
    """An exception in the words of its last traceback line."""
    try:
        said = str(failed)
    except Exception:
        said = ""
    return type(failed).__name__ + (": " + said if said else "")


class Channel:
    """The way to dapwright: a line of JSON a message, written before the program goes on."""

    def __init__(self):
        self.lock = _thread.allocate_lock()
        self.pid = 0
        self.socket = None
        self.address = None
        self.broken = False

    def send(self, address, message):
        """Write one message. `address` is `[port, nonce]`."""
        line = (json.dumps(message, ensure_ascii=True) + "\n").encode("ascii")
        with self.lock:
            if self.pid != os.getpid() or self.address != address:
                self._open(address)
            if self.socket is not None:
                try:
                    self.socket.sendall(line)
                    return
                except OSError:
                    self.socket = None
        self._by_debugger(address, message)

    def _open(self, address):
        """Connect; anew in a forked child, whose copy of the parent's socket is left alone."""
        self.pid, self.address, self.socket = os.getpid(), address, None
        try:
            made = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
            made.settimeout(5)
            made.connect(("127.0.0.1", address[0]))
            made.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
            hello = {"nonce": address[1], "pid": self.pid}
            made.sendall((json.dumps(hello) + "\n").encode("ascii"))
            if made.recv(3) == b"ok\n":  # on another host somebody else may listen there
                made.settimeout(None)
                self.socket = made
        except OSError:
            self.socket = None

    def _by_debugger(self, address, message):
        """Through the debugger's own connection, where no socket leads to dapwright (another host)."""
        try:
            from _pydevd_bundle._debug_adapter.pydevd_schema import OutputEvent, OutputEventBody
            from _pydevd_bundle.pydevd_comm_constants import CMD_WRITE_TO_CONSOLE
            from _pydevd_bundle.pydevd_constants import get_global_debugger
            from _pydevd_bundle.pydevd_net_command import NetCommand

            data = {"nonce": address[1], "pid": os.getpid(), "message": message}
            event = OutputEvent(OutputEventBody("", "dapwright", data=data))
            get_global_debugger().writer.add_command(NetCommand(CMD_WRITE_TO_CONSOLE, 0, event, is_json=True))
        except Exception:
            self.broken = True


CHANNEL = Channel()


def add(name, text, path):
    """Run code of ours as the module `name`; under such a file name pydevd never traces it."""
    module = type(sys)(name)
    module.__file__ = path
    sys.modules[name] = module
    exec(compile(text, "<builtin %s>" % name, "exec"), module.__dict__)
    return module


def bring(names, path, source=None):
    """Make this file's globals a module and load the probes' code beside it, once a process; return that."""
    if "_dapwright_probe" not in sys.modules:
        module = type(sys)("_dapwright_channel")
        module.__dict__.update(names)
        sys.modules["_dapwright_channel"] = module
        if source is None:
            with open(path, encoding="utf-8") as file:
                source = file.read()
        add("_dapwright_probe", source, path).end_with_process()
    return sys.modules["_dapwright_probe"]
