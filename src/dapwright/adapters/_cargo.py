"""Cargo: what it builds, in its own words (`--message-format=json`)."""

import json
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from dapwright.adapters._compile import Building, tail
from dapwright.core.errors import BuildError, SetupError, UsageError
from dapwright.core.model import Host, Launch, Ran, Run

Artifact = Mapping[str, Any]


def cargo(host: Host) -> str:
    """Where cargo is.

    Raises:
        SetupError: nowhere.
    """
    found = host.which("cargo") or f"{host.home}/.cargo/bin/cargo"
    if host.which("cargo") is None and not host.is_file(found):
        raise SetupError("there is no cargo", "install Rust: https://rustup.rs")
    return found


def manifest(path: str, host: Host) -> str:
    """The nearest Cargo.toml at or above a path; "" where there is none."""
    folder = path if host.is_dir(path) else path.rpartition("/")[0]
    while folder:
        if host.is_file(f"{folder}/Cargo.toml"):
            return f"{folder}/Cargo.toml"
        folder = folder.rpartition("/")[0]
    return ""


def build(host: Host, cwd: str, words: Sequence[str]) -> Generator[Run, Ran, list[Artifact]]:
    """Run cargo and return the executables that it names.

    Raises:
        BuildError: it failed; the message holds the compiler's errors.
    """
    argv = (cargo(host), *words, "--message-format=json")
    ran = yield Run(argv, cwd=cwd, purpose="build")
    messages = [_decode(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    if ran.code != 0:
        errors = [m["message"]["rendered"] for m in messages if _is_error(m)]
        said = tail("".join(dict.fromkeys(errors))) or tail(ran.stderr)
        raise BuildError(f"cargo could not build it: {said}", "mend the source and start again")
    return [m for m in messages if m.get("reason") == "compiler-artifact" and m.get("executable")]


def _decode(line: str) -> dict[str, Any]:
    try:
        message: dict[str, Any] = json.loads(line)
    except ValueError:
        return {}
    return message


def _is_error(message: Artifact) -> bool:
    return message.get("reason") == "compiler-message" and message["message"].get("level") == "error"


def words_for(source: str, config: Mapping[str, Any], *, test: bool) -> list[str]:
    """Cargo's arguments for a source and `adapterLaunchConfig.cargo`."""
    wanted = dict(config.get("cargo") or {})
    words = ["test", "--no-run"] if test else ["build"]
    for key in ("bin", "example", "test", "package", "features", "profile"):
        if wanted.get(key):
            words += [f"--{key}", str(wanted[key])]
    words += [
        f"--{key}" for key in ("release", "all-features", "no-default-features", "workspace", "lib") if wanted.get(key)
    ]
    named = any(wanted.get(key) for key in ("bin", "example", "test"))
    for folder, option in (("/examples/", "--example"), ("/src/bin/", "--bin"), ("/tests/", "--test")):
        if not named and folder in source and source.endswith(".rs"):
            rest = source.rpartition(folder)[2].removesuffix(".rs")
            words += [option, rest.removesuffix("/main")]
            words = ["test", "--no-run", *words[1:]] if option == "--test" and not test else words
            break
    return words


def program(launch: Launch, host: Host) -> Building:
    """Build the package of a source file or folder, and find the program that it means."""
    where = manifest(launch.program, host)
    words = words_for(launch.program, launch.config, test=False)
    found = yield from build(host, where.rpartition("/")[0], words)
    mine = [each for each in found if each["target"].get("src_path") == launch.program] or found
    mine = _default(mine) if len(mine) > 1 else mine
    if not mine:
        raise UsageError(
            f"`{where}` builds no program (is it a library?)",
            "pass an example or test by adapterLaunchConfig.cargo {example | test}, or call debug_test",
        )
    if len(mine) > 1:
        names = ", ".join(sorted(each["target"]["name"] for each in mine))
        raise UsageError(f"`{where}` builds several programs: {names}", "name one by adapterLaunchConfig.cargo {bin}")
    return mine[0]["executable"], (f"cargo {words[0]}: {mine[0]['executable']}",)


def _default(found: list[Artifact]) -> list[Artifact]:
    main = [each for each in found if str(each["target"].get("src_path", "")).endswith("/src/main.rs")]
    return main or found
