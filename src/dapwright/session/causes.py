"""What a program died of whose core file is looked at: read from the frames that its runtime died in."""

from dapwright.core.errors import DapwrightError
from dapwright.core.model import Frame
from dapwright.session.connection import FRAMES, Stop
from dapwright.session.session import Session
from dapwright.session.values import ask_value

SECONDS = 5.0
MISMATCH = "no frame in `{0}` is of the program's own code: is it `{1}`, this build of it, that left the core file?"
UNKNOWN = "(the core file does not tell its text; it came from `{0}`)"


async def learn(session: Session, stop: Stop) -> None:
    """Name the panic or the fatal error that a core file stands at; warn where it looks like another program's."""
    plan, launch = session.plan, session.launch
    if plan is None or launch is None or not plan.post_mortem or not session.adapter.deaths:
        return
    try:
        frames = await stop.connection.frames(stop, FRAMES)
    except DapwrightError:
        return
    if not any(frame.line > 0 and not session.adapter.internal_frame(frame) for frame in frames):
        session.warnings.append(MISMATCH.format(launch.core_file, launch.program))
    names = [frame.name for frame in frames]
    for died_in, (what, teller, expression) in session.adapter.deaths.items():
        if died_in in names and teller in names:
            told = await _words(stop, frames, names.index(teller), expression)
            stop.reason, stop.description, stop.text = "exception", what, told
            stop.exception = {"exceptionId": what, "breakMode": "unhandled", "description": told}
            return


async def _words(stop: Stop, frames: list[Frame], at: int, expression: str) -> str:
    """What it said; optimised code of the runtime may have lost that: then which function it came from."""
    try:
        told = (await ask_value(stop.connection, frames[at].id, expression, seconds=SECONDS)).result
    except DapwrightError:
        told = "(unreadable"
    return UNKNOWN.format(frames[min(at + 1, len(frames) - 1)].name) if told.startswith("(unreadable") else told
