"""A test of Python as a command, from any form in which a runner or a person names it."""

import json
import re
import shlex
from collections.abc import Callable, Generator
from dataclasses import dataclass

from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch, Ran, Run, TestCommand, TestTarget

RUNNERS = ("pytest", "unittest")
ENDPOINT = "{endpoint}"
"""Stands in the launch for where the runner's plugin tells what it sees: `[port, nonce]`."""
_TOLD = re.compile(r"^(?:FAILED|ERROR|PASSED|SKIPPED|XFAIL|XPASS)\s+(\S.*?)(?:\s+-\s.*)?$|^(?:FAIL|ERROR):\s+(.*)$")
_UNITTEST = re.compile(r"^(\w+) \(([\w.]+)\)$")
_LINE = re.compile(r"^(.+\.pyw?):(\d+)$")
_DOTTED = re.compile(r"^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$")
_ROOTS = ("pyproject.toml", "pytest.ini", "tox.ini", "setup.cfg", "setup.py", ".git")
_ASK = "import importlib.util as u; print(u.find_spec('pytest') is not None)"

Choose = Callable[[str, str, Host], tuple[str, str]]


@dataclass(frozen=True)
class Named:
    """A test as somebody named it: what to hand to the runner, and which runner speaks so."""

    arguments: tuple[str, ...]
    runner: str = ""
    line: tuple[str, int] | None = None


def read(test: str, host: Host, cwd: str) -> Named:
    """Understand a test id, a file, an expression or a whole command line.

    Raises:
        UsageError: it names nothing.
    """
    text = test.strip()
    if found := _TOLD.match(text):
        text = (found[1] or found[2]).strip()
    if not text:
        raise UsageError("`test` names nothing", "pass a test id as the runner prints it, a file, or a folder")
    if (command := _command(text)) is not None:
        return command
    if found := _UNITTEST.match(text):
        name, owner = found[1], found[2]
        return Named((owner if owner.rsplit(".", 1)[-1] == name else f"{owner}.{name}",), "unittest")
    if found := _LINE.match(text):
        path = absolute(found[1], cwd)
        return Named((path,), "pytest", (path, int(found[2])))
    if text.startswith("-"):
        return Named(tuple(shlex.split(text)), "pytest")
    if "::" in text:
        return Named((text,), "pytest")
    return Named((text,))


def _command(text: str) -> Named | None:
    """A command line of a runner, from after its name on."""
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    while words and re.match(r"^[A-Za-z_]\w*=", words[0]):
        del words[0]
    name = words[0].replace("\\", "/").rsplit("/", 1)[-1] if words else ""
    if name in ("pytest", "py.test"):
        return Named(tuple(words[1:]), "pytest")
    if re.match(r"^python[\d.]*(\.exe)?$|^py$", name) and len(words) > 2 and words[1] == "-m" and words[2] in RUNNERS:
        return Named(tuple(words[3:]), words[2])
    return None


def absolute(path: str, cwd: str) -> str:
    """A path against a folder."""
    return path if path.startswith("/") or re.match(r"^[A-Za-z]:[\\/]", path) or not cwd else f"{cwd}/{path}"


def folder_of(named: Named, cwd: str, host: Host) -> str:
    """The folder to run in: the one given, unless the test lies elsewhere; then the root of its project."""
    for word in named.arguments:
        path = absolute(word.split("::")[0], cwd)
        if word.startswith("-") or not (host.is_file(path) or host.is_dir(path)):
            continue
        if cwd and (path == cwd or path.startswith(cwd + "/")):
            return cwd
        own = path if host.is_dir(path) else path.rsplit("/", 1)[0]
        folder = own
        while folder:
            if any(host.is_file(f"{folder}/{name}") or host.is_dir(f"{folder}/{name}") for name in _ROOTS):
                return folder
            folder = folder.rsplit("/", 1)[0]
        return own
    return cwd


def dotted(word: str, cwd: str) -> str:
    """`tests/test_a.py::Case::test` as unittest names it."""
    path, *names = word.split("::")
    path = path.removeprefix(cwd + "/").removeprefix("./")
    module = path.removesuffix(".py").strip("/").replace("/", ".")
    return ".".join([module, *(name.split("[")[0] for name in names)])


def _path(word: str, cwd: str, host: Host) -> str:
    """`pkg.mod.Class.test` as pytest names it; unchanged where no such file is found."""
    if host.is_file(absolute(word, cwd)):
        return word
    parts = word.split(".")
    for count in range(len(parts), 0, -1):
        path = f"{cwd}/{'/'.join(parts[:count])}"
        if host.is_file(f"{path}.py"):
            return "::".join([f"{'/'.join(parts[:count])}.py", *parts[count:]])
        if count == len(parts) and host.is_dir(path):
            return "/".join(parts)
    return word


def command(choose: Choose) -> "Callable[[TestTarget, Host], Generator[Run, Ran, TestCommand]]":
    """Make the function that turns a target into a command, given how an interpreter is chosen."""

    def made(target: TestTarget, host: Host) -> "Generator[Run, Ran, TestCommand]":
        named = read(target.test, host, target.cwd)
        cwd = folder_of(named, target.cwd, host)
        if target.runner and target.runner not in RUNNERS:
            raise UsageError(f"`{target.runner}` is not a runner of Python tests here", "pass pytest or unittest")
        python, runner, notes = yield from _interpreter(target, named, cwd, choose, host)
        words = _words(named, runner, cwd, host)
        config = {"runner": runner, "to": ENDPOINT, "stop": True}
        if named.line:
            config["line"] = list(named.line)
        launch = Launch(
            program=host.packages["inject"] + "/python_tests.py",
            args=(json.dumps(config), *words, *target.args),
            env=target.env,
            cwd=cwd,
            exceptions="none",
            executable=python,
            test=True,
            config=target.config,
        )
        return TestCommand(launch, (python, "-m", runner, *words, *target.args), notes=notes)

    return made


def _words(named: Named, runner: str, cwd: str, host: Host) -> tuple[str, ...]:
    if runner == "unittest":
        if any(word.startswith("-k") for word in named.arguments) or not named.arguments:
            return named.arguments
        files = [w for w in named.arguments if "::" in w or (w.endswith(".py") and host.is_file(absolute(w, cwd)))]
        folders = [w for w in named.arguments if host.is_dir(absolute(w, cwd))]
        if folders:
            return ("discover", "-s", folders[0])
        return tuple(dotted(w, cwd) if w in files else w for w in named.arguments)
    return tuple(_path(w, cwd, host) if _DOTTED.match(w) else w for w in named.arguments)


def _interpreter(
    target: TestTarget, named: Named, cwd: str, choose: Choose, host: Host
) -> "Generator[Run, Ran, tuple[str, str, tuple[str, ...]]]":
    """Choose the interpreter as a launch would, and a runner that it has; with what there is to say of it."""
    python, why = choose(target.executable, cwd, host)
    runner = target.runner or named.runner
    if runner == "unittest":
        return python, runner, _said(python, why)
    if (yield from _has_pytest(python, cwd)):
        return python, "pytest", _said(python, why)
    if why == "dapwright's own":
        for name in ("python3", "python"):
            other = host.which(name)
            if other and other != python and (yield from _has_pytest(other, cwd)):
                return other, "pytest", (f"interpreter: {other} (the first on PATH that has pytest)",)
    if runner == "pytest" and not all(word.count("::") > 1 for word in named.arguments):
        raise SetupError(f"pytest is not installed for `{python}`", f"{python} -m pip install pytest")
    return python, "unittest", (f"interpreter: {python} ({why}); it has no pytest, so unittest runs the test",)


def _said(python: str, why: str) -> tuple[str, ...]:
    """Which interpreter was chosen, unless the caller knows."""
    return () if why == "as asked" else (f"interpreter: {python} ({why})",)


def _has_pytest(python: str, cwd: str) -> "Generator[Run, Ran, bool]":
    ran = yield Run((python, "-c", _ASK), cwd, purpose="look for pytest", timeout_seconds=20)
    if ran.code != 0:
        raise SetupError(f"`{python}` does not run: {ran.stderr.strip()[-500:]}", "pass another as `executablePath`")
    return ran.stdout.strip() == "True"
