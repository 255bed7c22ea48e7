"""Ruby, by rdbg (the `debug` gem, bundled with Ruby since 3.1).

Its DAP server lives inside the program and listens on a Unix socket. Facts below were
seen with rdbg 1.4.0: it has no hit counts and no logpoints, answers a request for
function breakpoints and does nothing, never takes a breakpoint or its condition away,
and hangs up on requests that it does not know. Its step out ends at the function's own end, and a
step that a breakpoint cut short still stops once after the next continue.
"""

import re
from typing import Any

from msgspec.structs import replace

from dapwright.core import effects
from dapwright.core.adapter import Adapter
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Plan, Planning, Run
from dapwright.core.parts import Installing, Part, told
from dapwright.core.returning import Ending

RUBY = Part("Ruby", ("apt-get install ruby", "brew install ruby"))
GEM = Part("the debug gem", ("gem install debug",))
INSTALL = told(RUBY, GEM) + " (Ruby 3.1 and later bring that)"
KEYS = frozenset({"useBundler", "rubyArgs", "localfsMap"})
FIND = "puts Gem.bin_path('debug', 'rdbg')"
SUSPENDS = "RUBY_DEBUG_INITIAL_SUSPEND_PATH"
"""The file on whose first line rdbg waits to be configured. On the program's own, that line is past by then."""
LISTENS = "wait for debugger connection"
"""rdbg's words on stderr. Who connects before them crashes its server thread."""


def check(host: Host) -> str:
    """Ruby itself; which debug gem it has is asked when a program is launched."""
    return "" if host.which("ruby") else "`ruby` is not on PATH"


def installs(host: Host) -> Installing:
    """Ruby, and its debug gem where this Ruby did not bring it."""
    ruby = host.which("ruby")
    if ruby is None:
        return (RUBY,)
    ran = yield Run((ruby, "-e", FIND), "", purpose="find rdbg", timeout_seconds=20)
    return () if ran.code == 0 else (replace(GEM, why=f"`{ruby}` has no debug gem"),)


def plan(launch: Launch, host: Host) -> Planning:
    """Run a script under rdbg, which takes its place as the program's own process."""
    if not launch.program:
        raise UsageError("there is no script to run", "pass `scriptPath`")
    ours = {**launch.config, **launch.extra}
    ruby = launch.executable or host.which("ruby")
    if ruby is None:
        raise SetupError("`ruby` is not on PATH", INSTALL)
    ran = yield Run((ruby, "-e", FIND), launch.cwd, purpose="find rdbg")
    rdbg = ran.stdout.strip().splitlines()[-1] if ran.code == 0 and ran.stdout.strip() else ""
    if not rdbg:
        raise SetupError(f"`{ruby}` has no debug gem: {ran.stderr.strip()[-300:]}", INSTALL)
    inject = host.packages["inject"]
    start = (*map(str, ours.pop("rubyArgs", ())), "-r", inject + "/ruby_start.rb")
    wrapped = ("-c", "--", "bundle", "exec", "ruby") if ours.pop("useBundler", False) else ("--",)
    return Plan(
        "attach" if launch.stop_on_entry else "launch",
        {"type": "rdbg", "localfs": True, "nonstop": not launch.stop_on_entry, **ours},
        argv=(ruby, rdbg, "--open", "--sock-path={socket}", *wrapped, *start, launch.program, *launch.args),
        channel="unix",
        cwd=launch.cwd,
        env={
            "RUBY_DEBUG_POSTMORTEM": "1" if launch.exceptions == "uncaught" else None,
            SUSPENDS: None if launch.stop_on_entry else inject + "/ruby_begin.rb",
            **launch.env,
        },
        exception_filters=filters(launch.exceptions),
        prints_are_output=True,
        is_program=True,
        listens=LISTENS,
        warnings=classes_warning(launch.exceptions),
    )


def filters(wanted: str | tuple[str, ...]) -> tuple[str, ...]:
    """`any` stops at every raise; the only class that rdbg 1.4.0 offers by name is RuntimeError."""
    if isinstance(wanted, str):
        return {"all": ("any",), "test": ("any",)}.get(wanted, ())
    return ("RuntimeError",) if set(wanted) == {"RuntimeError"} else ("any",)


def classes_warning(wanted: str | tuple[str, ...]) -> tuple[str, ...]:
    """Say where a wish for classes becomes a stop at all of them."""
    if isinstance(wanted, str) or set(wanted) == {"RuntimeError"}:
        return ()
    return ("rdbg stops at every exception that is raised, not only at " + ", ".join(wanted),)


def attach(target: Attach, host: Host) -> Planning:
    """Join a program that listens: `rdbg --open --port N`, or `ruby -rdebug/open`."""
    if target.port is None:
        raise UsageError("`port` is missing", "start the program with `rdbg --open --port N -- script.rb`")
    arguments: dict[str, Any] = {"type": "rdbg", "localfs": True, "nonstop": True, **target.config}
    if target.path_mappings:
        arguments["localfsMap"] = ",".join(f"{remote}:{local}" for local, remote in target.path_mappings)
        arguments.pop("localfs")
    return Plan(
        "attach",
        arguments,
        channel="tcp",
        host=target.host,
        port=target.port,
        exception_filters=filters(target.exceptions),
        pauses_first=True,
    )
    yield


def internal_frame(frame: Frame) -> bool:
    """Ruby's own C and prelude frames, and those of gems."""
    return frame.name.startswith("[C] ") or frame.file.startswith("<internal:") or "/gems/" in frame.file


def failure(expression: str, kind: str, value: str) -> str:
    """rdbg answers an expression that failed with the exception as its value, and success.

    An exception that a variable holds looks the same, so a plain name is believed.
    """
    if value == '"Error: Can not evaluate on this frame"':
        return "nothing can be evaluated in a frame of Ruby's own C code"
    plain = re.fullmatch(r"[@$]*[\w.!]+", expression.strip()) and kind != "NameError"
    if plain or not re.search(r"(Error|Exception|Interrupt)$", kind):
        return ""
    return value if kind in value else f"{kind}: {value}"


ADAPTER = Adapter(
    refuse_effects=effects.refusing(members=False),
    language="ruby",
    display_name="Ruby",
    extensions=(".rb", ".rake", ".ru"),
    dap_id="rdbg",
    engine="rdbg",
    plan=plan,
    attach=attach,
    check=check,
    setup=INSTALL,
    installs=installs,
    internal_frame=internal_frame,
    aliases=("rb", "rdbg"),
    function_breakpoints="ours",
    accepts_and_ignores=frozenset({"logpoints", "hitConditions", "functions", "conditions"}),
    keeps_removed=True,
    keeps_steps=True,
    verifies_any=True,
    modes=frozenset({"port"}),
    launch_keys=KEYS,
    chatter=re.compile(r"^DEBUGGER:.*\n?", re.MULTILINE),
    assignment="{0} = {1}",
    failure=failure,
    raised="_raised",
    ending=Ending(frozenset({"_return", "%return"})),
    paging=False,
    items_apart=True,
    tested="run for real here, with Ruby 3.1.2 and rdbg 1.4.0",
)
