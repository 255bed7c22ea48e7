"""What to run and how: the arguments that the calls which launch share."""

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Annotated, Any

import msgspec

from dapwright import files
from dapwright.core.adapter import Adapter
from dapwright.core.errors import NotSupported, UsageError
from dapwright.core.model import Launch
from dapwright.tools import About

OURS = {
    "args": "args",
    "env": "env",
    "cwd": "cwd",
    "stopOnEntry": "stop_on_entry",
    "justMyCode": "just_my_code",
    "breakOnExceptions": "break_on_exceptions",
    "skipFiles": "skip_files",
    "program": "script_path",
    "scriptPath": "script_path",
    "module": "module",
}
"""Keys of ours that agents put into the adapters' objects."""
MODES = ("uncaught", "all", "none")
FILTERS = {"raised": "all", "caught": "all", "userUnhandled": "uncaught", "unhandled": "uncaught", "user": "uncaught"}
"""The words of single adapters for what our modes say."""
CLASS = re.compile(r"[^\W\d][\w.$:\\/<>, ]*|\\[\w\\]+")


class PathMapping(msgspec.Struct, rename="camel"):
    """A folder here and the same one where the program runs."""

    local: Annotated[str, About("Folder here.")]
    remote: Annotated[str, About("The same folder there.")]


class LaunchArguments(msgspec.Struct, rename="camel", kw_only=True):
    """What to run and how."""

    script_path: Annotated[
        str | None, About("What to run: a source, a program, a jar, a project folder.", alias=("program",))
    ] = None
    module: Annotated[str | None, About("Instead: a Python module.")] = None
    core_file: Annotated[str | None, About("Instead: a core file of the program `scriptPath`.", rare=True)] = None
    configuration: Annotated[str | None, About("Instead: a name in .vscode/launch.json.", rare=True)] = None
    args: Annotated[list[str], About("Its arguments.")] = []
    env: Annotated[dict[str, Any], About("Variables to set; null unsets.")] = {}
    cwd: Annotated[str | None, About("Working directory.")] = None
    stop_on_entry: Annotated[bool, About("Stop at the first line.")] = False
    just_my_code: Annotated[bool, About("Pass over library code.", rare=True)] = True
    break_on_exceptions: Annotated[str | list[str] | None, About("`uncaught`, `none`, `all`, or class names.")] = None
    skip_files: Annotated[list[str], About("Globs that steps pass through.", rare=True)] = []
    record: Annotated[bool, About("Record it, to step back later (gdb).", rare=True)] = False
    debugger: Annotated[str | None, About("Engine, where a language has several.", rare=True)] = None
    path_mappings: Annotated[
        list[PathMapping], About("Where sources lie elsewhere: [{local, remote}].", shallow=True, rare=True)
    ] = []
    dap_launch_args: Annotated[dict[str, Any], About("Keys for the adapter's own launch request.", rare=True)] = {}
    adapter_launch_config: Annotated[
        dict[str, Any], About("Keys of the language: mainClass, classpath, ...", rare=True)
    ] = {}


def launch_of(asked: LaunchArguments, adapter: Adapter, executable: str) -> tuple[Launch, list[str]]:
    """Return the launch with absolute paths and defaults, and the warnings about its keys.

    Raises:
        UsageError: nothing, or something that does not exist, is to be run.
    """
    asked, warnings = lifted(asked)
    _check_what(asked, adapter)
    cwd = files.check(os.path.abspath(os.path.expanduser(asked.cwd))) if asked.cwd else ""
    if cwd and not os.path.isdir(cwd):
        raise UsageError(f"the working directory `{asked.cwd}` does not exist", "pass an existing folder as `cwd`")
    program = found(asked.script_path, cwd, adapter) if asked.script_path else ""
    folder = program if os.path.isdir(program) else os.path.dirname(program)
    core = files.check(files.resolve(asked.core_file, cwd or os.getcwd())) if asked.core_file else ""
    if core and not os.path.isfile(core):
        raise UsageError(f"there is no core file `{core}`", "pass the path of one as `coreFile`")
    _check_debugger(adapter, asked.debugger or "")
    warnings += unknown(adapter, asked)
    launch = Launch(
        program=program,
        module=asked.module or "",
        args=tuple(asked.args),
        env=environment(asked.env),
        cwd=cwd or folder or files.check(os.getcwd()),
        stop_on_entry=asked.stop_on_entry,
        just_my_code=asked.just_my_code,
        exceptions=exceptions(asked.break_on_exceptions, "uncaught"),
        skip_files=tuple(asked.skip_files),
        core_file=core,
        debugger=asked.debugger or "",
        record=asked.record,
        executable=executable,
        path_mappings=tuple((pair.local, pair.remote) for pair in asked.path_mappings),
        children=asked.dap_launch_args.get("subProcess", asked.adapter_launch_config.get("subProcess", True))
        is not False,
        terminal=str(asked.dap_launch_args.get("console", "")).endswith("Terminal"),
        extra={k: v for k, v in asked.dap_launch_args.items() if k not in ("console", "subProcess")},
        config={k: v for k, v in asked.adapter_launch_config.items() if k not in ("console", "subProcess")},
    )
    return launch, warnings


def _check_debugger(adapter: Adapter, name: str) -> None:
    if name and "debugger" not in adapter.launch_keys and name.lower() not in adapter.engine.lower():
        raise UsageError(
            f"`debugger` is `{name[:80]}`, and {adapter.display_name} programs have one alone here: {adapter.engine}",
            "leave `debugger` out",
        )


def _check_what(asked: LaunchArguments, adapter: Adapter) -> None:
    keys = {**asked.dap_launch_args, **asked.adapter_launch_config}
    named = any(keys.get(key) for key in ("mainClass", "jar") if key in adapter.launch_keys)
    if bool(asked.script_path) + bool(asked.module) != 1 and (asked.script_path or not named):
        said = "`scriptPath` and `module` both say" if asked.script_path else "neither `scriptPath` nor `module` says"
        raise UsageError(f"{said} what to run", "pass one of them")
    if asked.module and not adapter.module_launch:
        raise UsageError(f"{adapter.display_name} has no modules to launch", "pass `scriptPath`")
    if asked.record and not adapter.records:
        raise NotSupported(
            f"{adapter.display_name} programs cannot be recorded",
            "leave `record` out; use explain_value or investigate",
        )


def found(path: str, cwd: str, adapter: Adapter) -> str:
    """A program's absolute path, against `cwd` first and then against the server's own folder."""
    if adapter.names_classes is not None and adapter.names_classes(path):
        return path
    tried = [files.check(files.resolve(path, folder)) for folder in dict.fromkeys((cwd, os.getcwd())) if folder]
    for candidate in tried:
        if os.path.exists(candidate):
            if os.path.isdir(candidate) and not adapter.launches_folders:
                raise UsageError(
                    f"`{candidate}` is a folder", f"pass a {adapter.display_name} file of it as `scriptPath`"
                )
            return candidate
    raise files.missing(tried[0])


def environment(asked: Mapping[str, Any]) -> dict[str, str | None]:
    """Variables as text; null unsets."""
    made: dict[str, str | None] = {}
    for name, value in asked.items():
        if isinstance(value, (dict, list)):
            raise UsageError(f"`env.{name}` is not text", "pass a string, or null to unset it")
        made[name] = (
            None
            if value is None
            else {True: "true", False: "false"}.get(value, str(value))
            if isinstance(value, bool)
            else str(value)
        )
    return made


def exceptions(asked: str | list[str] | None, default: str) -> str | tuple[str, ...]:
    """`breakOnExceptions` as a mode, or class names; a lone text is taken for a class where it looks like one.

    Raises:
        UsageError: it is neither: an engine would take the word, and never stop.
    """
    if asked is None or (isinstance(asked, str) and not asked.strip()):
        return default
    names = [""] if not asked else asked.split(",") if isinstance(asked, str) else asked
    names = [str(name).strip() for name in names]
    if len(names) == 1 and names[0] in MODES:
        return names[0]
    for name in names:
        near = FILTERS.get(name) or next(iter(get_close_matches(name.lower(), MODES, 1, 0.7)), "")
        if name in MODES:
            raise UsageError(f"`breakOnExceptions` has `{name}` among class names", "pass the one word, or the names")
        if near and (name in FILTERS or isinstance(asked, str)):
            hint = "a class name goes into a list"
            raise UsageError(f"`breakOnExceptions` is `{name}`; did you mean `{near}`?", hint)
        if not CLASS.fullmatch(name) or (isinstance(asked, str) and not re.search(r"[A-Z.:\\]", name)):
            raise UsageError(
                f"`breakOnExceptions` is `{name[:80]}`, which is neither a mode nor a class name",
                "pass `uncaught`, `all`, `none`, or a list of class names",
            )
    return tuple(names)


def lifted(asked: LaunchArguments) -> tuple[LaunchArguments, list[str]]:
    """Honour keys of ours that were put into an adapter's object, with a warning."""
    changes: dict[str, Any] = {}
    warnings: list[str] = []
    for place, given in (
        ("dapLaunchArgs", asked.dap_launch_args),
        ("adapterLaunchConfig", asked.adapter_launch_config),
    ):
        for key in [key for key in given if key in OURS]:
            changes[OURS[key]] = given[key]
            warnings.append(f"`{key}` belongs beside `{place}`, not into it; it was honoured")
    if not changes:
        return asked, warnings
    kept = {
        "dap_launch_args": {k: v for k, v in asked.dap_launch_args.items() if k not in OURS},
        "adapter_launch_config": {k: v for k, v in asked.adapter_launch_config.items() if k not in OURS},
    }
    return msgspec.structs.replace(asked, **{**changes, **kept}), warnings


def unknown(adapter: Adapter, asked: LaunchArguments) -> list[str]:
    """Warn of keys that the adapter is not known to take; they are forwarded all the same."""
    if not adapter.launch_keys:
        return []
    told = []
    for key in [*asked.dap_launch_args, *asked.adapter_launch_config]:
        if key not in adapter.launch_keys and key not in ("console", "subProcess"):
            near = get_close_matches(key, adapter.launch_keys, 1)
            told.append(
                f"`{key}` is not known to the {adapter.engine} adapter and was forwarded"
                + (f"; did you mean `{near[0]}`?" if near else "")
            )
    return told
