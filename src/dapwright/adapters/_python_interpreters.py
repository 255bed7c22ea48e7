"""Which Python runs a program: the one asked for, the project's own, the environment's, ours."""

import base64
import hashlib
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from dapwright.core.errors import SetupError
from dapwright.core.model import Host

INSIDE = ("bin/python", "Scripts/python.exe", "python.exe")
CONDAS = ("miniconda3", "anaconda3", "miniforge3", "mambaforge", "micromamba", ".conda")
ISOLATED = ("/pipx/", "/uv/tools/", "/uv/archive-", "/.cache/uv/", "\\pipx\\", "\\uv\\")
"""Where tools live in environments of their own: nobody's program runs there."""


def interpreter(asked: str, cwd: str, host: Host) -> tuple[str, str]:
    """Choose the interpreter and say why, in this order: `executablePath`, the project's `.venv`, its conda,
    pyenv, poetry and uv environments, those that are active (`VIRTUAL_ENV`, `CONDA_PREFIX`), then our own.

    Raises:
        SetupError: the one asked for does not exist.
    """
    if asked:
        return _asked(asked, host), "as asked"
    for folder in parents(cwd, host.home):
        for find in (_venv, _conda, _pyenv, _poetry, _uv):
            if (found := find(folder, host)) is not None:
                return found
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        if (prefix := host.env.get(variable)) and (python := inside(prefix, host)):
            return python, f"of {variable}"
    if any(part in host.python for part in ISOLATED):
        for name in ("python3", "python"):
            if (found_there := host.which(name)) is not None:
                return found_there, "of the PATH"
    return host.python, "dapwright's own"


def _asked(asked: str, host: Host) -> str:
    if host.is_dir(asked):
        if python := inside(asked, host):
            return python
        raise SetupError(f"there is no interpreter in `{asked}`", "pass the path of one as `executablePath`")
    if not host.is_file(asked) and host.which(asked) is None:
        raise SetupError(f"there is no interpreter at `{asked}`", "pass the path of one as `executablePath`")
    return asked


def parents(folder: str, home: str) -> Iterator[str]:
    """A folder and those above it, the person's home left out."""
    while folder and folder != home:
        yield folder
        above = folder.rsplit("/", 1)[0]
        folder = above if above != folder else ""


def inside(prefix: str, host: Host) -> str:
    """The interpreter of an environment; "" where there is none."""
    return next((f"{prefix}/{name}" for name in INSIDE if host.is_file(f"{prefix}/{name}")), "")


def _venv(folder: str, host: Host) -> tuple[str, str] | None:
    for name in (".venv", "venv"):
        if python := inside(f"{folder}/{name}", host):
            return python, f"of the project's {name}"
    return None


def _conda(folder: str, host: Host) -> tuple[str, str] | None:
    for prefix in (f"{folder}/.conda", f"{folder}/env"):
        if host.is_dir(f"{prefix}/conda-meta") and (python := inside(prefix, host)):
            return python, "of the project's conda environment"
    for name in ("environment.yml", "environment.yaml"):
        named = re.search(r"^name:\s*([\w.-]+)", host.read(f"{folder}/{name}"), re.M)
        if named is None:
            continue
        roots = [host.env.get("MAMBA_ROOT_PREFIX", ""), *(f"{host.home}/{conda}" for conda in CONDAS)]
        for root in filter(None, roots):
            if python := inside(f"{root}/envs/{named[1]}", host):
                return python, f"of the conda environment {named[1]}"
    return None


def _pyenv(folder: str, host: Host) -> tuple[str, str] | None:
    wanted = host.read(f"{folder}/.python-version").split()
    root = host.env.get("PYENV_ROOT") or f"{host.home}/.pyenv"
    for name in wanted:
        for version in (name, *reversed(_numbered(f"{root}/versions/{name}.*", host))):
            prefix = version if version.startswith(root) else f"{root}/versions/{version}"
            if python := inside(prefix, host):
                return python, f"of pyenv, {name} by .python-version"
    return None


def _numbered(pattern: str, host: Host) -> list[str]:
    """Folders that match, by the numbers in their names."""
    return sorted(host.glob(pattern), key=lambda path: [int(n) for n in re.findall(r"\d+", path.rsplit("/", 1)[-1])])


def _poetry(folder: str, host: Host) -> tuple[str, str] | None:
    project = _project(folder, host)
    if "poetry" not in project.get("tool", {}) and not host.is_file(f"{folder}/poetry.lock"):
        return None
    name = str(project.get("tool", {}).get("poetry", {}).get("name") or project.get("project", {}).get("name") or "")
    digest = base64.urlsafe_b64encode(hashlib.sha256(folder.encode()).digest()).decode()[:8]
    cache = host.env.get("POETRY_CACHE_DIR") or host.cache.rsplit("/", 1)[0] + "/pypoetry"
    place = host.env.get("POETRY_VIRTUALENVS_PATH") or f"{cache}/virtualenvs"
    plain = re.sub(r'[ $`!*@"\\\r\n\t]', "_", name.lower())[:42]
    for prefix in _numbered(f"{place}/{plain}-{digest}-py*", host):
        if python := inside(prefix, host):
            return python, "of the project's poetry environment"
    return None


def _uv(folder: str, host: Host) -> tuple[str, str] | None:
    if not host.is_file(f"{folder}/uv.lock") or not (place := host.env.get("UV_PROJECT_ENVIRONMENT")):
        return None
    prefix = place if place.startswith("/") else f"{folder}/{place}"
    python = inside(prefix, host)
    return (python, "of the project's uv environment") if python else None


def _project(folder: str, host: Host) -> dict[str, Any]:
    try:
        return tomllib.loads(host.read(f"{folder}/pyproject.toml"))
    except tomllib.TOMLDecodeError:
        return {}
