"""Whether a process can be joined by its id, judged from what Linux tells of it before anybody touches it."""

import re

from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host

SYS_PTRACE = 1 << 19
"""The bit of CAP_SYS_PTRACE in a capability mask."""


def check_process(pid: int, host: Host) -> None:
    """Refuse a process that does not exist, is no Python or may not be traced, or a machine without gdb.

    Raises:
        UsageError: it is the wrong process.
        SetupError: tracing is not permitted here, or gdb is missing.
    """
    if host.platform != "linux":
        return
    if not host.is_dir(f"/proc/{pid}"):
        raise UsageError(f"there is no process {pid}", "pass the id of a running Python program")
    status = host.read(f"/proc/{pid}/status")
    name = _field(status, "Name")
    if _field(status, "State").startswith(("Z", "X")):
        raise UsageError(f"process {pid} (`{name}`) has ended already", "pass the id of a running Python program")
    _check_rights(pid, name, status, host)
    mapped = host.read(f"/proc/{pid}/maps")
    if mapped and "python" not in mapped:
        raise UsageError(f"process {pid} is `{name}`, no Python program", "pass the id of a Python program")
    if host.which("gdb") is None and not takes_code(mapped):
        raise SetupError(
            "attaching to a Python process by its id needs gdb, which is not here",
            "install it (`apt-get install gdb`, or `pip install 'dapwright[native]'`), or start the program with"
            " `python -m debugpy --listen` and attach by `port`",
        )


def _check_rights(pid: int, name: str, status: str, host: Host) -> None:
    """The kernel's own rules: one's own processes alone, unless CAP_SYS_PTRACE; Yama may forbid those too."""
    mine = host.read("/proc/self/status")
    if int(_field(mine, "CapEff") or "0", 16) & SYS_PTRACE:
        return
    who, whose = _field(mine, "Uid").split(), _field(status, "Uid").split()
    if who and whose and who[:1] != whose[:1]:
        raise SetupError(
            f"process {pid} (`{name}`) belongs to another user (uid {whose[0]}, ours is {who[0]})",
            "run the debug server as that user, or give it CAP_SYS_PTRACE",
        )
    scope = host.read("/proc/sys/kernel/yama/ptrace_scope").strip()
    if scope in ("1", "2", "3"):
        raise SetupError(
            f"the kernel does not let us trace process {pid}: kernel.yama.ptrace_scope is {scope}",
            "run `sysctl kernel.yama.ptrace_scope=0`, or give the debug server CAP_SYS_PTRACE, or attach by `port`",
        )


def takes_code(mapped: str) -> bool:
    """Whether a process takes in code by itself: 3.14 and newer (PEP 768)."""
    return any(int(minor) >= 14 for minor in re.findall(r"python3\.(\d+)", mapped))


def injector(mapped: str) -> str:
    """The interpreter of a process that takes in code by itself; "" where there is none, or it is not told.

    `sys.remote_exec` must be called by an interpreter of the same version, so debugpy's adapter runs on that one.
    """
    found = re.search(r"(/\S*/python3\.\d+)\w*$", mapped, re.M)
    return found[1] if found and takes_code(found[1]) else ""


def _field(status: str, name: str) -> str:
    found = re.search(rf"^{name}:\s*(.*)$", status, re.M)
    return found[1].strip() if found else ""
