"""A process of a few hundred kilobytes that ends what we started, should we be killed outright.

It is told of every process group; at the end of its input, which is our end however it
came, it kills the groups that are left, and whatever carries our mark. A debugger that has
attached to a process which lives on is given three seconds to let go of it by itself: killed
outright it would leave its breakpoints in the program, which dies at the first that it reaches.
"""

import contextlib
import os
import subprocess

MARK = "DAPWRIGHT_OWNER"
OWNER = os.urandom(8).hex()
"""Names this server in the environment of all that it starts; a session's own mark begins with it."""

_GUARD = """
trap '' HUP INT TERM
groups= spared=
without() { left=; for g in $2; do [ "$g" = "$1" ] || left="$left $g"; done; echo "$left"; }
while read -r op group; do
  case $op in
    add) groups="$groups $group" ;;
    spare) groups=$(without "$group" "$groups"); spared="$spared $group" ;;
    del) groups=$(without "$group" "$groups"); spared=$(without "$group" "$spared") ;;
  esac
done
for g in $groups; do kill -s KILL -- "-$g" 2>/dev/null; done
tenths=0
while [ $tenths -lt 30 ]; do
  alive=
  for g in $spared; do kill -s 0 -- "-$g" 2>/dev/null && alive="$alive $g"; done
  [ -n "$alive" ] || break
  [ $tenths -ne 15 ] || for g in $alive; do kill -s TERM -- "-$g" 2>/dev/null; done
  tenths=$((tenths + 1))
  sleep 0.1
done
for g in $spared; do kill -s KILL -- "-$g" 2>/dev/null; done
for round in 1 2 3; do
  for file in $(grep -lsz "^@MARK@=" /proc/[0-9]*/environ); do
    pid=${file#/proc/}; pid=${pid%/environ}
    [ "$pid" = "$$" ] || kill -KILL "$pid" 2>/dev/null
  done
done
"""
_guard: "subprocess.Popen[bytes] | None" = None


def tell(operation: str, group: int) -> None:
    """Keep the guard's list of groups (`add`, `spare`, `del`); started with our first process (POSIX only)."""
    global _guard
    if os.name != "posix":
        return
    if _guard is None or _guard.poll() is not None:
        script = _GUARD.replace("@MARK@=", f"{MARK}={OWNER}:")
        _guard = subprocess.Popen(
            ["/bin/sh", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    assert _guard.stdin
    with contextlib.suppress(OSError):
        _guard.stdin.write(f"{operation} {group}\n".encode())
        _guard.stdin.flush()
