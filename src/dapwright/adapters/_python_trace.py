"""A Python program run under our tracer instead of a debugger."""

import json
from collections.abc import Mapping
from typing import Any

from dapwright.adapters._python_tests import Choose
from dapwright.core.model import Host, Launch, Program


def program(choose: Choose) -> Any:
    """Make the function that turns a launch into a traced process, given how an interpreter is chosen."""

    def made(launch: Launch, config: Mapping[str, Any], host: Host) -> Program:
        python, _ = choose(launch.executable, launch.cwd, host)
        told = {**config, "cwd": launch.cwd, "module": bool(launch.module)}
        argv = (python, host.packages["inject"] + "/python_tracer.py", json.dumps(told))
        env = {"PYTHONIOENCODING": "utf-8:backslashreplace", "PYTHONUNBUFFERED": "1", **launch.env}
        return Program((*argv, launch.module or launch.program, *launch.args), launch.cwd, env)

    return made
