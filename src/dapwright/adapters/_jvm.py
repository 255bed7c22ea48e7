"""What the JVM's languages share: one engine of ours, its launch and its attach."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from dapwright.adapters import _jvm_builds
from dapwright.core.adapter import Adapter
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Plan, Planning
from dapwright.core.parts import Part, told, where

JDK = Part("a JDK", ("apt-get install default-jdk-headless", "brew install openjdk"), "https://adoptium.net")
INSTALL = told(JDK)
KEYS = frozenset(
    [
        "mainClass",
        "classpath",
        "modulePath",
        "javaPath",
        "vmArgs",
        "jar",
        "sourcePaths",
        "compiler",
        "compilerFlags",
        "virtualThreads",
    ]
)
FILTERS: Mapping[str, tuple[str, ...]] = {
    "uncaught": ("uncaught",),
    "all": ("caught", "uncaught"),
    "none": (),
    "test": ("unhandled", "uncaught"),
}
INTERNAL = re.compile(
    r"^(?:java|javax|jdk|sun|com\.sun|kotlin|kotlinx|scala|groovy|clojure|org\.codehaus\.groovy|org\.junit|junit|"
    r"org\.testng|org\.apache\.maven|org\.gradle|worker\.org\.gradle)\."
)
CLASS_NAME = re.compile(r"[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")
ENDINGS = (".java", ".kt", ".kts", ".scala", ".groovy", ".clj", ".cljc", ".jar", ".class", ".xml", ".gradle")


def engine(host: Host) -> tuple[str, ...]:
    """The command of our engine; the same for every launch, so that it can be started ahead."""
    return (host.python, "-m", "dapwright.engines.jvm")


def names_class(file: str) -> bool:
    """Tell whether a `file` is a class's name: `com.x.Outer$Inner`, `Ledger`."""
    return CLASS_NAME.fullmatch(file) is not None and not file.endswith(ENDINGS)


def internal_frame(frame: Frame) -> bool:
    """Tell whether a frame is the platform's, a language library's or a test runner's."""
    return frame.hint == "subtle" or INTERNAL.match(frame.name) is not None


def exceptions(wanted: str | tuple[str, ...]) -> tuple[tuple[str, ...], tuple[dict[str, Any], ...]]:
    """Filters and options for `breakOnExceptions`; class names count with their subclasses."""
    if isinstance(wanted, str):
        return FILTERS[wanted], ()
    path = [{"names": ["Java Exceptions"]}, {"names": list(wanted)}]
    return ("uncaught",), ({"path": path, "breakMode": "always"},)


def java_of(launch_executable: str, config: Mapping[str, Any], host: Host) -> str:
    """The java to run with: the one asked for, JAVA_HOME's, the PATH's.

    Raises:
        SetupError: there is none.
    """
    asked = str(config.get("javaPath") or launch_executable or "")
    if asked:
        if not host.is_file(asked) and host.which(asked) is None:
            raise SetupError(f"there is no java at `{asked}`", "pass the path of one as adapterLaunchConfig.javaPath")
        return asked
    home = host.env.get("JAVA_HOME")
    suffix = "/bin/java.exe" if host.platform == "win32" else "/bin/java"
    if home and host.is_file(home + suffix):
        return home + suffix
    found = host.which("java")
    if found is None:
        raise SetupError("there is no java", INSTALL)
    return found


def check(host: Host) -> str:
    """Why this machine cannot launch it; "" when it can."""
    try:
        java_of("", {}, host)
    except SetupError as missing:
        return f"{missing}: {missing.hint}"
    return ""


def plan_for(builder: _jvm_builds.Builder) -> Callable[[Launch, Host], Planning]:
    """The plan of a language whose sources `builder` compiles."""

    def plan(launch: Launch, host: Host) -> Planning:
        config = {**launch.config, **launch.extra}
        if names_class(launch.program):
            config.setdefault("mainClass", launch.program)
            launch = replace(launch, program="")
        java = java_of(launch.executable, config, host)
        target = yield from _jvm_builds.target(launch, config, host, builder)
        filters, options = exceptions(launch.exceptions)
        known = {key: value for key, value in config.items() if key not in ("compiler", "compilerFlags", "classpath")}
        if "modulePath" in known:
            known["modulePath"] = _jvm_builds.listed(config, "modulePath")
        arguments: dict[str, Any] = {
            **known,
            **target.arguments,
            "vmArgs": _jvm_builds.words(config, "vmArgs"),
            "javaPath": java,
            "args": list(launch.args),
            "env": dict(launch.env),
            "cwd": launch.cwd,
            "stopOnEntry": launch.stop_on_entry,
            "justMyCode": launch.just_my_code,
            "sourcePaths": [*_jvm_builds.listed(config, "sourcePaths"), *target.sources],
        }
        return Plan(
            "launch",
            arguments,
            argv=engine(host),
            exception_filters=filters,
            exception_options=options,
            notes=target.notes,
            warnings=target.warnings,
        )

    return plan


def attach(target: Attach, host: Host) -> Planning:
    """Join a JVM that listens: `-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:PORT`."""
    if target.port is None:
        raise UsageError(
            "a JVM is attached to by its debug port, not by its process id",
            "start it with `-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:PORT`, pass `port`",
        )
    filters, options = exceptions(target.exceptions)
    arguments = {
        **target.config,
        "host": target.host,
        "port": target.port,
        "stopOnEntry": target.stop_on_entry,
        "justMyCode": target.just_my_code,
        "sourcePaths": list(target.source_paths) or ([target.cwd] if target.cwd else []),
        "timeout": target.timeout_ms,
    }
    return Plan("attach", arguments, argv=engine(host), exception_filters=filters, exception_options=options)
    yield  # a plan is a generator; this one asks nothing of the machine


def adapter(
    language: str,
    display_name: str,
    extensions: tuple[str, ...],
    builder: _jvm_builds.Builder,
    **more: Any,
) -> Adapter:
    """A language of the JVM."""
    return Adapter(
        language=language,
        display_name=display_name,
        extensions=extensions,
        dap_id="jvm",
        engine="our own, on JDWP",
        reloads=True,
        traces=True,
        waits="any",
        plan=plan_for(builder),
        attach=attach,
        warm=lambda host, executable: Plan("launch", {}, argv=engine(host)),
        check=check,
        internal_frame=internal_frame,
        exception_filters=FILTERS,
        comment="//",
        hit_condition=lambda condition: condition,
        one_meaning=True,
        input_request=True,
        names_classes=names_class,
        modes=frozenset(["port"]),
        setup=INSTALL,
        installs=where(lambda host: bool(check(host)), JDK),
        launch_keys=KEYS,
        launches_folders=True,
        **more,
    )
