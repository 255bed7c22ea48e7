"""Starting the program: its streams, environment and folder, and its true end."""

import os
import re
import shlex
import signal

import gdb

from . import deferred
from .streams import Streams
from .wiring import events, module, replace, server, startup, tell, tell_output

OURS = ("environment", "terminal", "record", "plainOutput", "children", "fresh")
"""Keys of the launch request that are ours; the rest is gdb's own."""


LOADED = []
"""What is to be done with a launch's arguments once its program is read."""
BEFORE = []
"""What is to be done before the program starts."""

MOVING = []
"""What is to be done with a command before it moves the program."""

WORTH_TELLING = ("warning:", "dapwright:", "Python Exception")
"""How lines of gdb's chatter begin that a person wants to see."""

LARGE = 64 << 20
"""Bytes of a program beyond which its sources are not looked through at a launch."""


class Run:
    """What is known of the run at hand."""

    streams = None
    arguments = ()
    terminal = False
    record = False
    children = False
    entry = False
    muted = False
    refusal = ""


def flush():
    """Tell all output of the program so far."""
    if Run.streams is not None:
        Run.streams.flush()


def last_words():
    """The end of the program's stderr, "" where it is not ours."""
    return Run.streams.last_words() if Run.streams is not None else ""


def command_line():
    """The program's arguments for the shell, with fresh streams."""
    if Run.streams is not None:
        Run.streams.end()
    Run.streams = Streams(Run.terminal)
    return (shlex.join(Run.arguments) + " " + Run.streams.redirection).strip()


def _set_environment(changes):
    inferior = gdb.selected_inferior()
    changes = {"LINES": None, "COLUMNS": None, **changes}
    for name, value in changes.items():
        if value is None:
            inferior.unset_env(name)
        else:
            inferior.set_env(name, value)


def _set_folder(path):
    if not os.path.isdir(path):
        raise startup.DAPException("no such folder: `%s`" % path)
    gdb.execute("set cwd " + path)


def _check_program(path):
    if not os.path.isfile(path):
        raise startup.DAPException("no such program: `%s`" % path)
    if not os.access(path, os.X_OK):
        raise startup.DAPException("`%s` is not executable" % path)


def _carry_out(commands):
    """The commands that a launch or an attachment brings; one that fails is told, and the rest go on."""
    for command in commands:
        try:
            gdb.execute(command, to_string=True)
        except gdb.error as error:
            tell_output("dapwright: `%s`: %s" % (command, error))


@startup.in_gdb_thread
def _load(arguments):
    """Bring gdb to where its command line would have: its folder, commands, and the program's symbols.

    All of it before the answer, and so before the first breakpoint: gdb's own reads the program when it is
    configured, and breakpoints until then are promises, with conditions that nobody has read.
    """
    folder, program = arguments.get("cwd"), arguments.get("program")
    if program:
        _check_program(program)
    if folder and os.path.isdir(folder):
        gdb.execute("cd " + folder, to_string=True)
    _carry_out(arguments.pop("dapwrightCommands", ()))
    deferred.begin()
    if program and gdb.current_progspace().filename != os.path.realpath(program):
        startup.exec_and_log("file " + re.sub(r"[ \t\n\r\f\v\\'\"]", r"\\\g<0>", program))
    arguments.pop("program", None)
    return arguments


@startup.in_gdb_thread
def _prepare(arguments):
    program = arguments.get("program")
    _load(arguments)
    for act in LOADED:
        act(arguments)
    if arguments.get("cwd"):
        _set_folder(arguments.pop("cwd"))
    os.environ["SHELL"] = "/bin/sh"
    _set_environment(arguments.get("environment") or {})
    Run.arguments = tuple(arguments.get("args") or ())
    Run.terminal, Run.record = bool(arguments.get("terminal")), bool(arguments.get("record"))
    Run.children = bool(arguments.get("children")) and not Run.record
    Run.entry = bool(arguments.get("stopAtBeginningOfMainSubprogram"))
    arguments["args"] = command_line()
    for act in BEFORE:
        act()
    if not arguments.get("fresh"):
        _warn_if_stale(gdb.current_progspace().filename or program)
    for key in OURS:
        arguments.pop(key, None)
    return arguments


def _warn_if_stale(program):
    """Tell which sources are newer than the program, by its own debug information."""
    try:
        built, size = os.path.getmtime(program), os.path.getsize(program)
        if size > LARGE:
            return
        named = gdb.execute_mi("-file-list-exec-source-files")["files"]
    except (OSError, gdb.error, KeyError, TypeError):
        return
    paths = {each["fullname"] for each in named if "fullname" in each}
    newer = [path for path in sorted(paths) if os.path.isfile(path) and os.path.getmtime(path) > built]
    if newer:
        text = "stale build: %s is newer than `%s`; lines may be off, build it again" % (", ".join(newer[:3]), program)
        tell("dapwrightWarning", {"text": text})


def _wrap_launch():
    original = server._commands["launch"]

    def launch(**arguments):
        try:
            return original(**server.send_gdb_with_response(lambda: _prepare(dict(arguments))))
        except startup.DAPException as error:
            Run.refusal = str(error)
            raise

    attached = server._commands["attach"]

    def attach(**arguments):
        try:
            return attached(**server.send_gdb_with_response(lambda: _load(dict(arguments))))
        except startup.DAPException as error:
            Run.refusal = str(error)
            raise

    configured = server._commands["configurationDone"]

    def configuration_done(**arguments):
        if Run.refusal:  # gdb would only say that nothing was launched
            raise startup.DAPException(Run.refusal)
        return configured(**arguments)

    server._commands["launch"] = launch
    server._commands["attach"] = attach
    server._commands["configurationDone"] = configuration_done


@replace("dapwright/input", on_dap_thread=True, expect_stopped=False)
def type_input(*, text: str = "", close: bool = False, **args):
    """Feed the program's standard input."""
    if Run.streams is None:
        raise startup.DAPException("the program was not started here, so its standard input is not ours")
    Run.streams.type(text, close)
    return {}


def _on_exit(event):
    """Tell the true end: gdb 18 says 0 for a program that a signal ended."""
    if Run.muted:
        return
    flush()
    tell_end(event, gdb.convenience_variable("_exitsignal"))


def tell_end(event, number):
    """Tell how the program ended; NUMBER is the signal's, where one ended it."""
    events.inferior_running = False
    body = {}
    code = getattr(event, "exit_code", None)
    if code is not None:
        body["exitCode"] = int(code)
    elif number is not None:
        body["signal"] = signal_name(int(number))
    tell("exited", body)
    tell("terminated")


def signal_name(number):
    """SIGSEGV for 11."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return "signal %d" % number


def _read_chatter(self):
    """gdb's own words: not the program's output, and never the end of the reader."""
    stream = open(self._child_stream.fileno(), "rb", closefd=False)
    while True:
        line = stream.readline()
        if not line:
            return
        text = line.decode("utf-8", "replace")
        if text.startswith(WORTH_TELLING):
            self.send_event_maybe_later("output", {"category": "console", "output": text})


def _run(command, expected_pause=False):
    """gdb's own, mended: a command that fails is told, where gdb 18 waits for a stop that never comes."""
    for act in MOVING:
        act(command)
    try:
        return _run.original(command, expected_pause)
    except startup.DAPException as error:
        events._suppress_cont = False
        name = command.split()[0]
        if name in ("run", "start", "starti"):
            tell_output(str(error), "important")
            tell("terminated")
        elif name in ("next", "nexti", "step", "stepi") or (name.startswith("reverse-") and "&" not in command):
            events.inferior_running = False
            thread = gdb.selected_thread()
            body = {"reason": "step", "description": str(error), "text": str(error), "allThreadsStopped": True}
            if thread is not None:
                body["threadId"] = thread.global_num
            tell("stopped", body)
        raise


_run.original = events.exec_and_expect_stop
for _name in ("events", "next", "pause", "launch"):
    module(_name).exec_and_expect_stop = _run

_wrap_launch()
server.Server._read_inferior_output = _read_chatter
gdb.events.exited.disconnect(events._on_exit)
gdb.events.exited.connect(_on_exit)
