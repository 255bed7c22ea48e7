"""What a test runner's plugin tells dapwright, and how it stands still at a failure that the runner caught."""

import os
import sys
import sysconfig
import threading

CONFIG = {}
LIMIT = 2000
STATE = {"comparison": None}


def begin(config):
    """Take the configuration of this run."""
    CONFIG.update(config)


channel = sys.modules["_dapwright_channel"]


def tell(event, **more):
    """Send one report."""
    more["k"], more["event"] = "test", event
    channel.CHANNEL.send(CONFIG["to"], more)


def compared(op, left, right):
    """The operands of the comparison that failed last, kept until the failure is told."""
    STATE["comparison"] = {"op": op, "left": channel.shown(left), "right": channel.shown(right)}


def failed(test, phase, error, output=""):
    """Tell a failure, `error` as sys.exc_info() gives it, and stand still at it where that is wanted."""
    kind, value, trace = error
    frames = [frame for frame, _ in walk(trace)]
    comparison, STATE["comparison"] = STATE["comparison"] or operands(trace), None
    tell(
        "failure",
        test=test,
        phase=phase,
        type=name_of(kind),
        message=text_of(value)[:LIMIT],
        comparison=comparison,
        chain=chain(value),
        output=output[-LIMIT:],
        place=place(trace),
    )
    if CONFIG.get("stop") and frames:
        stand(error)


def name_of(kind):
    module = getattr(kind, "__module__", "")
    return kind.__qualname__ if module in ("builtins", "") else module + "." + kind.__qualname__


def text_of(value):
    try:
        return str(value)
    except Exception:
        return "<" + type(value).__name__ + " without a message>"


def walk(trace):
    """(frame, line) from the outermost to the innermost."""
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def chain(value):
    """What led to an exception, the first cause last."""
    said, seen = [], {id(value)}
    while len(said) < 10:
        cause = value.__cause__
        if cause is None and not value.__suppress_context__:
            cause = value.__context__
        if cause is None or id(cause) in seen:
            return said
        seen.add(id(cause))
        entry = {"type": name_of(type(cause)), "message": text_of(cause)[:LIMIT]}
        entry["how"] = "cause" if value.__cause__ is not None else "context"
        where = place(cause.__traceback__)
        if where:
            entry.update(where)
        said.append(entry)
        value = cause
    return said


def place(trace):
    """Where the innermost frame of the program stands."""
    found = None
    for frame, line in walk(trace):
        if mine(frame.f_code.co_filename):
            found = {"file": frame.f_code.co_filename, "line": line, "function": frame.f_code.co_name}
    return found


_LIBRARIES = tuple(
    {
        os.path.normcase(os.path.realpath(path)) + os.sep
        for path in [
            *map(sysconfig.get_path, ("stdlib", "platstdlib", "purelib", "platlib")),
            os.path.dirname(__file__),
        ]
        if path
    }
)


def mine(file):
    """Whether a file is the program's own: neither a library's nor the debugger's."""
    if file.startswith("<"):
        return False
    real = os.path.normcase(os.path.realpath(file))
    return not real.startswith(_LIBRARIES) and "/site-packages/" not in real and "/pydevd" not in real


def operands(trace):
    """The operands of unittest's own assertion methods, out of the frame that raised."""
    last = None
    for frame, _ in walk(trace):
        inside = frame.f_code.co_filename.replace("\\", "/").endswith("unittest/case.py")
        if inside and last is None and frame.f_code.co_name.startswith("assert"):
            last = frame
    if last is None:
        return None
    held = last.f_locals
    for left, right in (
        ("first", "second"),
        ("member", "container"),
        ("expr1", "expr2"),
        ("obj", "cls"),
        ("text", "expected_regex"),
    ):
        if left in held and right in held:
            shown = channel.shown
            return {"op": last.f_code.co_name, "left": shown(held[left]), "right": shown(held[right])}
    return None


def stand(error):
    """Stop under the debugger at the frame of the program in which `error` was raised, its frames alive."""
    kind, _, trace = error
    try:
        from _pydevd_bundle.pydevd_constants import get_global_debugger

        debugger = get_global_debugger()
        from _pydevd_bundle.pydevd_additional_thread_info import set_additional_thread_info
    except ImportError:
        return
    frames = [frame for frame, _ in walk(trace)]
    own = [frame for frame in frames if mine(frame.f_code.co_filename)] or frames
    if debugger is None or not own:
        return
    thread = threading.current_thread()
    info = set_additional_thread_info(thread)
    info.pydev_message = name_of(kind)
    resume = untraced(info)
    try:
        debugger.do_stop_on_unhandled_exception(thread, own[-1], {id(frame): frame for frame in frames}, error)
    finally:
        resume()


def untraced(info):
    """Switch the tracing of this thread off, and answer what switches it on again.

    We do not stand inside a callback of pydevd's, which it would not enter twice: a `__repr__` of the
    program that is run for a value would be traced, be found to belong to a thread that is suspended,
    and wait there until its time is up. (pydevd's own trigger_exception_handler does this too.)
    """
    info.is_tracing += 1
    suspended, monitoring = False, None
    try:
        from _pydevd_bundle.pydevd_constants import PYDEVD_USE_SYS_MONITORING

        if PYDEVD_USE_SYS_MONITORING:
            from _pydevd_sys_monitoring import pydevd_sys_monitoring as monitoring

            suspended = monitoring.suspend_current_thread_tracing()
    except (ImportError, AttributeError):  # an older pydevd
        pass

    def resume():
        info.is_tracing -= 1
        if suspended:
            monitoring.resume_current_thread_tracing()

    return resume
