"""The folders that may be debugged. Paths here are canonical already: links are followed before anything is judged."""

from collections.abc import Sequence

from dapwright.core.errors import NotAllowed


def contains(folder: str, path: str, *, separator: str = "/") -> bool:
    """Whether an absolute path is a folder, or lies in it."""
    folder = folder.rstrip(separator)
    return path == folder or path.startswith(folder + separator) or not folder


def require(path: str, roots: Sequence[str], *, asked: str, separator: str = "/") -> None:
    """Refuse a path outside of the allowed folders; without any, every path is allowed.

    Raises:
        NotAllowed: it lies in none of them; `asked` is how the call spelled it.
    """
    if roots and not any(contains(root, path, separator=separator) for root in roots):
        raise NotAllowed(
            f"`{asked}` lies outside of the folders that may be debugged here",
            "they are: " + ", ".join(f"`{root}`" for root in roots) + "; the person who runs the server sets them",
        )
