"""The arguments that many tools share, described once."""

from typing import Annotated

from dapwright.tools.about import About

SessionId = Annotated[str | None, About("Session, where several are live.")]
ThreadId = Annotated[int | None, About("Thread (list_threads); the stopped one by default.", rare=True)]
FrameId = Annotated[int | None, About("Frame id; the top one by default.")]
Detail = Annotated[str, About("How much of a stop to tell: `brief`, `none` or `full`.", rare=True)]
Names = Annotated[list[str] | None, About("Only these, uncut.")]
