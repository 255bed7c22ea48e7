"""`.vscode/launch.json` as other editors write it: read tolerantly, chosen by name, its variables filled in.

Nothing here reads a file or asks a person: both are told what is needed.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dapwright.core.errors import NotSupported, UsageError
from dapwright.core.lazy import regex

LANGUAGES: Mapping[str, str] = {
    **dict.fromkeys(("python", "debugpy"), "python"),
    **dict.fromkeys(("node", "pwa-node", "node2", "node-terminal", "bun"), "javascript"),
    **dict.fromkeys(("go", "dlv", "delve"), "go"),
    **dict.fromkeys(("cppdbg", "cppvsdbg", "lldb", "lldb-dap", "lldb-vscode", "codelldb", "gdb"), "cpp"),
    **dict.fromkeys(("java", "kotlin"), "java"),
    **dict.fromkeys(("rdbg", "ruby_lsp", "ruby"), "ruby"),
    **dict.fromkeys(("php", "xdebug"), "php"),
    **dict.fromkeys(("coreclr", "clr", "dotnet", "netcoredbg"), "dotnet"),
    **dict.fromkeys(("dart", "flutter"), "dart"),
    **dict.fromkeys(("lua", "lua-local", "lrdbg"), "lua"),
    **dict.fromkeys(("swift", "swift-lldb"), "swift"),
    "bashdb": "bash",
    "mix_task": "elixir",
}
"""The `type` of a configuration, as the common editors name it -> our language; another is taken as a language."""
EDITORS_OWN = frozenset(
    {"name", "type", "request", "presentation", "preLaunchTask", "postDebugTask", "internalConsoleOptions"}
    | {"serverReadyAction", "debugServer", "windows", "linux", "osx", "suppressMultipleSessionWarning", "envFile"}
)
ENGINES = {"lldb": "lldb", "lldb-dap": "lldb", "lldb-vscode": "lldb", "codelldb": "lldb", "gdb": "gdb"}
VARIABLE = regex(r"\$\{([^}]+)\}")
PLATFORMS = {"win32": "windows", "darwin": "osx"}


@dataclass(frozen=True, slots=True)
class Configuration:
    """A configuration in our words. `launch` and `attach` are arguments of our tools, under their wire names."""

    name: str
    language: str
    attaches: bool
    arguments: dict[str, Any]
    executable: str = ""
    task: str = ""
    env_file: str = ""


@dataclass(slots=True)
class Surroundings:
    """What variables stand for; `inputs` are the answers to `${input:...}`."""

    workspace: str
    file: str = ""
    home: str = ""
    separator: str = "/"
    platform: str = "linux"
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    inputs: Mapping[str, str] = field(default_factory=dict[str, str])


def read(text: str) -> dict[str, Any]:
    """Read JSON with comments and trailing commas.

    Raises:
        UsageError: it is none.
    """
    try:
        value = json.loads(plain(text.removeprefix("\ufeff")))
    except ValueError as wrong:
        raise UsageError(f"`launch.json` cannot be read: {wrong}", "mend the file, or pass `scriptPath`") from None
    if not isinstance(value, dict):
        raise UsageError("`launch.json` is no object", "mend the file, or pass `scriptPath`")
    return value


_TOKEN = regex(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]])', re.DOTALL)


def plain(text: str) -> str:
    """The same text as plain JSON: without comments, and without commas before a closing bracket."""
    return _TOKEN.sub(lambda found: found[0] if found[0].startswith('"') else " ", text)


def names(file: Mapping[str, Any]) -> list[str]:
    """The names that can be started, compounds too."""
    return [str(one["name"]) for one in [*_rows(file, "configurations"), *_rows(file, "compounds")] if one.get("name")]


def chosen(file: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """The configurations of a name: one, or all of a compound, in order.

    Raises:
        UsageError: there is none of that name; the names are listed.
    """
    single = {str(one.get("name")): one for one in _rows(file, "configurations")}
    if name in single:
        return [single[name]]
    compound = next((one for one in _rows(file, "compounds") if one.get("name") == name), None)
    if compound is None:
        listed = ", ".join(f"`{one}`" for one in names(file)) or "none"
        raise UsageError(f"there is no configuration `{name}`", f"there are: {listed}")
    parts = [str(one.get("name") if isinstance(one, dict) else one) for one in compound.get("configurations", [])]
    missing = [part for part in parts if part not in single]
    if missing or not parts:
        raise UsageError(f"the compound `{name}` names `{', '.join(missing)}`, which is not there", "mend launch.json")
    task = {"preLaunchTask": compound["preLaunchTask"]} if compound.get("preLaunchTask") else {}
    return [{**task, **single[parts[0]]}, *(single[part] for part in parts[1:])]


def inputs(configurations: Sequence[Any], file: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The questions that the variables `${input:ID}` of some configurations need answered.

    Raises:
        UsageError: an id is not declared.
    """
    declared = {str(one.get("id")): one for one in _rows(file, "inputs")}
    wanted = dict.fromkeys(name[6:] for one in configurations for name in _variables(one) if name.startswith("input:"))
    for identity in wanted:
        if identity not in declared:
            raise UsageError(f"`${{input:{identity}}}` is not declared in launch.json", "add it to `inputs`")
        if declared[identity].get("type") == "command":
            raise NotSupported(f"`${{input:{identity}}}` is a command of the editor", "pass the value as an argument")
    return [declared[identity] for identity in wanted]


def filled(value: Any, around: Surroundings) -> Any:
    """A part of a configuration with its variables filled in.

    Raises:
        UsageError: a variable has no value here.
    """
    if isinstance(value, str):
        return VARIABLE.sub(lambda found: _value(found[1], around), value)
    if isinstance(value, Mapping):
        return {key: filled(item, around) for key, item in value.items()}
    return [filled(item, around) for item in value] if isinstance(value, list) else value


def _value(name: str, around: Surroundings) -> str:
    kind, colon, rest = name.partition(":")
    if colon and kind == "env":
        return around.env.get(rest, "")
    if colon and kind == "input":
        return around.inputs[rest]
    if kind in ("workspaceFolder", "workspaceRoot"):
        return around.workspace
    simple = {
        "workspaceFolderBasename": around.workspace.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1],
        "userHome": around.home,
        "cwd": around.workspace,
        "pathSeparator": around.separator,
        "/": around.separator,
    }
    if name in simple:
        return simple[name]
    if name.startswith(("file", "relativeFile")):
        return _of_file(name, around)
    raise UsageError(f"`${{{name}}}` has no value outside of an editor", "pass what it stands for as an argument")


def _of_file(name: str, around: Surroundings) -> str:
    if not around.file:
        raise UsageError(f"`${{{name}}}` stands for the open file", "pass that file as `scriptPath` beside it")
    folder, _, base = around.file.replace("\\", "/").rpartition("/")
    stem, dot, extension = base.rpartition(".")
    relative = around.file.removeprefix(around.workspace).lstrip("/\\")
    known = {
        "file": around.file,
        "fileBasename": base,
        "fileBasenameNoExtension": stem if dot else base,
        "fileExtname": dot + extension if dot else "",
        "fileDirname": folder,
        "fileDirnameBasename": folder.rsplit("/", 1)[-1],
        "fileWorkspaceFolder": around.workspace,
        "relativeFile": relative,
        "relativeFileDirname": relative.replace("\\", "/").rpartition("/")[0] or ".",
    }
    if name not in known:
        raise UsageError(f"`${{{name}}}` is not a variable that is known here", "pass what it stands for")
    return known[name]


def translated(raw: Mapping[str, Any], around: Surroundings) -> Configuration:
    """A configuration in our words, its variables filled in; keys of its adapter go on to the adapter.

    Raises:
        UsageError: it cannot be started outside of its editor.
    """
    raw = {**raw, **(raw.get(PLATFORMS.get(around.platform, "linux")) or {})}
    env_file, task = str(filled(raw.get("envFile") or "", around)), raw.get("preLaunchTask")
    kind = str(raw.get("type") or "")
    rest = filled({key: value for key, value in raw.items() if key not in EDITORS_OWN}, around)
    attaches = raw.get("request") == "attach"
    executable = str(_taken(rest, "python", "pythonPath", "runtimeExecutable", "javaExec") or "")
    arguments = _attached(rest) if attaches else _launched(rest, ENGINES.get(kind.lower(), ""))
    return Configuration(
        name=str(raw.get("name")),
        language=LANGUAGES.get(kind.lower(), kind.lower()),
        attaches=attaches,
        arguments={key: value for key, value in arguments.items() if value not in (None, {}, [], "")},
        executable=executable if isinstance(executable, str) else "",
        task=str(task.get("label") if isinstance(task, dict) else task or ""),
        env_file=env_file,
    )


def _launched(rest: dict[str, Any], engine: str) -> dict[str, Any]:
    args = rest.pop("args", None)
    env = rest.pop("env", None) or {}
    environment = rest.pop("environment", None) or []
    env = {**{str(one.get("name")): one.get("value") for one in environment if isinstance(one, dict)}, **env}
    own = {
        "scriptPath": _taken(rest, "program", "script", "target"),
        "module": rest.pop("module", None),
        "coreFile": _taken(rest, "coreDumpPath", "coreFile"),
        "args": shlex.split(args) if isinstance(args, str) else [str(one) for one in args or []],
        "env": env,
        "cwd": rest.pop("cwd", None),
        "stopOnEntry": _taken(rest, "stopOnEntry", "stopAtEntry"),
        "justMyCode": rest.pop("justMyCode", None),
        "skipFiles": [one for one in rest.pop("skipFiles", None) or [] if not str(one).startswith("<")],
        "debugger": engine or {"gdb": "gdb", "lldb": "lldb"}.get(str(rest.pop("MIMode", "")), ""),
        "dapLaunchArgs": {"console": rest.pop("console")} if "console" in rest else {},
    }
    if "classPaths" in rest:
        rest["classpath"] = rest.pop("classPaths")
    return {**own, "adapterLaunchConfig": rest}


def _attached(rest: dict[str, Any]) -> dict[str, Any]:
    connect = rest.pop("connect", None) or {}
    process = _taken(rest, "processId", "pid")
    port = rest.pop("port", None) or connect.get("port")
    mappings = [
        {"local": one.get("localRoot"), "remote": one.get("remoteRoot")}
        for one in rest.pop("pathMappings", None) or []
        if isinstance(one, dict)
    ]
    return {
        "port": int(port) if port else None,
        "host": connect.get("host") or _taken(rest, "host", "address", "hostName"),
        "processId": int(process) if process else None,
        "justMyCode": rest.pop("justMyCode", None),
        "stopOnEntry": rest.pop("stopOnEntry", None),
        "pathMappings": mappings,
        "adapterConfig": rest,
    }


def _taken(rest: dict[str, Any], *keys: str) -> Any:
    """Take the first of some keys out; all of them are gone afterwards."""
    found = [rest.pop(key) for key in keys if key in rest]
    return found[0] if found else None


def _rows(file: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    return [one for one in file.get(key) or [] if isinstance(one, dict)]


def _variables(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from VARIABLE.findall(value)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _variables(item)
    elif isinstance(value, list):
        for item in value:
            yield from _variables(item)


def task_command(file: Mapping[str, Any], label: str) -> tuple[list[str], dict[str, Any]]:
    """The command of a task of `tasks.json`, and its options; a shell's line is one for `sh -c`.

    Raises:
        NotSupported: it is no command, or depends on other tasks.
    """
    task = next((one for one in _rows(file, "tasks") if label in (one.get("label"), one.get("taskName"))), None)
    if task is None or task.get("type") not in ("shell", "process") or not isinstance(task.get("command"), str):
        raise NotSupported(f"the task `{label}` is none that can be run outside of its editor", "run it by hand first")
    if task.get("dependsOn"):
        raise NotSupported(f"the task `{label}` depends on others", "run it by hand first")
    args = [str(one.get("value") if isinstance(one, dict) else one) for one in task.get("args") or []]
    if task["type"] == "process":
        return [task["command"], *args], task.get("options") or {}
    return ["sh", "-c", " ".join([task["command"], *map(shlex.quote, args)])], task.get("options") or {}
