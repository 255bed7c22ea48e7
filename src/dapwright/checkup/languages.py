"""Which languages can be launched and attached to here, and what is missing for the others."""

from dapwright.checkup.finding import Finding
from dapwright.checkup.versions import drive, versions
from dapwright.core import parts
from dapwright.core.adapter import Adapter
from dapwright.core.model import Host


def unfit(adapter: Adapter, host: Host) -> tuple[parts.Part, ...]:
    """What is here but does not do, by its own word: a Delve too old for the Go, a PHP without Xdebug."""
    if adapter.installs is None:
        return ()
    return tuple(one for one in drive(adapter.installs(host)) if one.why)


def language(adapter: Adapter, host: Host) -> Finding:
    """One language: what it needs is looked for; nothing of it is run but its tools' version."""
    missing = adapter.check(host) if adapter.plan is not None else "it cannot be launched"
    if missing:
        return Finding(adapter.language, "missing", f"{adapter.engine}: {missing}", adapter.setup)
    if lacking := unfit(adapter, host):
        told = "; ".join(one.why or f"there is no {one.name}" for one in lacking)
        return Finding(adapter.language, "missing", f"{adapter.engine}: {told}", parts.told(*lacking))
    found = versions(adapter, host)
    told = f"{adapter.engine} ({found})" if found and found != adapter.engine else adapter.engine
    if adapter.attach is None:
        return Finding(adapter.language, "ok", f"{told}; launch")
    barred = adapter.check_attach(host)
    return Finding(adapter.language, "ok", f"{told}; launch" + (f"; no attaching: {barred}" if barred else ", attach"))
