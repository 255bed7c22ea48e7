"""Failures as exceptions: fatal signals, the panics and raises of each language's runtime, C++ exceptions."""

import re
from typing import Sequence

import gdb

from . import breakpoints, inferior, raised
from .calls import quiet
from .names import short_type
from .wiring import advertise, execute, module, replace, startup

SIGNALS = ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGSYS", "SIGTRAP", "SIGSTKFLT")
OTHERS = ("SIGHUP", "SIGQUIT", "SIGPIPE", "SIGTERM", "SIGUSR1", "SIGUSR2", "SIGXCPU", "SIGXFSZ", "SIGTTIN", "SIGTTOU")
RUNTIMES = {
    "rust_panic": ("Rust panics", ("__rustc::__rust_start_panic", "__rust_start_panic")),
    "ada_unhandled": ("Ada exceptions without a handler", ("__gnat_notify_unhandled_exception",)),
    "ada_raise": ("Ada exceptions, when raised", ("__gnat_debug_raise_exception",)),
    "d_throw": ("D exceptions, when thrown", ("_d_throw", "_d_throwdwarf", "_d_throw_exception")),
    "pascal_raise": ("Pascal exceptions and run-time errors", ("fpc_raiseexception", "FPC_RAISEEXCEPTION")),
    "fortran_error": (
        "Fortran run-time errors",
        (
            "_gfortran_runtime_error",
            "_gfortran_runtime_error_at",
            "_gfortran_os_error_at",
            "_gfortran_error_stop_string",
        ),
    ),
    "cobol_error": ("COBOL run-time errors", ("cob_runtime_error",)),
    "objc_throw": ("Objective-C exceptions, when thrown", ("objc_exception_throw",)),
    "zig_panic": ("Zig panics", ("builtin.default_panic", "debug.FullPanic", "posix.abort")),
}
"""Functions whose call means a failure.

Of a Rust panic the one that `rust_panic` calls next, once the message is printed: it lies in the small crate that
unwinds (or aborts), where `rust_panic` has gdb read all that it knows of the standard library first, 120 ms at each
launch. rustc mangles its name since 1.86.
"""
PANIC = re.compile(r"panicked at ([^\n]*):\n(.*?)(?:\nstack backtrace:\n.*|\nnote: run with [^\n]*)?\s*\Z", re.S)
ZIG_PANIC = re.compile(r"^thread \d+ panic: (.*)$", re.M)
TERMINATE = re.compile(r"terminate called after throwing an instance of '(.*?)'\n(?:\s*what\(\):\s*(.*?)\n)?", re.S)
STANDARD = frozenset(
    "std::" + name
    for name in (
        "logic_error", "domain_error", "invalid_argument", "length_error", "out_of_range",
        "runtime_error", "range_error", "overflow_error", "underflow_error", "system_error",
    )
)  # fmt: skip
_ours = {}
"""gdb breakpoint number -> filter."""
_patterns = {}
"""gdb breakpoint number -> the types that it is to stop at; gdb's own `-r` needs probes in the C++ library."""

_filters = list(module("server")._capabilities["exceptionBreakpointFilters"])
_filters.append({"filter": "signal", "label": "Fatal signals", "default": True})
_filters += [{"filter": name, "label": label} for name, (label, _) in RUNTIMES.items()]
advertise("exceptionBreakpointFilters", tuple(_filters))
advertise("supportsExceptionInfoRequest")


def _set_signals(stopping):
    for name in SIGNALS:
        execute("handle %s %s pass" % (name, "stop print" if stopping else "nostop noprint"))
    execute("handle SIGTRAP stop print nopass" if stopping else "handle SIGTRAP nostop noprint nopass")


for _name in OTHERS:
    execute("handle %s nostop noprint pass" % _name)


@startup.in_gdb_thread
def _create(*, filterId, function=None, exception=None):
    if function is not None:
        bp = gdb.Breakpoint(function=function)
        if exception is not None:
            _patterns[bp.number] = re.compile(r"(^|::|\.)(%s)$" % exception, re.I)
    elif exception is not None and filterId in ("throw", "rethrow", "catch"):
        bp = module("breakpoint")._catch_exception(filterId)
        _patterns[bp.number] = re.compile(r"(^|::)(%s)$" % exception)
    else:
        bp = module("breakpoint")._catch_exception(filterId, exception=exception)
    _ours[bp.number] = filterId
    return bp


def _specs(option):
    name = option["filterId"]
    if name in RUNTIMES:
        pattern = {"exception": option["condition"]} if option.get("condition") else {}
        return [{"filterId": name, "function": each, **pattern} for each in RUNTIMES[name][1]]
    return [{"filterId": name, "exception": option.get("condition")}]


@replace("setExceptionBreakpoints", expect_stopped=False)
def set_exception_breakpoints(*, filters: Sequence[str], filterOptions: Sequence = (), **args):
    """Filters by name; of the C++ ones the condition is a pattern of type names."""
    options = [{"filterId": name} for name in filters] + list(filterOptions)
    _set_signals(any(option["filterId"] == "signal" for option in options))
    wanted = [option for option in options if option["filterId"] != "signal"]
    specs = [spec for option in wanted for spec in _specs(option)]
    made = iter(breakpoints.set_all("exception", specs, _create))
    groups = {id(option): [next(made) for _ in _specs(option)] for option in wanted}
    return {"breakpoints": [_best(groups.get(id(option))) for option in options]}


def _best(answers):
    if answers is None:
        return {"verified": True}
    return max(answers, key=lambda each: bool(each.get("verified")))


def filter_of(numbers):
    """The exception filter that stopped here, None where another breakpoint did."""
    return next((_ours[number] for number in numbers if number in _ours), None)


def is_unwanted(event):
    """Whether it stopped only at a C++ exception of a type that nobody asked for."""
    hit = getattr(event, "breakpoints", [])
    if hit and all(raised.is_internal(_ours.get(bp.number)) for bp in hit):
        return True
    if not hit or any(bp.number not in _patterns for bp in hit):
        return False
    try:
        with quiet():
            name = _raised_type(hit[0].number)
    except (gdb.error, RuntimeError):
        return False
    return bool(name) and not any(_patterns[bp.number].search(name) for bp in hit)


def _raised_type(number):
    runtime = _ours[number]
    return raised.read(runtime)[0] if runtime in RUNTIMES else short_type(_thrown_type())


class Failure:
    """The failure that the program stands at: what `exceptionInfo` answers."""

    now = None


def of_signal(name, meaning):
    """A fatal signal, with the address it fell over, or what the program said as it gave up."""
    details = {}
    text = meaning
    if name in ("SIGSEGV", "SIGBUS"):
        text += _address()
    if name == "SIGABRT":
        said, type_name = _dying_words()
        text = said or text
        details = {"typeName": type_name} if type_name else {}
    return {"exceptionId": name, "description": text, "breakMode": "unhandled", "details": {"message": text, **details}}


def _address():
    try:
        return " at address %s" % gdb.parse_and_eval(
            "(unsigned long)$_siginfo._sifields._sigfault.si_addr"
        ).format_string(format="x")
    except gdb.error:
        return ""


def _dying_words():
    tail = inferior.last_words()
    found = TERMINATE.search(tail)
    if found:
        return ": ".join(part for part in found.groups() if part), found.group(1)
    if panicked := ZIG_PANIC.search(tail):
        return panicked.group(1), "panic"
    lines = [line for line in tail.splitlines() if line.strip()]
    return (lines[-1].strip(), "") if lines else ("", "")


def of_filter(name):
    """A runtime's raise, in its own words where it has said them."""
    if name == "rust_panic":
        found = PANIC.search(inferior.last_words())
        text = found.group(2).strip() if found else "the thread panicked"
        return {
            "exceptionId": "panic",
            "description": text,
            "breakMode": "unhandled",
            "details": {"message": text, "typeName": "panic"},
        }
    if name in ("throw", "rethrow", "catch"):
        return _cpp(name)
    return _of_runtime(name)


def _of_runtime(name):
    kind, message = raised.read(name)
    said = message or (_dying_words()[0] if name in RUNTIMES and not kind else "")
    text = said or kind or (RUNTIMES[name][0] if name in RUNTIMES else name)
    mode = "unhandled" if name == "ada_unhandled" else "always"
    details = {"message": text, **({"typeName": kind} if kind else {})}
    return {"exceptionId": kind or name, "description": text, "breakMode": mode, "details": details}


def _cpp(name):
    what = {"throw": "thrown", "rethrow": "thrown again", "catch": "caught"}[name]
    type_name, message = "", ""
    try:
        with quiet():
            type_name, message = _thrown()
    except (gdb.error, gdb.MemoryError, RuntimeError):
        pass
    text = message or "a C++ exception is %s" % what
    type_name = short_type(type_name)
    details = {"message": text, **({"typeName": type_name} if type_name else {})}
    return {"exceptionId": type_name or "C++ exception", "description": text, "breakMode": "always", "details": details}


def _thrown():
    thing, info = _throwing()
    return ("", "") if info is None else (name := _type_name(info), _message(name, thing))


def _thrown_type():
    _, info = _throwing()
    return "" if info is None else _type_name(info)


def _throwing():
    """The arguments of `__cxa_throw`: the object, and its type's description."""
    frame = gdb.newest_frame()
    while frame is not None and not (frame.name() or "").startswith("__cxa_throw"):
        frame = frame.older()
    if frame is None or frame.newer() is not None:
        return None, None
    frame.select()
    return [int(gdb.parse_and_eval(register)) for register in _registers(frame)]


def _type_name(info):
    return _demangle(gdb.parse_and_eval("*(char **)(%d + sizeof(void *))" % info).string())


def _registers(frame):
    return ("$x0", "$x1") if frame.architecture().name().startswith("aarch64") else ("$rdi", "$rsi")


def _demangle(mangled):
    text = gdb.execute("demangle _ZTS" + mangled, to_string=True).strip()
    return text.replace("typeinfo name for ", "") if "Can't demangle" not in text else mangled


def _message(name, thing):
    if name in STANDARD:  # libstdc++: a pointer to the text stands behind the table of virtual functions
        return gdb.parse_and_eval("*(char **)(%d + sizeof(void *))" % thing).string()
    try:
        type_ = gdb.lookup_type(name)
    except gdb.error:
        return ""
    if _descends(type_, "std::exception"):
        value = gdb.parse_and_eval("((%s *)%d)->what()" % (_quoted(name), thing))
        return value.string()
    return gdb.Value(thing).cast(type_.pointer()).dereference().format_string(max_elements=64)


def _quoted(name):
    return "'%s'" % name if "<" in name else name


def _descends(type_, ancestor):
    type_ = type_.strip_typedefs()
    if type_.name == ancestor:
        return True
    if type_.code != gdb.TYPE_CODE_STRUCT:
        return False
    return any(field.is_base_class and _descends(field.type, ancestor) for field in type_.fields())


@replace("exceptionInfo")
def exception_info(*, threadId: int, **args):
    """The failure that the program stands at."""
    if Failure.now is None:
        raise startup.DAPException("it stands at no exception")
    return Failure.now
