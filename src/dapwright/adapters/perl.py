"""Perl, by an agent of ours inside the program (`inject/perl`), which speaks DAP itself."""

from dapwright.core import effects
from dapwright.core.adapter import Adapter
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Host, Launch, Plan, Planning
from dapwright.core.parts import Part, told, where

PERL = Part("Perl", ("apt-get install perl", "brew install perl"))
INSTALL = told(PERL)


def check(host: Host) -> str:
    """Perl itself: the agent needs its core modules alone."""
    return "" if host.which("perl") else "`perl` is not on PATH"


def plan(launch: Launch, host: Host) -> Planning:
    """Run a script under the agent, which takes its place as the program's own process.

    Raises:
        SetupError: there is no perl.
    """
    if not launch.program:
        raise UsageError("there is no script to run", "pass `scriptPath`")
    perl = launch.executable or host.which("perl")
    if perl is None:
        raise SetupError("`perl` is not on PATH", INSTALL)
    ours = {**launch.config, **launch.extra}
    options = tuple(map(str, ours.pop("perlArgs", ())))
    agent = ("-I", host.packages["inject"] + "/perl", "-d:Dapwright={port}")
    return Plan(
        "launch",
        {"stopOnEntry": launch.stop_on_entry, **ours},
        argv=(perl, *agent, *options, launch.program, *launch.args),
        channel="tcp",
        cwd=launch.cwd,
        env=launch.env,
        prints_are_output=True,
        is_program=True,
    )
    yield


ADAPTER = Adapter(
    refuse_effects=effects.refusing(braces=True, bare=False),
    language="perl",
    display_name="Perl",
    extensions=(".pl", ".pm", ".t"),
    dap_id="perl",
    engine="dapwright's agent (perl -d)",
    plan=plan,
    check=check,
    setup=INSTALL,
    installs=where(lambda host: host.which("perl") is None, PERL),
    exception_filters={"uncaught": ("uncaught",), "all": ("uncaught",), "none": (), "test": ("uncaught",)},
    begins_late=True,
    verifies_any=True,
    function_breakpoints="ours",
    launch_keys=frozenset({"perlArgs"}),
    tested="run for real here, with Perl 5.36.0",
)
