"""Starting what a configuration of `.vscode/launch.json` describes."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from dapwright import adapters, bounds, files
from dapwright.core import configurations
from dapwright.core.configurations import Configuration, Surroundings
from dapwright.core.errors import BuildError, DapwrightError, NotAllowed, UsageError
from dapwright.core.model import Run
from dapwright.policy.permit import Request
from dapwright.session import requests
from dapwright.tools.attaching import AttachArguments, attach_of
from dapwright.tools.caller import Caller
from dapwright.tools.launches import LaunchArguments, launch_of
from dapwright.tools.registry import find

WORDS_OF_TASK = 2000


async def start(caller: Caller, what: LaunchArguments, more: Mapping[str, Any]) -> dict[str, Any]:
    """Start a configuration, or all of a compound; answers the first that stands at a stop, else the first.

    `more` are the other arguments of `start_debugging`.

    Raises:
        UsageError: there is no such configuration, or it cannot be used outside of its editor.
        NotAllowed: its task may not be run.
    """
    folder = files.check(os.path.abspath(os.path.expanduser(what.cwd))) if what.cwd else caller.sessions.workspace
    file = configurations.read(_text(folder, "launch.json"))
    chosen = configurations.chosen(file, str(what.configuration))
    around = Surroundings(
        workspace=folder,
        file=files.resolve(what.script_path, folder) if what.script_path else "",
        home=str(Path.home()),
        separator=os.sep,
        platform=sys.platform,
        env=os.environ,
        inputs=await _ask(caller, configurations.inputs(chosen, file)),
    )
    made = [configurations.translated(one, around) for one in chosen]
    tasks = [_task(one.task, around) for one in made if one.task]
    if tasks:
        ahead = [request for one in made for request in _foreseen(caller, one, what, around, more)]
        await caller.sessions.approvals.ask_all(tasks, unmatched="ask", besides=ahead)
    for task in tasks:
        await _run_task(caller, task)
    answers = await _all(caller, made, what, around, more)
    first = next((answer for answer in answers if answer.get("state") == "paused"), answers[0])
    if len(answers) == 1:
        return first
    rows = [
        {"configuration": one.name, "sessionId": answer.get("sessionId"), "state": answer.get("state")}
        for one, answer in zip(made, answers, strict=True)
    ]
    told = "; ".join(f"{row['configuration']} is {row['sessionId']} ({row['state']})" for row in rows)
    return {**first, "started": rows, "note": "; ".join(filter(None, [first.get("note"), told]))}


async def _all(
    caller: Caller, made: list[Configuration], what: LaunchArguments, around: Surroundings, more: Mapping[str, Any]
) -> list[dict[str, Any]]:
    """Start one after the other; where one fails, those before it are ended."""
    answers: list[dict[str, Any]] = []
    try:
        for one in made:
            answers.append(await _one(caller, one, what, around, more))
    except BaseException:
        for answer in answers:
            await caller.sessions.close(caller.sessions.get(answer["sessionId"], client=caller.client, ended=True))
        raise
    return answers


async def _one(
    caller: Caller, one: Configuration, what: LaunchArguments, around: Surroundings, more: Mapping[str, Any]
) -> dict[str, Any]:
    """Call the tool that does it, as an agent would."""
    if one.attaches:
        target = msgspec.convert(one.arguments, AttachArguments)
        join = find("attach_to_process").verb
        return dict(await join(caller, session_id=more["session_id"], language=one.language, target=target))
    merged = _merged(one, what, around)
    executable = more["executable_path"] or one.executable
    run = find("start_debugging").verb
    return dict(await run(caller, what=merged, language=one.language, **{**more, "executable_path": executable}))


def _merged(one: Configuration, what: LaunchArguments, around: Surroundings) -> LaunchArguments:
    """The arguments of a configuration, and over them those of the call."""
    from_file = msgspec.convert(one.arguments, LaunchArguments)
    defaults = LaunchArguments()
    given = {
        name: getattr(what, name)
        for name in LaunchArguments.__struct_fields__
        if name not in ("configuration", "cwd", "script_path") and getattr(what, name) != getattr(defaults, name)
    }
    env = {**_env_file(one.env_file), **from_file.env, **what.env}
    merged = msgspec.structs.replace(from_file, **{**given, "env": env})
    if not merged.cwd:
        merged = msgspec.structs.replace(merged, cwd=around.workspace)
    return merged


def _text(folder: str, name: str) -> str:
    path = Path(folder) / ".vscode" / name
    files.check(str(path))
    try:
        return path.read_text(encoding="utf-8")
    except OSError as missing:
        raise UsageError(
            f"`{path}` cannot be read: {missing.strerror}", "pass the folder that has it as `cwd`, or pass `scriptPath`"
        ) from None


def _env_file(path: str) -> dict[str, str]:
    if not path:
        return {}
    files.check(path)
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as missing:
        raise UsageError(f"`envFile` `{path}` cannot be read: {missing.strerror}", "mend launch.json") from None
    pairs = (line.strip().removeprefix("export ").partition("=") for line in lines if not line.lstrip().startswith("#"))
    return {name.strip(): value.strip().strip("\"'") for name, equals, value in pairs if equals}


async def _ask(caller: Caller, wanted: list[dict[str, Any]]) -> Mapping[str, str]:
    """Have the person answer what a configuration asks, all in one form."""
    if not wanted:
        return {}
    fields: dict[str, Any] = {}
    for one in wanted:
        about = {"type": "string", "description": str(one.get("description") or one["id"])}
        options = [o.get("value") if isinstance(o, dict) else o for o in one.get("options") or []]
        shown = {"enum": options} if options else {}
        default = {"default": one["default"]} if isinstance(one.get("default"), str) else {}
        fields[one["id"]] = {**about, **shown, **default}
    schema = {"type": "object", "properties": fields, "required": list(fields)}
    reply = await caller.ask_person("The launch configuration asks:", schema)
    if reply.action == "unavailable" and all("default" in one for one in fields.values()):
        return {name: one["default"] for name, one in fields.items()}
    if reply.action != "accept":
        raise NotAllowed(
            f"the configuration asks for {', '.join(f'`{name}`' for name in fields)}, and nobody answered",
            "pass `scriptPath` and `args` yourself instead of `configuration`",
        )
    return {name: str(reply.content.get(name, one.get("default", ""))) for name, one in fields.items()}


def _task(label: str, around: Surroundings) -> Request:
    """A configuration's task as a process to be judged."""
    try:
        argv, options = configurations.task_command(configurations.read(_text(around.workspace, "tasks.json")), label)
    except UsageError as wrong:
        hint = "mend tasks.json, or run the task by hand and pass `scriptPath` instead of `configuration`"
        raise UsageError(f"`preLaunchTask` `{label}` cannot be run: {wrong}", hint) from None
    argv = [str(configurations.filled(word, around)) for word in argv]
    cwd = str(configurations.filled(options.get("cwd") or around.workspace, around))
    env: dict[str, str | None] = {
        str(k): str(configurations.filled(v, around)) for k, v in (options.get("env") or {}).items()
    }
    return Request(tuple(argv), files.check(cwd), env, f"task `{label}` of tasks.json")


def _foreseen(
    caller: Caller, one: Configuration, what: LaunchArguments, around: Surroundings, more: Mapping[str, Any]
) -> list[Request]:
    """What a configuration will start after its task, as far as it can be told before: to be asked for with it."""
    adapter = adapters.find(one.language)
    try:
        if one.attaches:
            target = attach_of(msgspec.convert(one.arguments, AttachArguments), "")
            return [requests.joining(adapter.language, target)]
        merged, executable = _merged(one, what, around), more["executable_path"] or one.executable
        if adapter.plan is None:
            return []
        launch, _ = launch_of(merged, adapter, executable)
        return requests.foreseen(adapter.plan(launch, caller.sessions.host), launch)
    except DapwrightError:
        return []  # the task has to make it first; it is asked for when it is there


async def _run_task(caller: Caller, task: Request) -> None:
    """Run a configuration's task, which has been asked for; a rule may allow it beforehand.

    Raises:
        BuildPending: it goes on beyond this call, like any build.
    """
    permit = await caller.sessions.approvals.ask(task, unmatched="ask")
    label = task.purpose
    await caller.progress(f"running the {label}")
    wanted = Run(task.argv, task.cwd, task.env, label)
    ran, _, _ = await caller.sessions.builds.run(
        permit, wanted=wanted, client=caller.client, hear=lambda build: bounds.tell(build.words())
    )
    if ran.code:
        words = "\n".join(filter(None, (ran.stdout.strip(), ran.stderr.strip())))[-WORDS_OF_TASK:]
        raise BuildError(f"the {label} failed with exit code {ran.code}: {words}", "mend that first")
