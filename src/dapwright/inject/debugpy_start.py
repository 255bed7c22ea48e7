"""Start a program under debugpy, as a process of dapwright's own: no launcher between.

    python debugpy_start.py FOLDER ENTRY -- DEBUGPY ARGUMENTS

FOLDER holds the `debugpy` package, ENTRY is `entry` to stop at the first line. Works on
every interpreter that debugpy supports; nothing needs to be installed into it.
"""

import os
import sys
import types

MINE = ("limits", "repr", "turns", "exceptions")
"""Modules beside this file that mend what debugpy shows and how long it takes."""


def own(folder):
    """Whether the interpreter has the very debugpy of `folder`: its tracer is compiled for it, ours may not be."""
    try:
        from importlib.util import find_spec

        spec = find_spec("debugpy")
        there = os.path.dirname(os.path.dirname(spec.origin)) if spec and spec.origin else ""
        versions = [name for name in os.listdir(folder) if name.startswith("debugpy-")]
        return bool(there and versions) and all(os.path.isdir(os.path.join(there, name)) for name in versions)
    except Exception:
        return False


def load(folder):
    """Import debugpy from `folder`, and leave the search path as the program should find it."""
    here = sys.path.pop(0)
    if not own(folder):
        sys.path.insert(0, folder)
        import debugpy

        sys.path.remove(folder)
    else:
        import debugpy  # noqa: F401
    return here


def mend(folder):
    """Load the modules beside this file under names that no program has, and put them in place."""
    for name in MINE:
        path = os.path.join(folder, "python_" + name + ".py")
        module = types.ModuleType("_dapwright_" + name)
        module.__file__ = path
        sys.modules[module.__name__] = module
        with open(path, "rb") as source:
            exec(compile(source.read(), path, "exec"), module.__dict__)
    names = {"__name__": "_dapwright_channel"}
    with open(os.path.join(folder, "python_channel.py"), "rb") as source:
        exec(compile(source.read(), "<builtin _dapwright_channel>", "exec"), names)
    names["bring"](names, os.path.join(folder, "python_probe.py"))
    sys.modules["_dapwright_exceptions"].install()
    sys.modules["_dapwright_exceptions"].print_plainly()


def hide(folder):
    """Have the debugger take this file, and those beside it, for its own: neither traced nor shown.

    Their code runs while a thread is about to stand, too: a stop in it would never end.
    """
    from _pydevd_bundle.pydevd_dont_trace_files import DONT_TRACE, PYDEV_FILE
    from debugpy.server import api

    for name in os.listdir(folder):
        if name.endswith(".py") and name != "__init__.py":
            DONT_TRACE[name] = PYDEV_FILE

    settrace = api._settrace

    def _settrace(*args, **kwargs):
        kwargs["dont_trace_start_patterns"] = (*kwargs.get("dont_trace_start_patterns", ()), folder)
        return settrace(*args, **kwargs)

    api._settrace = _settrace


def silence():
    """Keep pydevd's remarks about itself out of the program's stderr."""
    from _pydev_bundle import pydev_log
    from _pydevd_bundle.pydevd_constants import NULL

    if not os.environ.get("PYDEVD_DEBUG_FILE"):
        pydev_log._LoggingGlobals._debug_stream = NULL
        pydev_log._LoggingGlobals._debug_stream_initialized = True


def flush_lines():
    """A line that the program prints is seen when it is printed, as on a terminal."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.reconfigure(line_buffering=True)
        except (AttributeError, ValueError, OSError):
            pass


def flush_at_stops():
    """What the program printed before a stop is out before the stop is told."""
    import pydevd

    wait = pydevd.PyDB.do_wait_suspend

    def do_wait_suspend(self, *args, **kwargs):
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        return wait(self, *args, **kwargs)

    pydevd.PyDB.do_wait_suspend = do_wait_suspend


def stop_at_entry():
    """Have the first line of the program stop, once the client has configured everything."""
    import debugpy
    from _pydevd_bundle.pydevd_api import PyDevdAPI

    wait = debugpy.wait_for_client

    def wait_for_client():
        wait()
        PyDevdAPI().stop_on_entry()

    debugpy.wait_for_client = wait_for_client


def main():
    """Run as the file's docstring says."""
    folder, entry, separator = sys.argv[1:4]
    assert separator == "--"
    del sys.argv[1:4]
    here = load(folder)
    from debugpy.server import cli

    hide(here)
    try:
        mend(here)
        silence()
    except Exception as failure:  # the program runs all the same, with debugpy as it is
        sys.stderr.write("dapwright: values and exceptions are shown as debugpy does: %r\n" % (failure,))
    flush_lines()
    flush_at_stops()
    if entry == "entry":
        stop_at_entry()
    cli.main()


if __name__ == "__main__":
    main()
