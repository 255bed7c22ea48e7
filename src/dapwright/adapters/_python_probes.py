"""How a debugged Python program is told of our probes: by the condition of a debugpy breakpoint."""

import json
from collections.abc import Mapping
from typing import Any

from dapwright.core.model import Host

_NAMES = "{'__name__':'_dapwright_channel','__builtins__':__import__('builtins')}"
_LOADED = "__import__('sys').modules.get('_dapwright_probe')"


def paths(host: Host) -> tuple[str, str]:
    """Where the code lies that tells us things, and the code that judges probes."""
    folder = host.packages["inject"]
    return f"{folder}/python_channel.py", f"{folder}/python_probe.py"


def condition(described: Mapping[str, Any], host: Host) -> str:
    """The condition that has `described` judged inside the program, in any process of it.

    The code is loaded by whoever needs it first: a child process brings nothing with it.
    """
    first, second = paths(host)
    text = json.dumps(described, ensure_ascii=True, sort_keys=True)
    load = _load(f"__import__('io').open({first!r},encoding='utf-8').read()", f"{second!r}")
    return f"({_LOADED}or {load}).hit({text!r})"


def injection(host: Host) -> str:
    """An expression that loads the code into a program that may not see our files."""
    first, second = paths(host)
    load = _load(repr(host.read(first)), f"{second!r},{host.read(second)!r}")
    return f"({_LOADED}or {load}) is not None"


def _load(source: str, rest: str) -> str:
    code = f"compile({source},'<builtin _dapwright_channel>','exec')"
    return f"(lambda d:(__import__('builtins').exec({code},d),d['bring'](d,{rest}))[1])({_NAMES})"


def explain_hang(host: Host, port: int, nonce: str) -> str:
    """An expression that has every thread and task of a running program looked at; the answer comes as a report."""
    source = host.read(f"{host.packages['inject']}/python_hang.py")
    add = "__import__('sys').modules['_dapwright_channel'].add('_dapwright_hang',{0!r},'python_hang.py')"
    return f"({injection(host)}) and {add.format(source)}.look({[port, nonce]!r}) is None"
