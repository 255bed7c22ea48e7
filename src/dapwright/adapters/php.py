"""PHP, by our own engine on DBGp, the protocol of Xdebug.

The program is a process of ours whose Xdebug connects to the engine: its input, output
and exit code are ours. To attach is to listen: each web request that comes is a thread.
"""

from typing import Any

from msgspec.structs import replace

from dapwright.core.adapter import Adapter
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Plan, Planning, Program, Run
from dapwright.core.parts import Installing, Part, told

PHP = Part("PHP with Xdebug", ("apt-get install php-cli php-xdebug", "pecl install xdebug"))
INSTALL = told(PHP)
XDEBUG_PORT = 9003
PROBE = "echo PHP_VERSION, ' ', phpversion('xdebug') ?: 'none';"


def engine(host: Host) -> tuple[str, ...]:
    """The engine's command. `-P` keeps the folder that it starts in from standing in for modules."""
    return (host.python, "-P", "-m", "dapwright.engines.php")


def warm(host: Host, executable: str) -> Plan | None:
    """The engine alone: nothing in a launch changes how it starts."""
    return Plan("attach", {}, argv=engine(host))


def check(host: Host) -> str:
    """PHP itself; whether it has Xdebug is asked when a program is launched."""
    return "" if host.which("php") else "`php` is not on PATH"


def xdebug(php: str, cwd: str) -> Any:
    """The option that loads Xdebug, where it is not loaded already.

    Raises:
        SetupError: this PHP has none.
    """
    for option in ((), ("-dzend_extension=xdebug",)):
        ran = yield Run((php, *option, "-r", PROBE), cwd, purpose="find Xdebug", timeout_seconds=20)
        version = ran.stdout.strip().rpartition(" ")[2]
        if version[:1].isdigit() and int(version.split(".")[0]) >= 3:
            return option
    raise SetupError(f"`{php}` has no Xdebug 3", INSTALL)


def installs(host: Host) -> Installing:
    """PHP with Xdebug, where this PHP has none."""
    php = host.which("php")
    if php is None:
        return (PHP,)
    try:
        yield from xdebug(php, "")
    except SetupError as lacking:
        return (replace(PHP, why=str(lacking)),)
    return ()


def plan(launch: Launch, host: Host) -> Planning:
    """Run a script whose Xdebug connects to the engine."""
    php = launch.executable or host.which("php")
    if php is None:
        raise SetupError("`php` is not on PATH", INSTALL)
    if not launch.program:
        raise UsageError("there is no script to run", "pass `scriptPath`")
    ours = {**launch.config, **launch.extra}
    options = yield from xdebug(php, launch.cwd)
    argv = (
        php,
        *options,
        "-dxdebug.mode=debug",
        "-dxdebug.start_with_request=yes",
        "-dxdebug.client_host={host}",
        "-dxdebug.client_port={port}",
        "-dxdebug.log_level=0",
        "-dhtml_errors=0",
        *map(str, ours.pop("runtimeArgs", ())),
        launch.program,
        *launch.args,
    )
    filters, classes = exceptions(launch.exceptions)
    return Plan(
        "attach",
        {"port": 0, "once": True, "stopOnEntry": launch.stop_on_entry, **mappings(launch.path_mappings), **ours},
        argv=engine(host),
        program=Program(argv, launch.cwd, launch.env, terminal=launch.terminal, when="phpListening"),
        exception_filters=filters,
        exception_options=classes,
    )


def mappings(pairs: tuple[tuple[str, str], ...]) -> dict[str, Any]:
    """Path mappings in the engine's words."""
    return {"pathMappings": [{"localRoot": local, "remoteRoot": remote} for local, remote in pairs]}


def exceptions(wanted: str | tuple[str, ...]) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...]]:
    """Filters, and options for classes."""
    if isinstance(wanted, str):
        return {"uncaught": ("uncaught",), "all": ("thrown",), "none": (), "test": ("thrown",)}[wanted], ()
    path = [{"names": ["PHP Exceptions"]}, {"names": list(wanted)}]
    return (), ({"path": path, "breakMode": "always"},)


def attach(target: Attach, host: Host) -> Planning:
    """Listen for PHP requests: a web server's, or scripts that somebody starts."""
    filters, classes = exceptions(target.exceptions)
    port = target.port or XDEBUG_PORT
    arguments = {"host": target.host, "port": port, "stopOnEntry": False, **mappings(target.path_mappings)}
    return Plan(
        "attach",
        {**arguments, **target.config},
        argv=engine(host),
        exception_filters=filters,
        exception_options=classes,
        notes=(f"listening for Xdebug on {target.host}:{port}; a PHP request that comes with a trigger is debugged",),
    )
    yield


def hit_condition(condition: str) -> str | None:
    """Xdebug counts `==`, `>=` and `%`; the rest is ours."""
    text = condition.replace(" ", "")
    return text if text[:1] not in "<" and not text.startswith("!") else None


def internal_frame(frame: Frame) -> bool:
    """Code of others, and what is evaluated."""
    return "/vendor/" in frame.file or frame.file.startswith(("dbgp:", "xdebug:"))


ADAPTER = Adapter(
    language="php",
    display_name="PHP",
    extensions=(".php", ".phtml", ".phpt"),
    dap_id="php",
    engine="dapwright.engines.php (Xdebug)",
    plan=plan,
    attach=attach,
    warm=warm,
    check=check,
    setup=INSTALL,
    installs=installs,
    internal_frame=internal_frame,
    aliases=("xdebug",),
    comment="//",
    hit_condition=hit_condition,
    function_breakpoints="ours",
    accepts_and_ignores=frozenset({"conditions"}),  # a condition that fails is passed over without a word
    modes=frozenset({"port"}),
    launch_keys=frozenset({"runtimeArgs", "pathMappings"}),
    tested="run for real here, with PHP 8.2.36 and Xdebug 3.2.0",
)
