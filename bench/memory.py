"""What a process and all below it hold, in MB. Linux alone: elsewhere it is None."""

from pathlib import Path

PROC = Path("/proc")


def tree(pid: int) -> list[int]:
    """Return `pid` and the ids of all processes below it."""
    below: dict[int, list[int]] = {}
    for entry in PROC.glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        below.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [pid]
    while todo:
        one = todo.pop()
        found.append(one)
        todo += below.get(one, [])
    return found


def megabytes(pid: int) -> float | None:
    """Return the proportional set size of the tree below `pid` in MB, or None where it cannot be known."""
    if not PROC.is_dir():
        return None
    total = 0
    for one in tree(pid):
        try:
            rollup = (PROC / str(one) / "smaps_rollup").read_text()
        except OSError:
            continue
        total += sum(int(line.split()[1]) for line in rollup.splitlines() if line.startswith("Pss:"))
    return total / 1024
