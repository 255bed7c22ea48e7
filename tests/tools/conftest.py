"""A registry of its own for each test, with a few tools of every kind."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import pytest

from dapwright.policy.settings import Settings
from dapwright.tools import About, Arm, Caller, Inline, tool
from dapwright.tools.answers import answer
from dapwright.tools.registry import REGISTERED, every

Line = Annotated[int, msgspec.Meta(ge=1)]


class Place(msgspec.Struct, rename="camel", kw_only=True, forbid_unknown_fields=True):
    """An address of a breakpoint."""

    ARMS: ClassVar[dict[str, tuple[str, ...]]] = {"line": ("file", "line")}

    file: Annotated[str | None, About("Path of the file.", alias=("fileFullPath",))] = None
    line: Annotated[Line | None, About("1-based line.")] = None
    statement: Annotated[str | None, About("Text of the line.", arms=("content",))] = None
    near_line: Annotated[Line | None, About("Chooses between equal lines.", arms=("content",))] = None


def register() -> None:
    """Register the tools; the names tell what they do."""

    @tool(
        title="Set a breakpoint",
        idempotent=True,
        toolsets=("core", "focused"),
        arms={"line": Arm(about="Stop at a line.", required=("session_id", "file", "line"))},
    )
    async def set_breakpoint(
        caller: Caller,
        *,
        session_id: Annotated[str | None, About("The session; may be left out.")] = None,
        place: Annotated[Place, Inline()],
        condition: Annotated[str | None, About("Stop only when true.")] = None,
    ) -> Mapping[str, Any]:
        """Stop the program at a statement.

        Works in every state;
        answers the bound line.
        """
        return {"session_id": session_id, "place": place, "condition": condition}

    @tool(title="Start", destructive=True, open_world=True)
    async def start(
        caller: Caller,
        *,
        script_path: Annotated[str, About("The program.", alias=("program",))],
        args: Annotated[list[str], About("Its arguments.")] = [],
        env: Annotated[dict[str, str | None], About("Variables; a null unsets.")] = {},
        breakpoints: Annotated[list[Place], About("Where to stop.", terse=True)] = [],
        wait: Annotated[bool | float, About("True, or seconds.")] = 5.0,
        break_on: Annotated[Literal["all", "none"] | list[str], About("Exceptions.")] = "none",
        stop_on_entry: Annotated[bool, About("Stop first.")] = False,
    ) -> Mapping[str, Any]:
        """Run a program."""
        return {"args": args, "env": env, "breakpoints": breakpoints, "wait": wait, "entry": stop_on_entry}

    @tool(title="Old name", listed=False)
    async def old_name(caller: Caller) -> Mapping[str, Any]:
        """An unlisted name."""
        return {}

    @tool(title="Native", toolsets=("native",), read_only=True)
    async def native_only(caller: Caller) -> Mapping[str, Any]:
        """Only in `native` and `all`."""
        return {}


REAL = {one.name: one for one in every()}


@pytest.fixture
def real_tools():
    """The tools of the product itself."""
    return dict(REAL)


@pytest.fixture(autouse=True)
def registry():
    """Replace the registered tools for the length of a test."""
    before = dict(REGISTERED)
    REGISTERED.clear()
    register()
    yield REGISTERED
    REGISTERED.clear()
    REGISTERED.update(before)


@pytest.fixture
def call():
    """Call a tool by name with arguments as a client sends them."""

    async def run(name, arguments=None, *, ceiling=5.0, **settings):
        caller = Caller(sessions=None, settings=Settings(**settings))
        return await answer(caller, name, arguments, ceiling=ceiling)

    return run
