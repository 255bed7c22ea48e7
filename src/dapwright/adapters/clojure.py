"""Clojure, on the JVM's engine: a script is loaded by `clojure.main`; functions are named as they were written."""

import re
from collections.abc import Generator
from typing import Any

from msgspec.structs import replace

from dapwright.adapters import _jvm, _jvm_builds
from dapwright.adapters._jvm_projects import base, parent
from dapwright.core.errors import SetupError
from dapwright.core.model import Host, Launch, Plan, Planning, Ran, Run

INSTALL = "apt-get install clojure, or https://clojure.org/guides/install_clojure"
JARS = ("clojure-1.*.jar", "clojure.jar", "spec.alpha*.jar", "core.specs.alpha*.jar")
MAIN = "clojure.main"
KEEP_LOCALS = "-Dclojure.compiler.disable-locals-clearing=true"
"""Else the compiler sets each local to null after its last use, and a stop shows null."""


def library(compiler: str, host: Host) -> Generator[Run, Ran, tuple[str, ...]]:
    """Clojure's own jars: beside the command, else Debian's, else the newest that Maven fetched.

    Raises:
        SetupError: there are none.
    """
    found = yield from _jvm_builds.jars_beside(compiler, host, JARS, "CLOJURE_HOME")
    if not found:
        fetched = [
            sorted(host.glob(f"{host.home}/.m2/repository/org/clojure/{name}/*/{name}-*.jar"), key=_version)
            for name in ("clojure", "spec.alpha", "core.specs.alpha")
        ]
        found = tuple(jars[-1] for jars in fetched if jars)
    if not found:
        raise SetupError("Clojure's own jar is nowhere to be found", INSTALL)
    return found


def _version(jar: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", jar.rpartition("/")[2])]


def plan(launch: Launch, host: Host) -> Planning:
    """A script by `clojure.main`, unless a main class, a jar or a project is named."""
    config: dict[str, Any] = {**launch.config}
    config["vmArgs"] = [KEEP_LOCALS, *_jvm_builds.words(config, "vmArgs")]
    args = launch.args
    if launch.program.endswith((".clj", ".cljc")) and not config.get("mainClass"):
        given = _jvm_builds.listed(config, "classpath")
        known = any("clojure" in base(path) for path in given)
        jars = () if known else (yield from library(host.which("clojure") or host.which("clj") or "", host))
        folders = [one for one in (parent(launch.program), f"{launch.cwd}/src") if host.is_dir(one)]
        config |= {"mainClass": MAIN, "classpath": [*given, *folders, *jars]}
        args = (launch.program, *args)
    made = yield from _jvm.plan_for(BUILDER)(replace(launch, config=config, args=args), host)
    assert isinstance(made, Plan)
    return made


BUILDER = _jvm_builds.Builder(
    ("clojure", "clj"), lambda tool, source, folder, root: (tool, source), INSTALL, lambda text, name: MAIN
)
ADAPTER = replace(
    _jvm.adapter(
        "clojure",
        "Clojure",
        (".clj", ".cljc"),
        BUILDER,
        aliases=("clj",),
        tested="run for real here, with Clojure 1.12.3 on OpenJDK 17.0.15",
    ),
    plan=plan,
    comment=";",
)
