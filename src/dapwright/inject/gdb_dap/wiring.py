"""The places of gdb's DAP server that we reach into, and how.

`gdb.dap.server` is an attribute that becomes the Server *instance* once the server
runs, so modules are taken by name from the import system.
"""

import importlib

import gdb


def module(name):
    """A module of gdb's DAP package."""
    return importlib.import_module("gdb.dap." + name)


server = module("server")
events = module("events")
startup = module("startup")


def execute(*commands):
    """Run gdb commands for their effect; one that this gdb lacks is left out."""
    for command in commands:
        try:
            gdb.execute(command, to_string=True)
        except gdb.error:
            continue


def replace(name, **options):
    """Register a request of ours in place of gdb's own of that name, if it has one."""
    server._commands.pop(name, None)
    return server.request(name, **options)


def advertise(name, value=True):
    """Put a capability into the answer to `initialize`."""
    server._capabilities[name] = value


def tell(event, body=None):
    """Send a DAP event; from any thread."""
    server.send_event(event, body)


def tell_output(text, category="console"):
    """Send text as an output event; the line is ended."""
    tell("output", {"category": category, "output": text if text.endswith("\n") else text + "\n"})


def is_stopped():
    """Whether the selected thread stands still (a program that does not run counts as still)."""
    thread = gdb.selected_thread()
    return thread is None or not thread.is_valid() or thread.is_stopped()


def mend_state():
    """Set gdb's belief whether the program runs right: a failed call leaves it wrong for ever (gdb 18)."""
    events.inferior_running = not is_stopped()
    return events.inferior_running


execute(
    "set confirm off",
    "set pagination off",
    "set style enabled off",
    "set debuginfod enabled off",
    "set print thread-events off",
    "set record full stop-at-limit off",
    "set unwind-on-signal on",
    "set unwind-on-timeout on",
    "set direct-call-timeout 20",
    "set indirect-call-timeout 20",
    "set tcp connect-timeout 8",
    "set breakpoint pending on",
    "set breakpoint always-inserted on",
    "set print object on",
    "set print static-members off",
)
