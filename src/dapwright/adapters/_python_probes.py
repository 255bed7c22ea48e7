"""How a debugged Python program is told of our probes: by the condition of a debugpy breakpoint."""

import json
from collections.abc import Mapping
from typing import Any

from dapwright.core.model import Host

_LOAD = (
    "(lambda d:(__import__('builtins').exec(compile(__import__('io').open({path},encoding='utf-8').read(),{path},'exec'),d),"
    "d['register'](d))[1])({{'__name__':'_dapwright_probe','__builtins__':__import__('builtins')}})"
)


def path_of(host: Host) -> str:
    """Where the code lies that judges probes."""
    return host.packages["inject"] + "/python_probe.py"


def condition(described: Mapping[str, Any], host: Host) -> str:
    """The condition that has `described` judged inside the program, in any process of it.

    The code is loaded by whoever needs it first: a child process brings nothing with it.
    """
    load = _LOAD.format(path=repr(path_of(host)))
    text = json.dumps(described, ensure_ascii=True, sort_keys=True)
    return f"(__import__('sys').modules.get('_dapwright_probe')or {load}).hit({text!r})"


def injection(source: str) -> str:
    """An expression that loads the code into a program that may not see our files."""
    return (
        "__import__('sys').modules.get('_dapwright_probe') is not None or (lambda d:(__import__('builtins').exec("
        f"compile({source!r},'dapwright/inject/python_probe.py','exec'),d),d['register'](d))[1] is not None)"
        "({'__name__':'_dapwright_probe','__builtins__':__import__('builtins')})"
    )
