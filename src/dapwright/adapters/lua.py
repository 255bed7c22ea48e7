"""Lua, by an agent of ours inside the program (`inject/lua_agent.lua`), which speaks DAP itself."""

from collections.abc import Generator

from msgspec.structs import replace

from dapwright.core.adapter import Adapter
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch, Plan, Planning, Ran, Run
from dapwright.core.parts import Installing, Part, told

LUA = Part("Lua with LuaSocket", ("apt-get install lua5.4 lua-socket", "luarocks install luasocket"))
INSTALL = told(LUA)
INTERPRETERS = ("lua", "lua5.4", "lua5.3", "lua5.2", "lua5.1", "luajit")


def check(host: Host) -> str:
    """An interpreter; whether it has LuaSocket is asked when a program is launched."""
    return "" if any(map(host.which, INTERPRETERS)) else "no `lua` is on PATH"


def interpreter(launch: Launch, host: Host) -> Generator[Run, Ran, str]:
    """The first interpreter that has LuaSocket.

    Raises:
        SetupError: there is none.
    """
    asked = (launch.executable,) if launch.executable else tuple(filter(None, map(host.which, INTERPRETERS)))
    for lua in asked:
        ran = yield Run((lua, "-e", "require('socket')"), launch.cwd, purpose="find LuaSocket", timeout_seconds=20)
        if ran.code == 0:
            return lua
    raise SetupError(f"`{asked[0]}` has no LuaSocket" if asked else "no `lua` is on PATH", INSTALL)


def plan(launch: Launch, host: Host) -> Planning:
    """Run a script under the agent, which takes its place as the program's own process."""
    if not launch.program:
        raise UsageError("there is no script to run", "pass `scriptPath`")
    lua = yield from interpreter(launch, host)
    agent = host.packages["inject"] + "/lua_agent.lua"
    return Plan(
        "launch",
        {"stopOnEntry": launch.stop_on_entry, **launch.config, **launch.extra},
        argv=(lua, agent, "{port}", launch.cwd, launch.program, *launch.args),
        channel="tcp",
        cwd=launch.cwd,
        env=launch.env,
        prints_are_output=True,
        is_program=True,
    )


def installs(host: Host) -> Installing:
    """Lua with LuaSocket, where no Lua here has it."""
    try:
        yield from interpreter(Launch(), host)
    except SetupError as lacking:
        return (replace(LUA, why=str(lacking)),)
    return ()


ADAPTER = Adapter(
    language="lua",
    display_name="Lua",
    extensions=(".lua",),
    dap_id="lua",
    engine="dapwright's agent (debug.sethook)",
    plan=plan,
    check=check,
    setup=INSTALL,
    installs=installs,
    aliases=("luajit",),
    exception_filters={"uncaught": ("uncaught",), "all": ("uncaught",), "none": (), "test": ("uncaught",)},
    comment="--",
    begins_late=True,
    verifies_any=True,
    function_breakpoints="ours",
    tested="run for real here, with Lua 5.4.4 and LuaSocket 3.1.0",
)
