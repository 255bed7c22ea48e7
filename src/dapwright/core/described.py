"""Languages that are described in TOML instead of code: `[adapters.NAME]` becomes an Adapter.

Ours (`adapters/*.toml`), a user's own and a workspace's have the same shape: how the debug
adapter is started, templates for its launch and attach requests, and facts by their names.
"""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from dapwright.core import parts
from dapwright.core.adapter import Adapter
from dapwright.core.errors import UsageError
from dapwright.core.filling import fill, fill_words
from dapwright.core.model import Attach, Host, Launch, Plan, Planning

CHANNELS = ("stdio", "tcp", "unix")
ENGINE_TEXTS = frozenset(
    {"comment", "source_language", "evaluate_context", "assignment", "raised", "condition", "truth"}
)
TEXTS = ENGINE_TEXTS | {"display_name", "engine", "dap_id", "setup", "tested", "cwd"}
LISTS = frozenset({"extensions", "aliases", "command", "needs", "install", "distrust", "launch_keys", "modes"})
TABLES = frozenset({"launch", "attach", "env", "exceptions"})
PATTERNS = frozenset({"exit_code", "chatter", "internal", "failure"})
PLAN_SWITCHES = frozenset({"prints_are_output", "is_program", "pauses_first"})
ENGINE_SWITCHES = frozenset(
    {"paging", "keeps_removed", "keeps_steps", "begins_late", "launches_folders", "module_launch", "verifies_any"}
)
SWITCHES = PLAN_SWITCHES | ENGINE_SWITCHES | {"counts_hits"}
CHOICES: Mapping[str, tuple[str, ...]] = {
    "channel": CHANNELS,
    "function_breakpoints": ("engine", "ours", "either"),
    "attach_to": ("adapter", "port"),
}
KNOWN = TEXTS | LISTS | TABLES | PATTERNS | SWITCHES | frozenset(CHOICES) | {"listens"}
DISTRUSTED = ("logpoints", "hitConditions", "conditions", "functions")


def read(text: str, source: str) -> dict[str, Adapter]:
    """All adapters that a file describes, by language.

    Raises:
        UsageError: it is no TOML, or a table says something that is not known; `source` names the file.
    """
    import tomllib  # here: most servers read no such file, and a start would pay for it

    try:
        tables = tomllib.loads(text).get("adapters", {})
    except tomllib.TOMLDecodeError as wrong:
        raise UsageError(f"`{source}` is not valid TOML: {wrong}", "mend the file") from None
    if not isinstance(tables, dict):
        raise UsageError(f"`adapters` in `{source}` is not a table", "write `[adapters.NAME]`")
    return {name.lower(): adapter_of(name.lower(), table, source) for name, table in tables.items()}


def adapter_of(name: str, table: Any, source: str) -> Adapter:
    """One table as a language.

    Raises:
        UsageError: a key is unknown, or has a value of another kind.
    """
    where = f"[adapters.{name}] in `{source}`"
    if not isinstance(table, dict):
        raise UsageError(f"{where} is not a table", "write `[adapters.NAME]` and its keys below")
    for key, value in table.items():
        _check(where, key, value)
    if "launch" not in table and "attach" not in table:
        table = {**table, "launch": {"program": "{program}", "args": "{args}", "cwd": "{cwd}", "env": "{env}"}}
    if not table.get("command") and table.get("attach_to") != "port":
        raise UsageError(f"{where} has no `command`", 'name the debug adapter: command = ["my-adapter", "--stdio"]')
    attaches = "attach" in table
    return Adapter(
        language=name,
        display_name=table.get("display_name", name),
        extensions=tuple(one if one.startswith(".") else f".{one}" for one in table.get("extensions", ())),
        dap_id=table.get("dap_id", name),
        engine=table.get("engine", _last(table.get("command", ["a DAP server"])[0])),
        plan=_planner(table) if "launch" in table and table.get("command") else None,
        attach=_attacher(table) if attaches else None,
        check=_checker(table),
        check_attach=_checker(table) if table.get("attach_to") != "port" else lambda host: "",
        aliases=tuple(table.get("aliases", ())),
        tested=table.get("tested", f"described in {_last(source)}; not tried by dapwright"),
        setup=table.get("setup") or parts.told(*_parts(table)),
        installs=parts.where(lambda host: bool(_checker(table)(host)), *_parts(table)) if "install" in table else None,
        modes=frozenset(table.get("modes", ["port"] if attaches else ())),
        **_engine_facts(table),
    )


def _engine_facts(table: Mapping[str, Any]) -> dict[str, Any]:
    """The facts that are fields of an Adapter under the same name, or nearly."""
    same = ENGINE_TEXTS | ENGINE_SWITCHES | {"function_breakpoints"}
    found: dict[str, Any] = {key: table[key] for key in same if key in table}
    found |= {key: re.compile(table[key], re.MULTILINE) for key in ("exit_code", "chatter") if key in table}
    found["exception_filters"] = {mode: tuple(ids) for mode, ids in table.get("exceptions", {}).items()}
    found["accepts_and_ignores"] = frozenset(table.get("distrust", ()))
    found["launch_keys"] = frozenset(table.get("launch_keys", ()))
    if "internal" in table:
        internal = re.compile(table["internal"])
        found["internal_frame"] = lambda frame: bool(internal.search(frame.file) or internal.search(frame.name))
    if "failure" in table:
        failure = re.compile(table["failure"], re.DOTALL)
        found["failure"] = lambda expression, kind, value: said[1] if (said := failure.match(value)) else ""
    if table.get("counts_hits"):
        found["hit_condition"] = lambda condition: condition
    return found


def _check(where: str, key: str, value: Any) -> None:
    if key not in KNOWN:
        near = get_close_matches(key, KNOWN, 1)
        hint = f"did you mean `{near[0]}`?" if near else "known: " + ", ".join(sorted(KNOWN))
        raise UsageError(f"`{key}` in {where} is not known", hint)
    texts = isinstance(value, list) and all(isinstance(one, str) for one in value)
    if key in LISTS and not texts:
        raise UsageError(f"`{key}` in {where} is not a list of strings", f'write {key} = ["..."]')
    if key in TABLES and not isinstance(value, dict):
        raise UsageError(f"`{key}` in {where} is not a table", f"write {key} = {{ ... }}")
    if key in SWITCHES and not isinstance(value, bool):
        raise UsageError(f"`{key}` in {where} is neither true nor false", f"write {key} = true")
    if key in TEXTS | PATTERNS | {"listens", *CHOICES} and not isinstance(value, str):
        raise UsageError(f"`{key}` in {where} is not a string", f'write {key} = "..."')
    if key in CHOICES and value not in CHOICES[key]:
        raise UsageError(f"`{key}` in {where} is `{value}`", "one of: " + ", ".join(CHOICES[key]))
    if key == "distrust" and (wrong := set(value) - set(DISTRUSTED)):
        raise UsageError(f"`distrust` in {where} names `{min(wrong)}`", "it takes: " + ", ".join(DISTRUSTED))
    if key in PATTERNS:
        try:
            re.compile(value)
        except re.error as wrong_pattern:
            raise UsageError(f"`{key}` in {where} is no pattern: {wrong_pattern}", "mend the file") from None


def _parts(table: Mapping[str, Any]) -> tuple[parts.Part, ...]:
    return tuple(parts.Part(way, (way,)) for way in table.get("install", ()))


def _checker(table: Mapping[str, Any]) -> Any:
    needed = tuple(table.get("needs", ())) or tuple(table.get("command", ())[:1])

    def check(host: Host) -> str:
        absent = [one for one in needed if not host.which(one) and not host.is_file(one)]
        return "" if not absent else f"`{absent[0]}` is not on PATH"

    return check


def _planner(table: Mapping[str, Any]) -> Any:
    def plan(launch: Launch, host: Host) -> Planning:
        words: dict[str, Any] = {
            "program": launch.module or launch.program,
            "args": list(launch.args),
            "cwd": launch.cwd,
            "env": {name: value for name, value in launch.env.items() if value is not None},
            "stopOnEntry": launch.stop_on_entry,
            "justMyCode": launch.just_my_code,
            "home": host.home,
            "python": host.python,
        }
        arguments = {**fill(table["launch"], words), **launch.config, **launch.extra}
        env = {**table.get("env", {}), **launch.env}
        return _plan(table, "launch", arguments, words, cwd=table.get("cwd", launch.cwd), env=env)
        yield

    return plan


def _attacher(table: Mapping[str, Any]) -> Any:
    def attach(target: Attach, host: Host) -> Planning:
        words: dict[str, Any] = {
            "host": target.host,
            "port": target.port,
            "processId": target.process_id,
            "cwd": target.cwd,
            "program": target.executable,
            "stopOnEntry": target.stop_on_entry,
            "justMyCode": target.just_my_code,
            "python": host.python,
            **target.config,
        }
        filled = {key: value for key, value in fill(table["attach"], words).items() if value not in (None, "None", "")}
        arguments = {**filled, **target.config}
        if table.get("attach_to") == "port":
            if target.port is None:
                raise UsageError("`port` is missing", "pass the port where the debug adapter listens")
            return Plan("attach", arguments, channel="tcp", host=target.host, port=target.port)
        return _plan(table, "attach", arguments, {}, cwd=table.get("cwd", target.cwd), env=table.get("env", {}))
        yield

    return attach


def _plan(table: Mapping[str, Any], request: Any, arguments: Any, words: Any, *, cwd: str, env: Any) -> Plan:
    facts = {key: table[key] for key in (*PLAN_SWITCHES, "listens") if key in table}
    argv = tuple(fill_words(table["command"], words))
    return Plan(request, arguments, argv=argv, channel=table.get("channel", "stdio"), cwd=cwd, env=env, **facts)


def _last(path: str) -> str:
    return path.replace("\\", "/").rsplit("/", 1)[-1]
