"""Probes inside a debugged Python program: conditions, counts, messages, captures, assignments.

debugpy evaluates a breakpoint's condition in the program; ours calls `hit` here, which
decides whether to stop, and tells what it saw over a socket of dapwright's own: what the
program prints never passes through it. Standard library only, Python 3.8 and later.

Rule: nothing here may raise into the program, print, or wait for anything but the socket.
"""

import _socket
import _thread
import json
import os
import sys
import time
from reprlib import Repr

NAME = "_dapwright_probe"
VALUE = 1024
"""Characters of a captured value."""
STATS_SECONDS = 0.1
SAMPLES = 3
NESTED = type((lambda: 0).__code__)

_now = time.monotonic


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
            text = repr(x)
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
        self.broken = False

    def send(self, address, message):
        """Write one message. `address` is `[port, nonce]`."""
        line = (json.dumps(message, ensure_ascii=True) + "\n").encode("ascii")
        with self.lock:
            if self.pid != os.getpid():
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
        self.pid, self.socket = os.getpid(), None
        try:
            made = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
            made.settimeout(5)
            made.connect(("127.0.0.1", address[0]))
            made.settimeout(None)
            made.setsockopt(_socket.IPPROTO_TCP, _socket.TCP_NODELAY, 1)
            hello = {"nonce": address[1], "pid": self.pid}
            made.sendall((json.dumps(hello) + "\n").encode("ascii"))
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


def _compiled(text, mode="eval"):
    """(code, whether it holds nested scopes) or the exception that says why not."""
    try:
        code = compile(text, "<probe>", mode)
    except Exception as wrong:
        return wrong, False
    return code, any(isinstance(part, NESTED) for part in code.co_consts)


def _value(pair, g, l):
    """Evaluate; a nested scope (a comprehension, a lambda) sees the locals only among the globals."""
    code, nested = pair
    if isinstance(code, Exception):
        raise code
    if nested:
        both = dict(g)
        both.update(l)
        return eval(code, both)
    return eval(code, g, l)


HOLDS = {
    "==": lambda n, count: n == count,
    ">": lambda n, count: n > count,
    ">=": lambda n, count: n >= count,
    "<": lambda n, count: n < count,
    "<=": lambda n, count: n <= count,
    "%": lambda n, count: n % count == 0,
}


class Probe:
    """One breakpoint as dapwright wants it judged, and what became of it in this process."""

    def __init__(self, spec, address):
        self.id = spec["id"]
        self.address = address
        self.condition = _compiled(spec["condition"]) if spec.get("condition") else None
        self.names = _names(self.condition[0]) if self.condition else ()
        self.hit_condition = spec.get("hits")
        self.log = [(text, _compiled(text) if code else None) for text, code in spec.get("log", ())]
        self.capture = [(text, _compiled(text)) for text in spec.get("capture", ())]
        self.set = [(name, _compiled(text)) for name, text in spec.get("set", ())]
        self.most = spec.get("most", 0)
        self.stops = spec.get("stops", False)
        self.rows = spec.get("rows", False)
        self.reached = self.hits = self.false = self.logged = 0
        self.samples = []
        self.told = set()
        self.last = 0.0

    def tell(self, kind, **more):
        more["k"], more["id"] = kind, self.id
        CHANNEL.send(self.address, more)

    def stats(self):
        """What the counters say now."""
        self.last = _now()
        self.tell("stats", reached=self.reached, hits=self.hits, false=self.false, samples=self.samples)

    def fail(self, about, failed):
        """Tell a failure of ours once in each form."""
        text = error_text(failed)
        if (about, text) not in self.told and len(self.told) < 20:
            self.told.add((about, text))
            self.tell("failed", about=about, error=text)

    def reach(self, frame, g, l):
        """The program is at this probe: say whether it should stop."""
        self.reached += 1
        if self.condition is not None and not self._true(g, l):
            return False
        self.hits += 1
        if self.hit_condition and not HOLDS[self.hit_condition[0]](self.hits, self.hit_condition[1]):
            return False
        if self.most and self.hits > self.most:
            if _now() - self.last > STATS_SECONDS:
                self.stats()
            return False
        if self.log:
            self.logged += 1
            self.tell("log", logged=self.logged, text="".join(self._part(text, code, g, l) for text, code in self.log))
        values = {text: self._captured(code, g, l) for text, code in self.capture}
        if self.set:
            values.update(self._assign(frame, g, l))
        if self.rows:
            self._row(frame, values)
        return self.stops

    def _true(self, g, l):
        try:
            if _value(self.condition, g, l):
                return True
        except Exception as failed:
            self.fail("condition", failed)
        self.false += 1
        if len(self.samples) < SAMPLES:
            self.samples.append({name: shown(l[name]) for name in self.names if name in l})
        if self.false & (self.false - 1) == 0 or _now() - self.last > STATS_SECONDS:
            self.stats()
        return False

    def _part(self, text, code, g, l):
        if code is None:
            return text
        try:
            return str(_value(code, g, l))[:8192]
        except Exception as failed:
            return "{" + error_text(failed) + "}"

    def _captured(self, code, g, l):
        try:
            return shown(_value(code, g, l))
        except Exception as failed:
            return "<error: %s>" % error_text(failed)

    def _row(self, frame, values):
        code = frame.f_code
        self.tell(
            "row",
            hit=self.hits,
            values=values,
            file=code.co_filename,
            line=frame.f_lineno,
            function=getattr(code, "co_qualname", code.co_name),
            thread=_thread.get_ident(),
        )

    def _assign(self, frame, g, l):
        """Give names of the frame, or what they hold, new values; what they are now."""
        now = {}
        for name, code in self.set:
            try:
                assign(frame, g, l, name, _value(code, g, l))
                now[name] = shown(_value(_compiled(name), g, frame.f_locals))
            except Exception as failed:
                now[name] = "<error: %s>" % error_text(failed)
        return now


def _names(code):
    return tuple(code.co_names)[:6] if isinstance(code, NESTED) else ()


def assign(frame, g, l, name, value):
    """Assign in a running frame: a local or global name, or a target such as `self.rate` and `rows[0]`."""
    code = frame.f_code
    if not name.isidentifier():
        scope = dict(g)
        scope.update(l)
        scope["__dapwright_value"] = value
        exec(compile(name + " = __dapwright_value", "<probe>", "exec"), scope)
        return
    known = code.co_varnames + code.co_cellvars + code.co_freevars
    if name not in known:
        (g if frame.f_locals is g or name not in frame.f_locals else frame.f_locals)[name] = value
        return
    frame.f_locals[name] = value
    if sys.version_info < (3, 13):  # from 3.13 on `f_locals` writes through (PEP 667)
        import ctypes

        ctypes.pythonapi.PyFrame_LocalsToFast(ctypes.py_object(frame), ctypes.c_int(0))


PROBES = {}
"""Probes by the text that describes them, so that the same text goes on counting."""


def _made(text):
    described = json.loads(text)
    address = described["to"]
    PROBES[text] = made = [_of(spec, address) for spec in described["probes"]]
    return made


ONE = {}


def _of(spec, address):
    key = json.dumps(spec, sort_keys=True)
    if key not in ONE:
        ONE[key] = Probe(spec, address)
    return ONE[key]


def hit(text):
    """The condition of a breakpoint: `text` describes the probes of its line. True stops the program."""
    try:
        probes = PROBES.get(text) or _made(text)
        here = sys._getframe(1)
        g, l = here.f_globals, here.f_locals
        frame = here.f_back
        while frame is not None and frame.f_globals is not g:
            frame = frame.f_back
        stopping = [probe.id for probe in probes if probe.reach(frame or here, g, l)]
        if stopping:
            CHANNEL.send(probes[0].address, {"k": "stop", "ids": stopping, "line": frame.f_lineno if frame else 0})
        return bool(stopping)
    except Exception:
        return False


def finish():
    """Tell the last counts: the process ends."""
    for probe in list(ONE.values()):
        try:
            if probe.reached:
                probe.stats()
        except Exception:
            pass


def _at_exit():
    import atexit

    atexit.register(finish)
    leave = os._exit

    def _exit(status):
        finish()
        leave(status)

    os._exit = _exit  # a multiprocessing worker ends by it, past every atexit


def register(names):
    """Make these globals the module `_dapwright_probe`, once a process."""
    if NAME not in sys.modules:
        module = type(sys)(NAME)
        module.__dict__.update(names)
        sys.modules[NAME] = module
        _at_exit()
    return sys.modules[NAME]
