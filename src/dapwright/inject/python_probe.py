"""Probes inside a debugged Python program: conditions, counts, messages, captures, assignments.

debugpy evaluates a breakpoint's condition in the program; ours calls `hit` here, which
decides whether to stop, and tells what it saw over a socket of dapwright's own: what the
program prints never passes through it. Standard library only, Python 3.8 and later.

Rule: nothing here may raise into the program, print, or wait for anything but the socket.
"""

import _thread
import json
import os
import sys
import time
from operator import eq, ge, gt, le, lt

from _dapwright_channel import CHANNEL, error_text, repeats, shown

STATS_SECONDS, SAMPLES = 0.1, 3
NESTED = type((lambda: 0).__code__)

_now = time.monotonic


def _compiled(text, mode="eval"):
    """(code, whether it holds nested scopes) or the exception that says why not."""
    try:
        code = compile(text, "<probe>", mode)
    except Exception as wrong:
        return wrong, False
    return code, any(isinstance(part, NESTED) for part in code.co_consts)


def _interpolated(text):
    """`_compiled` for a message's braces, where a conversion and a format may follow: `n!r`, `n:>4`, `n=`."""
    plain = _compiled(text)
    if not isinstance(plain[0], Exception):
        return plain
    quote = next((mark for mark in ('"', "'", '"""', "'''") if mark not in text), None)
    return _compiled("f" + quote + "{" + text + "}" + quote) if quote and "\\" not in text else plain


def _value(pair, top, local):
    """Evaluate; a nested scope (a comprehension, a lambda) sees the locals only among the globals."""
    code, nested = pair
    if isinstance(code, Exception):
        raise code
    if nested:
        both = dict(top)
        both.update(local)
        return eval(code, both)
    return eval(code, top, local)


HOLDS = {"==": eq, ">": gt, ">=": ge, "<": lt, "<=": le, "%": lambda n, count: n % count == 0}


class Probe:
    """One breakpoint as dapwright wants it judged, and what became of it in this process."""

    def __init__(self, spec, address):
        self.id = spec["id"]
        self.address = address
        self.condition = _compiled(spec["condition"]) if spec.get("condition") else None
        self.names = _names(self.condition[0]) if self.condition else ()
        self.hit_condition = spec.get("hits")
        self.log = [(text, _interpolated(text) if code else None) for text, code in spec.get("log", ())]
        self.capture = [(text, _compiled(text)) for text in spec.get("capture", ())]
        self.set = [(name, _compiled(text)) for name, text in spec.get("set", ())]
        self.most = spec.get("most", 0)
        self.stops, self.rows = spec.get("stops", False), spec.get("rows", False)
        asked = [self.condition, *(code for _, code in [*self.log, *self.capture, *self.set])]
        self.codes = [pair[0] for pair in asked if pair and isinstance(pair[0], NESTED)]
        self.enters = {} if spec.get("enters") else None
        self.reached = self.hits = self.false = self.logged = 0
        self.samples, self.told = [], set()
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

    def reached_at(self, frame, top, local):
        """`reach`, whatever fails in it: a probe must not cost its neighbours of the line."""
        try:
            return not repeats(frame, self.codes) and self.reach(frame, top, local)
        except Exception as failed:
            self.fail("probe", failed)
            return False

    def reach(self, frame, top, local):
        """The program is at this probe: say whether it should stop."""
        if self.enters is not None and self.enters.setdefault(frame.f_code, frame.f_lasti) != frame.f_lasti:
            return False  # the body begins with a loop, and this is no call but its next round
        self.reached += 1
        if self.condition is not None and not self._true(top, local):
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
            self.tell(
                "log", logged=self.logged, text="".join(self._part(text, code, top, local) for text, code in self.log)
            )
        values = {text: self._captured(code, top, local) for text, code in self.capture}
        if self.set:
            values.update(self._assign(frame, top, local))
        if self.rows:
            self._row(frame, values)
        elif not self.log and not self.stops and self.hits == 1:
            self.stats()  # a silent one: that it was reached at all is what it is for
        return self.stops and (not self.rows or self.hits >= (self.most or 1))

    def _true(self, top, local):
        try:
            if _value(self.condition, top, local):
                return True
        except Exception as failed:
            self.fail("condition", failed)
        self.false += 1
        if len(self.samples) < SAMPLES:
            self.samples.append({name: shown(local[name]) for name in self.names if name in local})
        if self.false & (self.false - 1) == 0 or _now() - self.last > STATS_SECONDS:
            self.stats()
        return False

    def _part(self, text, code, top, local):
        if code is None:
            return text
        try:
            return str(_value(code, top, local))[:8192]
        except Exception as failed:
            return "{" + error_text(failed) + "}"

    def _captured(self, code, top, local):
        try:
            return shown(_value(code, top, local))
        except Exception as failed:
            return "<error: %s>" % error_text(failed)

    def _row(self, frame, values):
        code = frame.f_code
        self.tell(
            "row",
            hit=self.hits,
            reached=self.reached,
            false=self.false,
            values=values,
            file=code.co_filename,
            line=frame.f_lineno,
            function=getattr(code, "co_qualname", code.co_name),
            thread=_thread.get_ident(),
        )

    def _assign(self, frame, top, local):
        """Give names of the frame, or what they hold, new values; what they are now."""
        now = {}
        for name, code in self.set:
            try:
                assign(frame, top, local, name, _value(code, top, local))
                now["set " + name] = shown(_value(_compiled(name), top, frame.f_locals))
            except Exception as failed:
                now["set " + name] = "<error: %s>" % error_text(failed)
        return now


def _names(code):
    return tuple(code.co_names)[:6] if isinstance(code, NESTED) else ()


def assign(frame, top, local, name, value):
    """Assign in a running frame: a local or global name, or a target such as `self.rate` and `rows[0]`."""
    code = frame.f_code
    if not name.isidentifier():
        scope = dict(top)
        scope.update(local)
        scope["__dapwright_value"] = value
        exec(compile(name + " = __dapwright_value", "<probe>", "exec"), scope)
        return
    known = code.co_varnames + code.co_cellvars + code.co_freevars
    if name not in known:
        (top if frame.f_locals is top or name not in frame.f_locals else frame.f_locals)[name] = value
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
    key = json.dumps([spec, address], sort_keys=True)
    if key not in ONE:
        ONE[key] = Probe(spec, address)
    return ONE[key]


QUICK = {}
"""Compiled conditions by their identity."""


def quicken(text, code):
    """Have debugpy evaluate the compiled condition from now on: it compiles the text at every hit (1.8.22)."""
    QUICK[id(code)] = code
    try:
        from _pydevd_bundle.pydevd_constants import get_global_debugger

        debugger = get_global_debugger()
        found = [one for lines in list(debugger.breakpoints.values()) for one in list(lines.values())]
        found += list(debugger.function_breakpoint_name_to_breakpoint.values())
        for one in found:
            if isinstance(one.condition, str) and repr(text) in one.condition:
                one.condition = code
    except Exception:
        return  # it stays correct, only slower


def hit(text):
    """The condition of a breakpoint: `text` describes the probes of its line. True stops the program."""
    try:
        probes = PROBES.get(text) or _made(text)
        here = sys._getframe(1)
        if id(here.f_code) not in QUICK:
            quicken(text, here.f_code)
        top, local = here.f_globals, here.f_locals
        frame = here.f_back
        while frame is not None and frame.f_globals is not top:
            frame = frame.f_back
        stopping = [probe.id for probe in probes if probe.reached_at(frame or here, top, local)]
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


def begin_again():
    """A forked child counts from nothing, and takes no lock for held that its parent held."""
    CHANNEL.lock = _thread.allocate_lock()
    for probe in list(ONE.values()):
        probe.reached = probe.hits = probe.false = probe.logged = 0
        probe.samples = []


def end_with_process():
    """Tell the last counts however the process ends."""
    import atexit

    atexit.register(finish)
    leave = os._exit

    def _exit(status):
        finish()
        leave(status)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=begin_again)
    os._exit = _exit  # a multiprocessing worker ends by it, past every atexit
