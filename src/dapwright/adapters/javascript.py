"""JavaScript on Node.js, by our own engine on the V8 inspector (engines/node)."""

import posixpath
from typing import Any

from dapwright.adapters._javascript_commands import runnable
from dapwright.adapters._javascript_tests import test_command
from dapwright.adapters._javascript_words import check_condition
from dapwright.core.adapter import Adapter
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Plan, Planning
from dapwright.core.parts import Part, told, where

NODE = Part("Node.js", ("apt-get install nodejs", "brew install node"), "https://nodejs.org (18 or newer)")
INSTALL = told(NODE)
FILTERS = {"uncaught": ("uncaught",), "all": ("all",), "none": ()}
KEYS = frozenset(
    {"runtimeExecutable", "runtimeArgs", "skipFiles", "sourceMapFolder", "autoAttachChildProcesses", "url", "webRoot"}
)


def engine(host: Host) -> tuple[str, ...]:
    """The command of the engine."""
    return (host.python, "-m", "dapwright.engines.node")


def plan(launch: Launch, host: Host) -> Planning:
    """Run a program, a project's folder, a script of npm's, or what `runtimeExecutable` and `runtimeArgs` run."""
    page = launch.config.get("url") or launch.extra.get("url")
    launch, notes = (launch, []) if page else runnable(launch, host)
    runtime = launch.executable or str(launch.config.get("runtimeExecutable") or "")
    if not runtime and not page and host.which("node") is None:
        raise SetupError("there is no `node` on PATH", f"install it: {INSTALL}")
    arguments: dict[str, Any] = {
        "program": launch.program,
        "args": list(launch.args),
        "cwd": launch.cwd or posixpath.dirname(launch.program),
        "env": dict(launch.env),
        "stopOnEntry": launch.stop_on_entry,
        "justMyCode": launch.just_my_code,
        "skipFiles": list(launch.skip_files),
        "autoAttachChildProcesses": launch.children,
        **({"runtimeExecutable": runtime} if runtime else {}),
        **{k: v for k, v in launch.config.items() if k != "runtimeExecutable"},
        **launch.extra,
    }
    filters, options = exceptions(launch.exceptions)
    return Plan(
        "launch", arguments, engine(host), exception_filters=filters, exception_options=options, notes=tuple(notes)
    )
    yield


def attach(target: Attach, host: Host) -> Planning:
    """Join a program by its inspector's port or address, or by its process id."""
    address = target.config.get("websocketAddress")
    if target.port is None and target.process_id is None and not address:
        raise UsageError("nothing says what to attach to", "give `port` (of `node --inspect`) or `processId`")
    reach = {"port": target.port, "processId": target.process_id, "websocketAddress": address}
    arguments: dict[str, Any] = {
        "host": target.host,
        "cwd": target.cwd,
        "stopOnEntry": target.stop_on_entry,
        "justMyCode": target.just_my_code,
        "timeout": target.timeout_ms,
        **{k: v for k, v in target.config.items() if k != "websocketAddress"},
        **{k: v for k, v in reach.items() if v is not None},
    }
    filters, options = exceptions(target.exceptions)
    return Plan("attach", arguments, engine(host), exception_filters=filters, exception_options=options)
    yield


def exceptions(wanted: str | tuple[str, ...]) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...]]:
    """Return (filters, exception options): class names are the end of an option's path."""
    if isinstance(wanted, str):
        return FILTERS.get(wanted, ("uncaught",)), ()
    path = [{"names": ["JavaScript Exceptions"]}, {"names": list(wanted)}]
    return (), ({"path": path, "breakMode": "always"},)


def warm(host: Host, executable: str) -> Plan:
    """The engine knows no program until it is told one, so it can be started at any time."""
    return Plan("launch", {}, engine(host))


def check(host: Host) -> str:
    """Why nothing can be launched here."""
    return "" if host.which("node") else f"there is no `node` on PATH: {INSTALL}"


def internal_frame(frame: Frame) -> bool:
    """Node's own code, packages, and the labels between awaited callers, as the engine marks them."""
    return frame.hint in ("subtle", "label") or frame.file.startswith("node:")


ADAPTER = Adapter(
    refuse_effects=lambda expression: None,
    language="javascript",
    display_name="JavaScript",
    extensions=(".js", ".mjs", ".cjs"),
    dap_id="node",
    engine="our own, on the V8 inspector",
    follows=True,
    unfollowed="a Node that is started without our `NODE_OPTIONS`",
    reloads=True,
    traces=True,
    input_request=True,
    plan=plan,
    attach=attach,
    warm=warm,
    check=check,
    internal_frame=internal_frame,
    aliases=("js", "node", "nodejs"),
    tested="run for real here: Node.js 20.20, 22.20, 24.22",
    exception_filters=FILTERS,
    comment="//",
    hit_condition=lambda condition: condition,
    one_meaning=True,
    columns=True,
    launches_folders=True,
    module_launch=True,
    check_condition=check_condition,
    modes=frozenset({"port", "processId", "websocketAddress"}),
    setup=INSTALL,
    installs=where(lambda host: host.which("node") is None, NODE),
    test_command=test_command,
    launch_keys=KEYS,
)
