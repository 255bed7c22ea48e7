"""Bound the time that code of the program may take while the debugger looks at it.

On the main thread a signal interrupts it, even out of a sleep or a lock; on another thread
an exception is set in it, which code in C does not notice before it returns. SIGURG, since
its default is to be ignored: one that comes too late does nothing.
"""

import contextlib
import ctypes
import os
import signal
import sys
import threading
import time

EVALUATE_KEY = "dapwrightSeconds"
"""An argument of `evaluate` that only this file knows: the time limit of that one call."""
AGAIN_SECONDS = (0, 0.3, 0.9)
WORDS = "interrupted by the time limit of the debugger"
SIGNAL = getattr(signal, "SIGURG", None)
_local = threading.local()


class DapwrightTimeLimit(KeyboardInterrupt):
    """Raised inside code that ran longer than it may."""


class Bound:
    """Runs functions on the calling thread, and interrupts what takes longer than `seconds` in all."""

    def __init__(self, seconds, tracker):
        self.left = seconds
        self._tracker = tracker
        """pydevd's own timer, a thread that is neither traced nor shown."""
        self._lock = threading.Lock()
        self._inside = False
        self._signalled = False
        self._set = False
        self._ident = threading.get_ident()

    def run(self, function, *args):
        """Call it. Raises DapwrightTimeLimit where it ran out of time."""
        if self.left <= 0:
            raise DapwrightTimeLimit("no time was left")
        began = time.monotonic()
        try:
            with self._receiving(), contextlib.ExitStack() as timers:
                # again and again: the program may catch everything
                for more in AGAIN_SECONDS:
                    timers.enter_context(self._tracker.call_on_timeout(self.left + more, self._interrupt))
                self._inside = True
                try:
                    return function(*args)
                finally:
                    self._inside = False
                    self._take_in()
        finally:
            self._inside = False
            self.left -= time.monotonic() - began

    @contextlib.contextmanager
    def _receiving(self):
        """Take the signal, where this is the main thread."""
        before = None
        try:
            if SIGNAL is not None and os.name == "posix" and threading.current_thread() is threading.main_thread():
                before = signal.getsignal(SIGNAL)
                if before is not None:
                    signal.signal(SIGNAL, self._received)
        except (ValueError, OSError):
            before = None
        self._signalled = before is not None
        if before is None:
            yield
            return
        # an event loop that is told of signals by a descriptor must not hear of ours
        wakeup = signal.set_wakeup_fd(-1)
        try:
            yield
        finally:
            signal.signal(SIGNAL, before)
            signal.set_wakeup_fd(wakeup)

    def _received(self, number, frame):
        if self._inside:
            raise DapwrightTimeLimit(WORDS)

    def _interrupt(self):
        with self._lock:
            if self._inside and self._signalled:
                signal.pthread_kill(self._ident, SIGNAL)
            elif self._inside:
                self._set = True
                _raise_in(self._ident, DapwrightTimeLimit)

    def _take_in(self):
        """Have an exception that was set in this thread, and not yet noticed, raised here and not in the program.

        (Taking it back instead leaves CPython 3.11 looking for it for ever.)
        """
        with self._lock:
            if not self._set:
                return
        try:
            for _ in range(1000):
                pass
        except DapwrightTimeLimit:
            pass


def _raise_in(ident, kind):
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(ident), ctypes.py_object(kind))


def limit_evaluations():
    """Have `evaluate` keep the time limit that a request carries, and flush what it printed."""
    from _pydevd_bundle import pydevd_comm, pydevd_constants, pydevd_vars

    pydevd_constants.PYDEVD_WARN_EVALUATION_TIMEOUT = 1e9
    evaluate, answer = pydevd_vars.evaluate_expression, pydevd_comm.internal_evaluate_expression_json

    def evaluate_expression(py_db, frame, expression, is_exec):
        bound = getattr(_local, "bound", None)
        try:
            if bound is None:
                return evaluate(py_db, frame, expression, is_exec)
            return bound.run(evaluate, py_db, frame, expression, is_exec)
        except (Exception, KeyboardInterrupt):
            raise
        except BaseException as left:  # SystemExit and its like: pydevd catches none, and would never answer
            if is_exec:
                raise alike(left).with_traceback(left.__traceback__) from None
            return pydevd_vars.ExceptionOnEvaluate(left, type(left), left.__traceback__)
        finally:
            flush()

    def internal_evaluate_expression_json(py_db, request, thread_id):
        seconds = (getattr(request.arguments, "kwargs", None) or {}).get(EVALUATE_KEY)
        _local.bound = Bound(float(seconds), py_db.timeout_tracker) if seconds else None
        try:
            answer(py_db, request, thread_id)
        finally:
            _local.bound = None

    pydevd_vars.evaluate_expression = evaluate_expression
    pydevd_comm.internal_evaluate_expression_json = internal_evaluate_expression_json
    rebind(answer, internal_evaluate_expression_json)


def alike(left):
    """An exception of the same name and words that `except Exception` catches."""
    return type(type(left).__name__, (Exception,), {"__module__": "builtins"})(*left.args)


def rebind(old, new):
    """Replace a function in every module of pydevd that imported it by name."""
    for name, module in list(sys.modules.items()):
        if module is None or not name.startswith(("_pydevd", "pydevd")):
            continue
        for attribute, value in list(vars(module).items()):
            if value is old:
                setattr(module, attribute, new)


def flush():
    """What was printed so far is out before an answer goes."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            pass


def install():
    """Put it in place, once."""
    if not getattr(install, "done", False):
        install.done = True
        limit_evaluations()
