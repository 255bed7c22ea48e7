"""Threads that meet breakpoints while another one stands at its own: each stops in its turn.

pydevd (debugpy 1.8.22) holds all threads at a stop and tells of one. A thread that reaches a
breakpoint while it is held, or in the same instant, would run past it untold when the program
goes on. Here it looks again before it moves, and stops.
"""

import os
import threading

RUNNING, HELD = 1, 2
"""pydevd's own words for the state of a thread."""
TOLD = "_dapwright_told"
_turn = threading.Lock()


def take_turns():
    """Wrap how pydevd holds a thread and how it tells of one."""
    import pydevd

    notifier = pydevd.ThreadsSuspendedSingleNotification
    notify, hold = notifier.send_suspend_notification, pydevd.PyDB.do_wait_suspend

    def send_suspend_notification(self, thread_id, thread, stop_reason):
        setattr(thread, TOLD, True)
        return notify(self, thread_id, thread, stop_reason)

    def do_wait_suspend(self, thread, frame, event, arg, exception_type=None):
        own = thread.stop_reason
        setattr(thread, TOLD, False)
        hold(self, thread, frame, event, arg, exception_type)
        while _passed_over(self, thread):
            own, breakpoint = _own_stop(self, thread, frame, event, own)
            if own is None:
                return
            with _turn:  # two that woke together must not both claim the one stop that is told
                info = thread.additional_info
                if info.pydev_state == RUNNING:
                    self.set_suspend(thread, own, suspend_other_threads=True)
                if breakpoint is not None:
                    info.hit_breakpoint_ids = [breakpoint.breakpoint_id]
            hold(self, thread, frame, event, arg, exception_type)

    notifier.send_suspend_notification = send_suspend_notification
    pydevd.PyDB.do_wait_suspend = do_wait_suspend


def _passed_over(debugger, thread):
    """Whether a thread was held untold and goes on with the others, not by a step of its own."""
    if getattr(thread, TOLD, True) or debugger.pydb_disposed or debugger.terminate_requested:
        return False
    return thread.additional_info.pydev_step_cmd in (-1, 0) or thread.additional_info.pydev_state == HELD


def _own_stop(debugger, thread, frame, event, own):
    """Why this thread would stop by itself here, judged and counted once: pydevd's reason, and the breakpoint."""
    from _pydevd_bundle.pydevd_comm_constants import CMD_SET_BREAK, CMD_THREAD_SUSPEND

    if own not in (CMD_SET_BREAK, CMD_THREAD_SUSPEND):
        return (own, None) if event == "exception" else (None, None)
    breakpoint = _breakpoint_at(debugger, frame) if event == "line" else None
    if breakpoint is None or (own == CMD_THREAD_SUSPEND and not _hit(debugger, thread, breakpoint, frame)):
        return None, None
    return CMD_SET_BREAK, breakpoint


def _breakpoint_at(debugger, frame):
    from pydevd_file_utils import get_abs_path_real_path_and_base_from_frame as paths

    return (debugger.breakpoints.get(paths(frame)[1]) or {}).get(frame.f_lineno)


def _hit(debugger, thread, breakpoint, frame):
    """Judge a breakpoint as pydevd does when a thread reaches it; a logpoint writes its message and holds nobody."""
    info = thread.additional_info
    if breakpoint.expression is not None:
        debugger.handle_breakpoint_expression(breakpoint, info, frame)
    if breakpoint.has_condition and not debugger.handle_breakpoint_condition(info, breakpoint, frame):
        return False
    if not breakpoint.is_logpoint:
        return True
    if info.pydev_message:
        debugger.writer.add_command(debugger.cmd_factory.make_io_message(info.pydev_message + os.linesep, "1"))
    return False
