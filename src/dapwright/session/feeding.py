"""A program's standard input: whose it is."""

from dapwright.feed import Feed
from dapwright.session.session import Session
from dapwright.transport import Process


def fed(session: Session) -> Process | Feed | None:
    """The program's standard input, where it is ours."""
    adapter = session.adapter_process if session.plan is not None and session.plan.is_program else None
    return session.program or session.feed or adapter


def why_not(session: Session) -> tuple[str, str]:
    """Why it is not, and what to do."""
    if session.attachment is not None:
        return "the program's input is not ours: it was attached to", "write to its own terminal"
    if session.plan is not None and session.plan.post_mortem:
        return "a core file reads no input: its program has ended", "launch the program"
    return f"{session.adapter.engine} starts the program and has no way to its input", "let it read from a file"
