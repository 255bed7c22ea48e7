"""A server with 35 tools of a realistic size, to measure the start: `python many_tools.py`."""

from typing import Annotated, Any, Literal

import fake_server

from dapwright.tools import About, Caller, tool


def register(count: int) -> None:
    """Register so many tools of twelve arguments each."""
    for n in range(count):

        async def verb(
            caller: Caller,
            *,
            session_id: Annotated[str | None, About("The session; may be left out where one is live.")] = None,
            file: Annotated[str | None, About("Path of the source file, absolute or relative to the cwd.")] = None,
            line: Annotated[int | None, About("1-based line number.")] = None,
            statement: Annotated[str | None, About("Text of the line to stop at.")] = None,
            near_line: Annotated[int | None, About("Chooses between equal lines.")] = None,
            condition: Annotated[str | None, About("Stop only where this is true.")] = None,
            wait: Annotated[bool | float, About("True, or seconds to wait for the next stop.")] = False,
            thread_id: Annotated[int | None, About("The thread; else the one that stopped.")] = None,
            args: Annotated[list[str], About("Arguments of the program.")] = [],
            env: Annotated[dict[str, str | None], About("Variables; a null unsets one.")] = {},
            detail: Annotated[Literal["brief", "none", "full"], About("How much to tell.")] = "brief",
            names: Annotated[list[str], About("Only these variables.")] = [],
        ) -> Any:
            """Does one thing to a session, and answers where the program stands then.

            Needs a paused session; changes nothing but the position; use another one instead to wait.
            """
            return {}

        verb.__name__ = f"tool_{n}"
        tool(title=f"Tool {n}", output={"type": "object", "required": ["success"]})(verb)


if __name__ == "__main__":
    register(35)
    from dapwright.server.stdio import serve

    raise SystemExit(serve(fake_server.Desk, fake_server.settings()))
