"""Tell every call of the functions in focus: arguments, returns, raises, changed attributes. No debugger.

    python python_tracer.py CONFIG TARGET ARGUMENTS

CONFIG is JSON: `to` (where to tell), `focus` (globs of functions or files; none: the program's
own files below `cwd`), `most` (events), `depth`, `only` (one call, by its number), `module`.
By sys.monitoring on Python 3.12 and later, whose events are switched off wherever there is
nothing in focus; by sys.settrace before.
"""

import fnmatch
import itertools
import json
import opcode
import os
import runpy
import sys
import sysconfig
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
BATCH = 200
ATTRIBUTES = 12
ITEMS = 12
"""Items of a container in an attribute; more of them cost a program with long lists its time."""
GENERATOR = 0x20 | 0x80 | 0x200


class Tracer:
    """The calls in focus, by thread; told in batches."""

    def __init__(self, config, channel):
        self.config, self.channel = config, channel
        self.focus = config.get("focus") or []
        self.most = config.get("most", 2000)
        self.depth = config.get("depth", 0)
        self.only = config.get("only", 0)
        self.stacks = {}
        self.count = 0
        self.calls, self.dropped = itertools.count(), itertools.count()  # counted without a lock
        self.full = False
        self.batch = []
        self.known = {}
        self.lock = threading.RLock()
        paths = map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib"))
        self.libraries = tuple({os.path.realpath(path) + os.sep for path in paths if path})

    def wanted(self, code):
        """Whether a function is in focus; asked once a function."""
        found = self.known.get(id(code))  # the hash of a code object is that of all its instructions
        if found is None:
            found = self.known[id(code)] = (self._wanted(code), code)
        return found[0]

    def _wanted(self, code):
        file = code.co_filename
        if file.startswith("<") or (not code.co_flags & 1 and code.co_name != "<module>"):
            return False  # generated code, or the body of a class
        real = os.path.realpath(file)
        own = not real.startswith(self.libraries) and "/site-packages/" not in real and not real.startswith(HERE)
        if not self.focus:
            return (
                own
                and (code.co_name == "<lambda>" or not code.co_name.startswith("<"))
                and real.startswith(self.config["cwd"] + os.sep)
            )
        name = getattr(code, "co_qualname", code.co_name).replace(".<locals>", "")
        named = (name, code.co_name, real, os.path.basename(real), os.path.relpath(real, self.config["cwd"]))
        if code.co_name.startswith("<") and name not in self.focus:
            return False
        return any(fnmatch.fnmatchcase(one, glob) for one in named for glob in self.focus)

    def event(self, *event):
        with self.lock:
            self.count += 1
            if self.count > self.most:
                next(self.dropped)
                self.full = True
                return
            self.batch.append(event)
            if len(self.batch) >= BATCH:
                self.flush()

    def flush(self):
        with self.lock:
            if self.batch:
                self.channel.CHANNEL.send(self.config["to"], {"k": "calls", "events": self.batch})
                self.batch = []

    def stack(self):
        return self.stacks.setdefault(threading.get_ident(), [])

    def enter(self, frame):
        """A function in focus begins. Once there is no room, values are not looked at any more."""
        number = next(self.calls) + 1
        if self.full:
            next(self.dropped)
            return
        stack = self.stack()
        parent = stack[-1][0] if stack else 0
        under = not self.only or number == self.only or any(entry[0] == self.only for entry in stack)
        shown = under and (not self.depth or len(stack) < self.depth)
        before = self.attributes(frame) if shown else None
        stack.append((number, frame, shown, before))
        if shown:
            code = frame.f_code
            name = getattr(code, "co_qualname", code.co_name).replace(".<locals>", "")
            self.event("call", number, parent, name, code.co_filename, code.co_firstlineno, self.arguments(frame))

    def leave(self, frame, kind, value):
        """It ends: `return`, `yield` or `raise`."""
        if self.full:
            next(self.dropped)
            return
        stack = self.stack()
        if all(entry[1] is not frame for entry in stack):
            return  # it was under way before we listened
        while stack:
            number, own, shown, before = stack.pop()
            if own is frame:
                if shown:
                    self.event(kind, number, value(), self.changed(frame, before))
                return

    def arguments(self, frame):
        code, held = frame.f_code, frame.f_locals
        count = code.co_argcount + code.co_kwonlyargcount
        count += bool(code.co_flags & 4) + bool(code.co_flags & 8)
        return {name: self.channel.shown(held[name]) for name in code.co_varnames[:count] if name in held}

    def attributes(self, frame):
        """The attributes of `self`, as text; None where there is none."""
        code = frame.f_code
        if not code.co_argcount or code.co_varnames[0] != "self":
            return None
        held = getattr(frame.f_locals.get("self"), "__dict__", None)
        if not isinstance(held, dict):
            return None
        return {name: self.brief(held[name]) for name in list(held)[:ATTRIBUTES]}

    def brief(self, value):
        """A value at little cost: the ends of a long list or mapping, and its length, so that a change shows."""
        kind = type(value)
        if kind in (list, tuple) and len(value) > ITEMS:
            text = self.channel.shown(value[: ITEMS // 2])[:80] + " ... " + self.channel.shown(value[-2:])[:80]
            return "%s (%d items)" % (text, len(value))
        if kind in (dict, set, frozenset) and len(value) > ITEMS:
            first = list(itertools.islice(value.items() if kind is dict else value, ITEMS // 2))
            text = self.channel.shown(dict(first) if kind is dict else set(first))[:160]
            return "%s ... (%d items)" % (text, len(value))
        return self.channel.shown(value)[:200]

    def changed(self, frame, before):
        """Attributes that a call changed: `{name: [before, after]}`."""
        if before is None:
            return {}
        after = self.attributes(frame) or {}
        return {name: [before.get(name), text] for name, text in after.items() if before.get(name) != text}


def trace(tracer):
    """Begin to listen, by the best means that this Python has."""
    if hasattr(sys, "monitoring"):
        _monitor(tracer)
    else:
        _settrace(tracer)


def _monitor(tracer):
    mon = sys.monitoring
    tool = next(number for number in (4, 3, 2, 1) if mon.get_tool(number) is None)
    mon.use_tool_id(tool, "dapwright")
    shown, words = tracer.channel.shown, tracer.channel.error_text
    local = mon.events.PY_RETURN | mon.events.PY_YIELD | mon.events.PY_RESUME

    def start(code, offset):
        if not tracer.wanted(code):
            return mon.DISABLE
        mon.set_local_events(tool, code, local)
        return tracer.enter(sys._getframe(1))

    def resume(code, offset):
        tracer.enter(sys._getframe(1))

    def thrown(code, offset, error):
        if tracer.wanted(code):
            tracer.enter(sys._getframe(1))

    def returned(code, offset, value):
        tracer.leave(sys._getframe(1), "return", lambda: shown(value))

    def yielded(code, offset, value):
        tracer.leave(sys._getframe(1), "yield", lambda: shown(value))

    def unwound(code, offset, error):
        if tracer.wanted(code):
            tracer.leave(sys._getframe(1), "raise", lambda: words(error))

    for event, called in (
        (mon.events.PY_START, start),
        (mon.events.PY_RESUME, resume),
        (mon.events.PY_RETURN, returned),
        (mon.events.PY_YIELD, yielded),
        (mon.events.PY_UNWIND, unwound),
        (mon.events.PY_THROW, thrown),
    ):
        mon.register_callback(tool, event, called)
    mon.set_events(tool, mon.events.PY_START | mon.events.PY_UNWIND | mon.events.PY_THROW)


RETURNS = ("RETURN_VALUE", "RETURN_CONST")
YIELDS = ("YIELD_VALUE", "YIELD_FROM")


def _ends_by(frame, names):
    """Whether the instruction at which a frame stands is one of these."""
    return opcode.opname[frame.f_code.co_code[frame.f_lasti]] in names


def _settrace(tracer):
    shown, words = tracer.channel.shown, tracer.channel.error_text

    def inside():
        """A tracer of one frame. What leaves it without a value is a raise, unless its last instruction returns."""
        raised = [None]

        def local(frame, event, argument):
            if event == "exception":
                raised[0] = argument[1]
            elif event == "return":
                word = "yield" if frame.f_code.co_flags & GENERATOR and _ends_by(frame, YIELDS) else "return"
                error = raised[0]
                if argument is None and error is not None and not _ends_by(frame, RETURNS + YIELDS):
                    tracer.leave(
                        frame, "raise", lambda: words(error) if isinstance(error, BaseException) else str(error)
                    )
                else:
                    tracer.leave(frame, word, lambda: shown(argument))
            return local

        return local

    def outer(frame, event, argument):
        if event != "call" or not tracer.wanted(frame.f_code):
            return None
        tracer.enter(frame)
        frame.f_trace_lines = False
        return inside()

    threading.settrace(outer)
    sys.settrace(outer)


def main():
    """Run as the file's docstring says."""
    config = json.loads(sys.argv[1])
    del sys.argv[:2]
    names = {"__name__": "_dapwright_channel"}
    with open(os.path.join(HERE, "python_channel.py"), encoding="utf-8") as source:
        exec(compile(source.read(), "<builtin _dapwright_channel>", "exec"), names)
    names["bring"](names, os.path.join(HERE, "python_probe.py"))
    tracer = Tracer(config, sys.modules["_dapwright_channel"])
    sys.path[0] = os.getcwd() if config.get("module") else os.path.dirname(os.path.abspath(sys.argv[0]))
    trace(tracer)
    try:
        if config.get("module"):
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(sys.argv[0], run_name="__main__")
    finally:
        sys.settrace(None)
        tracer.flush()
        tracer.channel.CHANNEL.send(
            config["to"], {"k": "calls", "events": [], "calls": next(tracer.calls), "dropped": next(tracer.dropped)}
        )


if __name__ == "__main__":
    main()
