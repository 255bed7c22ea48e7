"""The only reader of source files: paths made whole, text decoded, readings kept as long as the file is unchanged."""

# Paths here are text, as the protocols write them: pathlib would fold `a/../b` only by following links, and drop `./`.
import os
import stat
import unicodedata
from collections import OrderedDict
from difflib import get_close_matches
from pathlib import Path

from dapwright.core import source
from dapwright.core.errors import UsageError
from dapwright.core.source import SourceFile
from dapwright.policy import folders

LARGEST = 50 * 1024 * 1024
"""Bytes beyond which a file is no source that a person wrote."""
KEPT = 128
"""Readings that are kept; the one used longest ago goes first."""
_roots: tuple[str, ...] = ()
_readings: OrderedDict[tuple[str, int, int], SourceFile] = OrderedDict()


def confine(roots: tuple[str, ...]) -> None:
    """Allow only what lies in these folders from now on; none allow everything."""
    global _roots
    _roots = tuple(os.path.realpath(os.path.expanduser(root)) for root in roots)


def check(path: str) -> str:
    """Return a path that may be used; links are followed before it is judged.

    Raises:
        NotAllowed: it lies outside of the allowed folders.
    """
    if _roots:
        folders.require(os.path.realpath(path), _roots, asked=path, separator=os.sep)
    return path


def read(path: str) -> SourceFile:
    """Read a source file; an unchanged file (by modification time and size) is the same reading.

    Raises:
        UsageError: there is no such file, or it is no source: the message says what to do.
    """
    status = look(path)
    key = (path, status.st_mtime_ns, status.st_size)
    if key in _readings:
        _readings.move_to_end(key)
        return _readings[key]
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise UsageError(
            f"`{path}` cannot be read: {error.strerror}", "make it readable, or name another file"
        ) from error
    file = source.read(path, data)
    for old in [k for k in _readings if k[0] == path]:
        del _readings[old]
    _readings[key] = file
    while len(_readings) > KEPT:
        _readings.popitem(last=False)
    return file


def written_after(path: str, seconds: float) -> bool:
    """Whether a file was last written after a point in time (seconds since the epoch); a lost one was not."""
    try:
        return os.stat(path).st_mtime > seconds
    except (OSError, ValueError):
        return False


def look(path: str) -> os.stat_result:
    """Return a source file's status, or refuse what cannot be one."""
    if "\0" in path:
        raise UsageError(f"a path holds no NUL character: {path!r}", "give the file's path")
    check(path)
    try:
        status = os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        raise missing(path) from None
    except (OSError, ValueError) as error:
        raise UsageError(f"`{path}` cannot be read: {error}", "give the path of a source file") from error
    if stat.S_ISDIR(status.st_mode):
        raise UsageError(f"`{path}` is a folder, not a source file", "name a file in it: " + some(path))
    if not stat.S_ISREG(status.st_mode):
        raise UsageError(f"`{path}` is no regular file", "give the path of a source file")
    if status.st_size > LARGEST:
        size = status.st_size // (1024 * 1024)
        raise UsageError(
            f"`{path}` is too large for a source file ({size} MB; the limit is 50 MB)", "name a source file"
        )
    return status


def missing(path: str) -> UsageError:
    """Make the error of a path that names nothing, with the nearest names in its folder."""
    folder, name = os.path.split(path)
    if not os.path.isdir(folder or "."):
        while folder and not os.path.isdir(folder) and os.path.dirname(folder) != folder:
            folder = os.path.dirname(folder)
        return UsageError(
            f"there is no file `{path}`: the path exists up to `{folder or '.'}`", "its entries: " + some(folder or ".")
        )
    names = entries(folder or ".")
    lower = {n.lower(): n for n in names}
    close = [lower[n] for n in get_close_matches(name.lower(), lower, 5, 0.5)]
    if close:
        forms = " (the same letters, composed in another way: copy the name from here)"
        told = [f"`{n}`{forms if composed(n) == composed(name) and n != name else ''}" for n in close]
        return UsageError(f"there is no file `{path}`", "the nearest in that folder: " + ", ".join(told))
    return UsageError(f"there is no file `{path}`", f"in `{folder or '.'}` there are: " + some(folder or "."))


def entries(folder: str) -> list[str]:
    """Return the names in a folder, in order; none where it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def some(folder: str, count: int = 10) -> str:
    """Write the first names in a folder, hidden ones left aside."""
    names = [n for n in entries(folder) if not n.startswith(".")]
    more = f" and {len(names) - count} more" if len(names) > count else ""
    return (", ".join(f"`{n}`" for n in names[:count]) or "nothing") + more


def resolve(path: str, cwd: str) -> str:
    """Make a path absolute: `~` expanded, a relative one taken against `cwd`, `.` and `..` removed, links kept."""
    full = os.path.join(cwd, os.path.expanduser(path))
    full = os.path.normpath(os.path.join(os.getcwd(), full))
    return full if full.isascii() or "\0" in full or os.path.lexists(full) else as_composed(full)


def as_composed(path: str) -> str:
    """Return the one path that says the same with its letters composed in another way (`é` as `e` and an accent).

    The same path where there is none, or where several names of a folder say so.
    """
    folder, name = os.path.split(path)
    if not name or os.path.lexists(path):
        return path
    folder = as_composed(folder)
    alike = [] if name in (names := entries(folder)) else [n for n in names if composed(n) == composed(name)]
    return os.path.join(folder, alike[0] if len(alike) == 1 else name)


def composed(name: str) -> str:
    """Return a name with its letters composed (NFC)."""
    return unicodedata.normalize("NFC", name)


def canonical(path: str) -> str:
    """Return the one spelling of a path: links followed, and the case that the folder has for it."""
    real = os.path.realpath(path)
    folder, name = os.path.split(real)
    if not name or not os.path.lexists(real):
        return real
    names = entries(folder)
    if not names or name in names:
        return os.path.join(canonical(folder) if other_case(folder) else folder, name)
    spelled = [n for n in names if n.lower() == name.lower() and same(os.path.join(folder, n), real)]
    return os.path.join(canonical(folder), spelled[0]) if spelled else real


def other_case(folder: str) -> bool:
    """Tell whether a file system finds a folder by another case, so that its path may be spelled in several ways."""
    swapped = folder.swapcase()
    return swapped != folder and os.path.exists(swapped) and os.path.samefile(swapped, folder)


def same(one: str, other: str) -> bool:
    """Tell whether two paths name one file: by the file itself where it exists, else by the path."""
    try:
        return os.path.samefile(one, other)
    except (OSError, ValueError):
        return os.path.normcase(os.path.realpath(one)) == os.path.normcase(os.path.realpath(other))
