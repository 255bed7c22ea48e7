"""Exceptions as an agent wants them: one stop for each, its cause told, an exit no crash.

pydevd (debugpy 1.8.22) stops for one exception in every frame that it passes, counts
`sys.exit(1)` as one, and keeps the chain of causes to itself.
"""

import builtins
import sys
import traceback

import _dapwright_limits as limits
import _dapwright_repr as values
import _dapwright_turns as turns

TOLD = "__dapwright_told__"
CHAIN = 5
INTERNAL = ("debugpy", "_pydevd_bundle", "_pydev_bundle", "pydevd", "dapwright")


def stop_once():
    """A stop on `raised` comes in the innermost frame of the user's, and not in its callers too."""
    import pydevd

    exclude = pydevd.PyDB.exclude_exception_by_filter

    def exclude_exception_by_filter(self, wanted, trace):
        if exclude(self, wanted, trace):
            return True
        if not wanted.notify_on_handled_exceptions or wanted.notify_on_user_unhandled_exceptions or trace is None:
            return False
        inner = trace.tb_next
        while inner is not None:
            if not exclude(self, wanted, inner):
                return True  # told there
            inner = inner.tb_next
        return False

    pydevd.PyDB.exclude_exception_by_filter = exclude_exception_by_filter
    pydevd.PyDB.ignore_system_exit_code = lambda self, value: True


def match_names():
    """Match a class by its bare name, and by those of its bases; pydevd knows no class of the program by name."""
    import pydevd
    from _pydevd_bundle import pydevd_breakpoints

    find = pydevd_breakpoints.get_exception_breakpoint

    def get_exception_breakpoint(kind, wanted):
        found = find(kind, wanted)
        if found is not None or not wanted:
            return found
        for base in getattr(kind, "__mro__", ()):
            for name in (base.__name__, base.__qualname__, "%s.%s" % (base.__module__, base.__qualname__)):
                if name in wanted:
                    return wanted[name]
        return None

    def get_exception_class(name):
        """Built-in ones alone: pydevd would import the program's modules for a name."""
        kind = (
            getattr(builtins, name.rpartition(".")[2], None) if name.partition(".")[0] in ("builtins", name) else None
        )
        return kind if isinstance(kind, type) and issubclass(kind, BaseException) else None

    limits.rebind(find, get_exception_breakpoint)
    limits.rebind(pydevd_breakpoints.get_exception_class, get_exception_class)
    debugger = pydevd.get_global_debugger()
    for holder in (pydevd.PyDB, debugger):
        if holder is not None and "get_exception_breakpoint" in vars(holder):
            holder.get_exception_breakpoint = wrapped(holder, get_exception_breakpoint)


def wrapped(holder, function):
    """A function as an attribute of an object, or of a class whose instances call it without themselves."""
    return staticmethod(function) if isinstance(holder, type) else function


def explain():
    """Have `exceptionInfo` tell the causes, and whether this exception had been told before."""
    from _pydevd_bundle import pydevd_comm

    build = pydevd_comm.build_exception_info_response

    def build_exception_info_response(dbg, thread_id, *args, **kwargs):
        response = build(dbg, thread_id, *args, **kwargs)
        frames = dbg.suspended_frames_manager.get_frames_list(thread_id)
        exception = getattr(frames, "exc_desc", None)
        if isinstance(exception, BaseException):
            details = response.body.details
            told = {"innerException": chain(exception), "dapwrightRepeated": repeated(exception, response)}
            if isinstance(details, dict):
                details.update(told)
            else:
                details.kwargs.update(told)
        return response

    pydevd_comm.build_exception_info_response = build_exception_info_response
    limits.rebind(build, build_exception_info_response)


def repeated(exception, response):
    """Whether this very exception was told at an earlier stop; a stop that is looked at twice is one."""
    mark = response.body.breakMode
    before = getattr(exception, TOLD, None)
    if before is None:
        try:
            setattr(exception, TOLD, mark)
        except Exception:
            return False
    return before not in (None, mark)


def chain(exception):
    """The exceptions that led to this one, as the protocol nests them: the nearest first, a list of one."""
    outermost = rows = []
    seen = {id(exception)}
    while len(seen) <= CHAIN:
        if exception.__cause__ is not None:
            exception, relation = exception.__cause__, "__cause__"
        elif exception.__context__ is not None and not exception.__suppress_context__:
            exception, relation = exception.__context__, "__context__"
        else:
            break
        if id(exception) in seen:
            break
        seen.add(id(exception))
        inner = []
        row = {"typeName": type(exception).__qualname__, "message": message(exception), "innerException": inner}
        rows.append(dict(row, evaluateName="exception." + relation))
        rows = inner
    return outermost


def message(exception):
    """`str(exception)` within bounds."""
    request = getattr(values._request, "now", None)
    try:
        return (request.show(exception, str) if request is not None else str(exception))[:1000]
    except BaseException as failure:
        return "<no message: its __str__ raised %s>" % type(failure).__name__


def name_failures():
    """A failed evaluation is told with its error first, and only those lines of the traceback that are its own."""
    from _pydevd_bundle import pydevd_comm

    answer = pydevd_comm._evaluate_response

    def _evaluate_response_return_exception(py_db, request, kind, failure, trace):
        try:
            words = "".join(traceback.format_exception_only(kind, failure)).strip()
            rows = [row for row in traceback.extract_tb(trace) if not internal(row.filename)]
            if len(rows) > 1:
                words += "\n" + "".join(traceback.format_list(rows[-10:])).rstrip()
        except BaseException:
            words = "%s (it cannot be shown)" % getattr(kind, "__name__", "an exception")
        answer(py_db, request, result=words, error_message=words)

    pydevd_comm._evaluate_response_return_exception = _evaluate_response_return_exception


def internal(file):
    """Whether a file is the debugger's own."""
    parts = file.replace("\\", "/").split("/")
    return any(part in INTERNAL for part in parts) or parts[-1] == "pydevd.py" or file.startswith("<frozen ")


def print_plainly():
    """A traceback that the interpreter prints begins with the program, not with the debugger under it."""
    plain = sys.excepthook

    def excepthook(kind, failure, trace):
        first = trace
        while first is not None and internal(first.tb_frame.f_code.co_filename):
            first = first.tb_next
        if first is not trace and (first is not None or isinstance(failure, SyntaxError)):
            failure, trace = failure.with_traceback(first), first
        plain(kind, failure, trace)

    sys.excepthook = excepthook


def install():
    """Put it in place, once."""
    if getattr(install, "done", False):
        return
    install.done = True
    values.install()
    stop_once()
    match_names()
    explain()
    name_failures()
    turns.take_turns()
