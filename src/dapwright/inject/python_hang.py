"""Why a Python program does not move: what each thread and task waits for, and who holds it.

Run inside the program by its debugger, on a thread of its own. What a thread waits for is read
off its innermost frames; who holds a lock, off the `with` blocks that threads stand in, since a
plain lock does not know its owner. Two samples tell a busy loop from a wait.
"""

import ast
import linecache
import re
import sys
import threading
import time

from _dapwright_channel import CHANNEL, error_text, shown

FRAMES = 12
SAMPLE_SECONDS = 0.25
WAITS = {
    ("threading.py", "join"): "thread",
    ("threading.py", "wait"): "condition",
    ("queue.py", "get"): "queue.get",
    ("queue.py", "put"): "queue.put",
    ("queue.py", "join"): "queue.join",
    ("selectors.py", "select"): "input or output",
    ("socket.py", "accept"): "a connection",
    ("socket.py", "readinto"): "the network",
    ("ssl.py", "read"): "the network",
    ("subprocess.py", "wait"): "a child process",
    ("subprocess.py", "communicate"): "a child process",
    ("_base.py", "result"): "a future",
}
_trees = {}


def base(frame):
    return frame.f_code.co_filename.replace("\\", "/").rsplit("/", 1)[-1]


def tree_of(file):
    if file not in _trees:
        try:
            _trees[file] = ast.parse("".join(linecache.getlines(file)))
        except (SyntaxError, ValueError):
            _trees[file] = ast.parse("")
    return _trees[file]


def look_up(node, frame):
    """The object that a name or a chain of attributes stands for in a frame; nothing is run for it."""
    if isinstance(node, ast.Name):
        for scope in (frame.f_locals, frame.f_globals):
            if node.id in scope:
                return scope[node.id]
    elif isinstance(node, ast.Attribute):
        holder = look_up(node.value, frame)
        for scope in (getattr(holder, "__dict__", {}), *(vars(kind) for kind in type(holder).__mro__)):
            if node.attr in scope:
                return scope[node.attr]
    elif isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        holder = look_up(node.value, frame)
        if isinstance(holder, (list, tuple, dict)):
            try:
                return holder[node.slice.value]
            except (KeyError, IndexError):
                return None
    return None


def text_of(node):
    unparse = getattr(ast, "unparse", None)  # from 3.9 on
    return unparse(node) if unparse else getattr(node, "id", None) or getattr(node, "attr", "?")


def blocks(frame, line):
    """The `with` blocks whose body a frame stands in, for certain: (text, object)."""
    for node in ast.walk(tree_of(frame.f_code.co_filename)):
        if not isinstance(node, (ast.With, ast.AsyncWith)) or node.lineno == node.body[0].lineno:
            continue  # all on one line: it may as well wait to come in
        if node.body[0].lineno <= line <= last(node):
            for item in node.items:
                yield text_of(item.context_expr), look_up(item.context_expr, frame)


def last(node):
    return getattr(node, "end_lineno", None) or max(getattr(part, "lineno", 0) for part in ast.walk(node))


def acquired(frame, line):
    """Locks that an earlier statement of the function acquired, with no release before `line`."""
    first = frame.f_code.co_firstlineno
    held = {}
    for node in sorted(calls(frame, first, line - 1), key=lambda node: node.lineno):
        text = text_of(node.func.value)
        if node.func.attr == "acquire":
            held[text] = look_up(node.func.value, frame)
        elif node.func.attr == "release":
            held.pop(text, None)
    return held.items()


def calls(frame, first, end):
    for node in ast.walk(tree_of(frame.f_code.co_filename)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and first <= node.lineno <= end:
            yield node


def wanted(frame, line):
    """What the line that a frame stands at would wait for: (kind, text, object)."""
    for node in ast.walk(tree_of(frame.f_code.co_filename)):
        if isinstance(node, ast.With) and node.lineno <= line < node.body[0].lineno + (node.lineno == line):
            for item in node.items:
                found = look_up(item.context_expr, frame)
                if is_lock(found):
                    return "lock", text_of(item.context_expr), found
    for node in calls(frame, line, line):
        found = look_up(node.func.value, frame)
        if node.func.attr == "acquire" and found is not None:
            return "lock", text_of(node.func.value), found
        if node.func.attr == "sleep":
            return "sleep", text_of(node), None
        if node.func.attr in ("recv", "recv_into", "accept", "read", "readline", "connect", "select", "poll"):
            return "input or output", text_of(node), None
        if node.func.attr in ("wait", "join", "get", "result") and found is not None:
            return "a call that waits", text_of(node), found
    return None


def is_lock(found):
    return type(found).__name__ in ("lock", "RLock", "Lock", "Condition", "Semaphore", "BoundedSemaphore", "_RLock")


def identity(found):
    """A lock behind a condition is one with it."""
    inner = getattr(found, "_lock", None) if type(found).__name__ == "Condition" else None
    return id(inner if inner is not None else found)


def waits(frames):
    """What a thread waits for, by its frames (innermost first): kind, text, object, frame."""
    known, owner, at = None, None, 0
    for index, frame in enumerate(frames):
        kind = WAITS.get((base(frame), frame.f_code.co_name))
        if kind is None and index > at + 2:
            break
        if kind is not None:
            known, owner, at = kind, frame.f_locals.get("self"), index
    if known is not None:
        caller = next((f for f in frames[at + 1 :] if not library(f)), None)
        return known, shown(owner)[:200] if owner is not None else "", owner, caller or frames[at]
    found = wanted(frames[0], frames[0].f_lineno) if frames and not library(frames[0]) else None
    return (*found, frames[0]) if found else None


def library(frame):
    file = frame.f_code.co_filename
    return file.startswith("<") or "/lib/python" in file or "/site-packages/" in file or "\\Lib\\" in file


def hidden(thread):
    return getattr(thread, "is_pydev_daemon_thread", False) or getattr(thread, "pydev_do_not_trace", False)


def stack(frame):
    found = []
    while frame is not None and len(found) < 60:
        file = frame.f_code.co_filename
        if "pydevd" in file or "/debugpy/" in file or "dapwright" in file:
            if all(library(inner) for inner in found):
                found = []  # the debugger's own waiting
        else:
            found.append(frame)
        frame = frame.f_back
    return found


def place(frame):
    return {"file": frame.f_code.co_filename, "line": frame.f_lineno, "function": frame.f_code.co_name}


def processor(ident):
    """Seconds of processor time of a thread; None where the system cannot tell."""
    try:
        return time.clock_gettime(time.pthread_getcpuclockid(ident))
    except (AttributeError, OSError, ValueError):
        return None


def holds(frames):
    found = {}
    for frame in frames:
        if library(frame):
            continue
        for text, held in [*blocks(frame, frame.f_lineno), *acquired(frame, frame.f_lineno)]:
            if is_lock(held) or type(held).__module__.startswith("asyncio"):
                found[identity(held)] = {"lock": text, "line": frame.f_lineno, "file": frame.f_code.co_filename}
    return found


def sample():
    """Every thread of the program: its frames and what it has used of the processor."""
    names = {thread.ident: thread for thread in threading.enumerate()}
    me, found = threading.get_ident(), {}
    for ident, frame in sys._current_frames().items():
        thread = names.get(ident)
        if ident == me or thread is None or hidden(thread):
            continue
        frames = stack(frame)
        if frames:
            found[ident] = (thread, frames, frames[0].f_lasti, processor(ident))
    return found


def threads():
    """Every thread with what it waits for and holds."""
    before = sample()
    time.sleep(SAMPLE_SECONDS)
    told = []
    for ident, (thread, frames, lasti, used) in sample().items():
        first = before.get(ident)
        own = next((frame for frame in frames if not library(frame)), frames[0])
        row = {"ident": ident, "name": thread.name, "daemon": thread.daemon, **place(own)}
        row["stack"] = [place(frame) for frame in frames if not library(frame)][:FRAMES]
        if first is not None:
            row["moved"] = first[2] != lasti or first[1][0] is not frames[0]
            if used is not None and first[3] is not None:
                row["busy"] = round(min(1.0, (used - first[3]) / SAMPLE_SECONDS), 2)
        row["held"] = holds(frames)
        _add_wait(row, frames)
        told.append(row)
    return told


def _add_wait(row, frames):
    found = waits(frames) if row.get("busy", 0) <= 0.5 else None
    row["busy"] = row.get("busy", 0)
    if found is None and row.pop("moved", False):
        row["busy"] = max(row["busy"], 0.01)  # it moves, and waits for nothing: other programs may have the processor
    if found is None:
        return
    kind, text, what, frame = found
    row["wait"] = {"kind": kind, "for": text, "id": identity(what) if what is not None else None, **place(frame)}
    if kind == "thread":
        row["wait"]["thread"] = getattr(what, "ident", None)
    owner = re.search(r"owner=(\d+)", repr(what)) if is_lock(what) else None
    if owner and owner.group(1) != "0":
        row["wait"]["owner"] = int(owner.group(1))


def tasks():
    """Every asyncio task of every loop that runs: where it stands, what it waits for."""
    asyncio = sys.modules.get("asyncio")
    if asyncio is None:
        return []
    loops, told = {}, []
    for frame in sys._current_frames().values():
        while frame is not None:
            if frame.f_code.co_name == "run_forever" and hasattr(frame.f_locals.get("self"), "call_soon_threadsafe"):
                loops[id(frame.f_locals["self"])] = frame.f_locals["self"]
            frame = frame.f_back
    for loop in loops.values():
        for task in list(asyncio.all_tasks(loop))[:200]:
            told.append(task_row(task))
    return told


def task_row(task):
    frames, coroutine = [], task.get_coro()
    while coroutine is not None and len(frames) < 40:
        frame = getattr(coroutine, "cr_frame", None) or getattr(coroutine, "gi_frame", None)
        if frame is not None:
            frames.insert(0, frame)
        coroutine = getattr(coroutine, "cr_await", None) or getattr(coroutine, "gi_yieldfrom", None)
    own = next((frame for frame in frames if not library(frame)), frames[0] if frames else None)
    row = {"ident": id(task), "name": task.get_name(), **(place(own) if own else {})}
    row["held"] = holds(frames)
    waiter = getattr(task, "_fut_waiter", None)
    inner = frames[0] if frames else None
    owner = inner.f_locals.get("self") if inner is not None and library(inner) else None
    if waiter is not None:
        row["wait"] = {"kind": type(owner or waiter).__name__, "for": shown(owner or waiter)[:200]}
        row["wait"]["id"] = id(owner) if owner is not None else None
        children = list(getattr(waiter, "_children", [])) or [waiter]
        row["wait"]["tasks"] = [id(one) for one in children if hasattr(one, "get_coro")]
    return row


def look(address):
    """Tell why nothing moves, beside whatever asked: the answer comes over the channel."""

    def tell():
        try:
            data = {"threads": threads(), "tasks": tasks()}
        except Exception as failed:
            data = {"error": error_text(failed)}
        CHANNEL.send(address, {"k": "report", "name": "hang", "data": data})

    thread = threading.Thread(target=tell, name="dapwright", daemon=True)
    thread.is_pydev_daemon_thread = thread.pydev_do_not_trace = True
    thread.start()
