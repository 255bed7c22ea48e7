"""Python, by debugpy.

The program is a process of our own that connects to a warm adapter (`attach` with
`listen`): its input, output, signals and exit code are ours, no launcher stands
between, and the target interpreter needs nothing installed (debugpy is carried in).
"""

import re
from typing import Any

from msgspec.structs import replace

from dapwright.adapters import _python_probes, _python_tests, _python_trace
from dapwright.adapters._python_interpreters import interpreter
from dapwright.adapters._python_processes import check_process, injector
from dapwright.adapters._python_words import check_condition, context_of, refuse_effects, refuse_writes
from dapwright.core.adapter import Adapter
from dapwright.core.errors import UsageError
from dapwright.core.inside import Inside
from dapwright.core.model import Attach, Frame, Host, Launch, Plan, Planning, Program

KEYS = frozenset(
    [
        "django",
        "jinja",
        "flask",
        "pyramid",
        "gevent",
        "subProcess",
        "pythonArgs",
        "python",
        "rules",
        "steppingResumesAllThreads",
        "maxExceptionStackFrames",
        "showReturnValue",
        "autoReload",
        "variablePresentation",
    ]
)
SLICE = (
    "(lambda x, a, b: x[a:b] if isinstance(x, (list, tuple, str, bytes, bytearray)) or not hasattr(x, '__iter__')"
    " or type(x).__module__.partition('.')[0] == 'numpy' else (lambda s: dict(s(x.items(), a, b)) if"
    " isinstance(x, dict) else list(s(x, a, b)))(__import__('itertools').islice))({0}, {1}, {2})"
)
"""A slice of a container, whatever its kind; nothing of the rest is copied."""
TASKS = (
    "(lambda a, j: j.dumps([[t.get_name(), getattr(t.get_coro(), '__qualname__', '?'), *((lambda f: [f[-1].f_code"
    ".co_filename, f[-1].f_lineno] if f else ['', 0])(t.get_stack())), t is a.current_task()] for t in a.all_tasks()])"
    " if a is not None and a._get_running_loop() is not None else '[]')"
    "(__import__('sys').modules.get('asyncio'), __import__('json'))"
)
SOURCES = (
    "(lambda s, p: __import__('json').dumps([f for f in [getattr(m, '__dict__', {}).get('__file__') for m in"
    " list(s.modules.values())] if isinstance(f, str) and f.endswith('.py') and 'site-packages' not in f"
    " and 'dist-packages' not in f and not f.startswith(p)]))"
    "(__import__('sys'), __import__('os').path.dirname(__import__('os').__file__))"
)
"""The files of the modules that are neither installed nor the interpreter's."""
INTERNAL = ("/debugpy/", "/_pydevd_bundle/", "/dapwright/inject/", "/pydevd", "\\debugpy\\")


def folder_of(host: Host, package: str) -> str:
    """Where dapwright's own `inject` folder and debugpy lie."""
    return host.packages[package]


def adapter_argv(host: Host) -> tuple[str, ...]:
    """The command of the adapter; the same for every launch, so that it can be started ahead."""
    return (host.python, folder_of(host, "inject") + "/debugpy_adapter.py")


def warm(host: Host, executable: str) -> Plan | None:
    """The adapter alone: nothing in a launch changes how it starts."""
    return Plan("attach", {}, argv=adapter_argv(host))


MINE = ("limits", "repr", "turns", "exceptions")
_PRELUDE = """
import sys, types
if "_dapwright_exceptions" not in sys.modules:
    for name, path, source in {sources!r}:
        module = types.ModuleType("_dapwright_" + name)
        module.__file__ = path
        sys.modules[module.__name__] = module
        exec(compile(source, path, "exec"), module.__dict__)
sys.modules["_dapwright_exceptions"].install()
"""


def prelude(host: Host) -> str:
    """The statements that bring our code into a process which may not see our files."""
    paths = [(name, f"{folder_of(host, 'inject')}/python_{name}.py") for name in MINE]
    sources = [(name, path, host.read(path)) for name, path in paths]
    return _PRELUDE.format(sources=sources)


def plan(launch: Launch, host: Host) -> Planning:
    """Launch a script or a module."""
    python, why = interpreter(launch.executable, launch.cwd, host)
    target = ("-m", launch.module) if launch.module else (launch.program,)
    extra = {**launch.config, **launch.extra}
    arguments: dict[str, Any] = {
        "listen": {"host": "127.0.0.1", "port": 0},
        "justMyCode": launch.just_my_code,
        "subProcess": launch.children,
        "showReturnValue": True,
        "redirectOutput": False,
        "name": "program",
        **templates(launch.program, launch.module),
        **{key: value for key, value in extra.items() if key not in ("python", "pythonArgs")},
    }
    if launch.path_mappings:
        arguments["pathMappings"] = mappings(launch.path_mappings)
    argv = (
        python,
        *map(str, extra.get("pythonArgs", ())),
        folder_of(host, "inject") + "/debugpy_start.py",
        folder_of(host, "debugpy"),
        "entry" if launch.stop_on_entry else "run",
        "--",
        "--connect",
        "{host}:{port}",
        "--wait-for-client",
        *(() if launch.children else ("--configure-subProcess", "False")),
        *target,
        *launch.args,
    )
    env = {"PYDEVD_DISABLE_FILE_VALIDATION": "1", "PYTHONIOENCODING": "utf-8:backslashreplace", **launch.env}
    filters, options = exceptions(launch.exceptions)
    return Plan(
        "attach",
        arguments,
        argv=adapter_argv(host),
        program=Program(argv, launch.cwd, env, terminal=launch.terminal, when="debugpyWaitingForServer"),
        exception_filters=filters,
        exception_options=options,
        notes=(f"interpreter: {python} ({why})",) if why != "as asked" and python != host.python else (),
    )
    yield  # a plan is a generator; this one asks nothing of the machine


def templates(program: str, module: str = "") -> dict[str, Any]:
    """Whose a breakpoint in a file other than Python's is: Django's templates or Jinja's; debugpy asks for one.

    Nobody's where the program itself is a file without `.py`: debugpy 1.8.22 would take it for a template, and bind
    nothing in it. What stands in a `bin` folder only starts a program (`bin/flask`).
    """
    folder, _, name = program.rpartition("/")
    if name and "." not in name and folder.rpartition("/")[2] not in ("bin", "Scripts", "") and name != "django-admin":
        return {}
    django = program.rpartition("/")[2] in ("manage.py", "django-admin") or module == "django"
    return {"django" if django else "jinja": True}


def mappings(pairs: tuple[tuple[str, str], ...]) -> list[dict[str, str]]:
    """Path mappings in debugpy's words."""
    return [{"localRoot": local, "remoteRoot": remote} for local, remote in pairs]


def exceptions(wanted: str | tuple[str, ...]) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...]]:
    """Filters and options for `breakOnExceptions`. debugpy 1.8.22 keeps class names in `exceptionOptions` only."""
    if isinstance(wanted, str):
        return {"uncaught": ("uncaught",), "all": ("raised", "uncaught"), "none": (), "test": ("userUnhandled",)}[
            wanted
        ], ()
    path = [{"names": ["Python Exceptions"]}, {"names": list(wanted)}]
    # debugpy looks at no filter where there are options
    uncaught = {"path": path[:1], "breakMode": "unhandled"}
    return (), ({"path": path, "breakMode": "always"}, uncaught)


def attach(target: Attach, host: Host) -> Planning:
    """Join a program: by its `debugpy --listen` port, by one that it connects to, or by process id."""
    config = dict(target.config)
    listen = config.pop("listen", None)
    arguments: dict[str, Any] = {
        "justMyCode": target.just_my_code,
        "showReturnValue": True,
        "timeout": target.timeout_ms,
        **({} if config.get("django") else templates("")),
        **config,
    }
    if target.path_mappings:
        arguments["pathMappings"] = mappings(target.path_mappings)
    filters, options = exceptions(target.exceptions)
    made = Plan("attach", arguments, exception_filters=filters, exception_options=options)
    if target.port is not None:
        return replace(made, channel="tcp", host=target.host, port=target.port)
    if listen is not None:
        return listening(made, listen, host)
    if target.process_id is None:
        raise UsageError("neither `port` nor `processId` says what to attach to", "pass one of them")
    check_process(target.process_id, host)
    folder = host.python.rpartition("/")[0]  # where PyPI puts gdb
    path: dict[str, str | None] = {"PATH": f"{host.env.get('PATH', '')}:{folder}"} if folder else {}
    arguments["processId"] = target.process_id
    command = adapter_argv(host)
    if own := injector(host.read(f"/proc/{target.process_id}/maps")):
        command, path["PYTHONPATH"] = (own, *command[1:]), folder_of(host, "debugpy")
    return replace(made, argv=command, env=path)
    yield


def listening(made: Plan, listen: Any, host: Host) -> Plan:
    """We listen, and the program is started so that it connects to us: fast, and from behind any wall."""
    if not isinstance(listen, dict):
        raise UsageError("`listen` is `{host, port}`", "pass port 0 to have one chosen")
    where = {"host": str(listen.get("host") or "127.0.0.1"), "port": int(listen.get("port") or 0)}
    run = "`python -m debugpy --connect {host}:{port} --wait-for-client PROGRAM`"
    lent = f" (with `PYTHONPATH={folder_of(host, 'debugpy')}` where debugpy is not installed)"
    return replace(
        made,
        arguments={**made.arguments, "listen": where},
        argv=adapter_argv(host),
        invitation=run + lent,
        invited="debugpyWaitingForServer",
    )


def hit_condition(condition: str) -> str:
    """debugpy takes all of ours as they are (1.8.22)."""
    return condition


def internal_frame(frame: Frame) -> bool:
    """Frames of the debugger itself, and of the import machinery."""
    if frame.name.startswith("[Chained Exc: "):
        return True  # debugpy (1.8.22) appends the frames of the causes to the stack
    return any(part in frame.file for part in INTERNAL) or frame.file.startswith("<frozen")


ADAPTER = Adapter(
    language="python",
    display_name="Python",
    extensions=(".py", ".pyw"),
    dap_id="debugpy",
    engine="debugpy",
    plan=plan,
    attach=attach,
    warm=warm,
    internal_frame=internal_frame,
    aliases=("py", "python3", "debugpy"),
    hit_condition=hit_condition,
    settles_above=True,
    follows=True,
    unfollowed="a Python that a shell or another program starts",
    verifies_any=True,
    function_breakpoints="ours",
    keeps_frame_ids=True,
    modes=frozenset({"port", "processId"}),
    paging=False,
    slices=("len({0})", SLICE, "{0:04d}"),
    check_condition=check_condition,
    refuse_effects=refuse_effects,
    refuse_writes=refuse_writes,
    context_of=context_of,
    tasks=TASKS,
    sources=SOURCES,
    evaluate_limit="dapwrightSeconds",
    prelude=prelude,
    refusal=re.compile(
        r"(Attach to PID failed[^\n]*|Could not attach to process[^\n]*|Code injection[^\n]* failed[^\n]*)"
    ),
    launch_keys=KEYS,
    module_launch=True,
    test_command=_python_tests.command(interpreter),
    inside=Inside(
        condition=_python_probes.condition,
        injection=_python_probes.injection,
        trace=_python_trace.program(interpreter),
        hang=_python_probes.explain_hang,
    ),
    tested="run for real here",
)
