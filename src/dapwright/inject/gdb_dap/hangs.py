"""What each thread of a program that stands still waits for, and who holds it, as far as anything tells.

A wait is known by the functions of the C library on the stack. A mutex is named by the text of
the call in the program's own source, or by `this` of a C++ wrapper; glibc keeps its holder at a
fixed place of `pthread_mutex_t` (`__data.__owner`, on 64-bit machines behind two numbers of 4 bytes).
"""

import os
import re

import gdb

from . import deferred, forks
from .calls import quiet
from .wiring import replace

DEPTH = 40
OWNER = 8
LIBRARIES = ("/usr/include/", "/usr/lib/", "/rustc/", "/build/")
WAITS = (
    (re.compile(r"pthread_mutex_(clock|timed)?lock|^std::(recursive_|timed_)?mutex::lock"), "mutex"),
    (re.compile(r"pthread_rwlock_\w*lock"), "rwlock"),
    (re.compile(r"pthread_cond_\w*wait|^std::condition_variable"), "condition"),
    (re.compile(r"pthread_(clock|timed)?join|^std::thread::join|^std::sys::\w+::thread::Thread::join"), "thread"),
    (re.compile(r"^(__|__new_)?sem_\w*wait"), "semaphore"),
    (re.compile(r"pthread_barrier_wait"), "barrier"),
    (re.compile(r"^std::(sync|sys)::.*Mutex.*::lock|^std::sys::\w*::?sync::mutex"), "mutex"),
    (re.compile(r"^(__\w*_)?(wait4|waitpid|waitid|wait)$"), "child process"),
    (re.compile(r"^(__\w*_)?(read|recv|recvfrom|recvmsg|readv)(_nocancel)?$"), "input"),
    (re.compile(r"^(__\w*_)?(accept|accept4)$"), "connection"),
    (re.compile(r"^(__\w*_)?(poll|ppoll|select|pselect|epoll_wait|epoll_pwait)$"), "event"),
    (re.compile(r"^(__\w*_)?(sleep|usleep|nanosleep|clock_nanosleep)$|clock_nanosleep"), "sleep"),
    (re.compile(r"^(__\w*_)?pause$|sigsuspend|sigwait"), "signal"),
    (re.compile(r"futex_wait|^syscall$|lll_lock_wait"), "futex"),
)
CALLS = r"(?:pthread_(?:mutex|rwlock)_\w*lock|pthread_cond_\w*wait|pthread_\w*join\w*)"
FIRST = re.compile(CALLS + r"\s*\(\s*(&?[\w.\->\[\]]+)")
"""A call in the program's text, and what it is given first."""
MUTEX = re.compile(r"^(union |class |struct )?(pthread_mutex_t|__gthread_mutex_t|std::(recursive_)?mutex)$")


@replace("dapwright/waits")
def waits(**args):
    """Each thread of all processes: its stack, its wait."""
    deferred.ask()
    back = gdb.selected_thread()
    frame = gdb.selected_frame()
    rows = []
    with quiet(breakpoints=True):
        try:
            for process in gdb.inferiors():
                for thread in process.threads():
                    thread.switch()
                    rows.append(_row(thread))
        finally:
            back.switch()
            if frame.is_valid():
                frame.select()
    return {"threads": rows}


def _row(thread):
    stack, frames = [], []
    frame = gdb.newest_frame()
    while frame is not None and len(stack) < DEPTH:
        place = frame.find_sal()
        file = place.symtab.fullname() if place.symtab is not None else ""
        stack.append({"function": frame.name() or "?", "file": file, "line": place.line})
        frames.append(frame)
        frame = frame.older()
    mine = next((index for index, row in enumerate(stack) if _is_own(row["file"])), 0)
    row = {"ident": thread.ptid[1] or thread.ptid[0], "number": thread.global_num, "name": _name(thread)}
    row.update(stack[mine] if stack else {"function": "?"})
    row["stack"] = [each for each in stack[mine:] if _is_own(each["file"])]
    wait = _wait(stack, frames, mine)
    return {**row, "wait": wait} if wait else row


def _name(thread):
    child = forks.child_of(thread)
    return "%s%s" % (thread.name or "?", ", " + child if child else "")


def _is_own(file):
    return bool(file) and not file.startswith(LIBRARIES) and os.path.isfile(file)


def _wait(stack, frames, mine):
    found = None
    for index in range(mine if stack and _is_own(stack[mine]["file"]) else len(stack)):
        for pattern, kind in WAITS:
            if pattern.search(stack[index]["function"]) and (found is None or kind != "futex"):
                found = (kind, index)
                break
    if found is None:
        return None
    kind, index = found
    wait = {"kind": kind, "file": stack[mine]["file"], "line": stack[mine]["line"]}
    if kind in ("sleep", "input", "event", "connection", "signal", "child process", "futex"):
        wait["for"] = "in `%s`" % stack[index]["function"]
    try:
        _add_what(wait, kind, frames[mine], frames[:mine])
    except (gdb.error, ValueError, OSError, RuntimeError):
        pass
    return wait


def _add_what(wait, kind, frame, inner):
    """What is waited for by its name in the program's text, and who holds it."""
    text = source_line(frame)
    found = FIRST.search(text)
    if kind == "thread":
        _add_thread(wait, found, frame)
        return
    if kind not in ("mutex", "rwlock", "condition"):
        return
    address = None
    if found:
        frame.select()
        value = gdb.parse_and_eval(found.group(1))
        address = int(value) if value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR else None
        wait["for"] = found.group(1).lstrip("&")
    else:
        address = _of_wrapper(inner)
        wait["for"] = _name_of(address, text, frame) or text
    if address and kind == "mutex":
        wait["id"] = hex(address)
        owner = int.from_bytes(bytes(gdb.selected_inferior().read_memory(address + OWNER, 4)), "little")
        if owner:
            wait["owner"] = owner


def _of_wrapper(inner):
    """Where the mutex of `std::mutex::lock` is: an argument of the library's frames, which are compiled with ours."""
    for frame in inner:
        for name in ("__mutex", "this", "mutex"):
            try:
                value = frame.read_var(name)
            except ValueError:
                continue
            type_ = value.type.strip_typedefs()
            if value.is_optimized_out or type_.code != gdb.TYPE_CODE_PTR:
                continue
            if MUTEX.search(str(type_.target().unqualified())):
                return int(value)
    return None


def _name_of(address, text, frame):
    """Which name of a line of source stands for the thing at an address."""
    frame.select()
    for word in re.findall(r"[A-Za-z_][\w.\[\]]*(?:->[\w.\[\]]+)*", text):
        for name in (word, word.removesuffix(".lock").removesuffix("->lock")):
            try:
                if address is not None and int(gdb.parse_and_eval("&(%s)" % name)) == address:
                    return name
            except gdb.error:
                continue
    return ""


def _add_thread(wait, found, frame):
    if found is None:
        return
    frame.select()
    wanted = int(gdb.parse_and_eval(found.group(1)))
    wait["for"] = found.group(1)
    for thread in gdb.selected_inferior().threads():
        if int.from_bytes(bytes(thread.handle()), "little") == wanted:
            wait["thread"] = thread.ptid[1]


def source_line(frame):
    """The text of the line that a frame stands at, "" where its source is not here."""
    place = frame.find_sal()
    if place.symtab is None:
        return ""
    try:
        with open(place.symtab.fullname(), encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return ""
    return lines[place.line - 1].strip() if 0 < place.line <= len(lines) else ""
