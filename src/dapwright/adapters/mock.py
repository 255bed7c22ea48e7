"""A toy language with a debugger of our own: to try everything without a toolchain (engines/mock)."""

from typing import Any

from dapwright.core.adapter import Adapter
from dapwright.core.errors import UsageError
from dapwright.core.model import Attach, Host, Launch, Plan, Planning

KEYS = frozenset({"fault"})


def argv(host: Host, fault: str = "") -> tuple[str, ...]:
    """The adapter's command; `fault` is `STEP:DEED` (engines/mock/faults.py)."""
    command = (host.python, "-m", "dapwright", "adapter", "mock")
    return (*command, "--fault", fault) if fault else command


def warm(host: Host, executable: str) -> Plan | None:
    """The adapter alone: nothing but a fault changes how it starts."""
    return Plan("launch", {}, argv=argv(host))


def plan(launch: Launch, host: Host) -> Planning:
    """Launch a program."""
    extra = {**launch.config, **launch.extra}
    fault = str(extra.pop("fault", ""))
    arguments: dict[str, Any] = {
        "program": launch.program,
        "args": list(launch.args),
        "stopOnEntry": launch.stop_on_entry,
        **extra,
    }
    return Plan("launch", arguments, argv=argv(host, fault))
    yield  # a plan is a generator; this one asks nothing of the machine


def attach(target: Attach, host: Host) -> Planning:
    """Join an adapter that listens: `dapwright adapter mock --port N`."""
    if target.port is None:
        raise UsageError("the toy language is joined by `port`", "pass the port of `dapwright adapter mock --port N`")
    return Plan("attach", dict(target.config), channel="tcp", host=target.host, port=target.port)
    yield


ADAPTER = Adapter(
    language="mock",
    display_name="Mock",
    extensions=(".mock",),
    dap_id="mock",
    engine="dapwright's own",
    plan=plan,
    attach=attach,
    warm=warm,
    exception_filters={"uncaught": ("uncaught",), "all": ("uncaught",), "none": (), "named": ("uncaught",)},
    hit_condition=lambda condition: condition,
    one_meaning=True,
    modes=frozenset({"port"}),
    launch_keys=KEYS,
    tested="run for real here",
)
