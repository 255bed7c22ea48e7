"""What is handed on of our own environment to the processes that we start."""

import os

HANDED_ON = frozenset(
    """
    PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM TMPDIR TEMP TMP DISPLAY XDG_RUNTIME_DIR XDG_CACHE_HOME
    SYSTEMROOT SYSTEMDRIVE COMSPEC PATHEXT WINDIR USERPROFILE APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES
    VIRTUAL_ENV CONDA_PREFIX JAVA_HOME GOPATH GOROOT GOCACHE GOMODCACHE CARGO_HOME RUSTUP_HOME DOTNET_ROOT
    """.split()  # noqa: SIM905
)
"""What a clean environment keeps of ours, beside `LC_*`."""
_clean = False


def clean(wanted: bool) -> None:
    """Hand on only `HANDED_ON` from now on, or all."""
    global _clean
    _clean = wanted


def inherited() -> dict[str, str]:
    """Our environment, or the part of it that is handed on."""
    return {
        name: value
        for name, value in os.environ.items()
        if not _clean or name.upper() in HANDED_ON or name.startswith("LC_")
    }
