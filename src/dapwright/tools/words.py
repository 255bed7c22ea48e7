"""The arguments that many tools share, described once."""

from typing import Annotated, Literal

from dapwright.tools.about import About

SessionId = Annotated[str | None, About("Session, where several are live.")]
ThreadId = Annotated[int | None, About("Thread (list_threads); the stopped one by default.", rare=True)]
FrameId = Annotated[int | None, About("Frame id; the top one by default.")]
Detail = Annotated[Literal["brief", "none", "full"], About("How much of the stop.", rare=True)]
Names = Annotated[list[str] | None, About("Only these, uncut.")]
