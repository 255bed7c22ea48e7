"""Run a test runner so that its failures are known to dapwright, nothing installed into the target.

    python python_tests.py CONFIG ARGUMENTS OF THE RUNNER

CONFIG is JSON: `runner` (`pytest`, `unittest`), `to` (where to tell), `stop` (stand still at
a failure), `line` (`[file, line]`: only the tests there). What the runner and the tests see
of `sys.argv` and `sys.path` is what `python -m RUNNER` gives them.
"""

import json
import os
import runpy
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


def load(name, path):
    """Make the code at `path` the module `name`; under this file name pydevd (1.8.22) never traces it."""
    module = type(sys)(name)
    module.__file__ = path
    with open(path, encoding="utf-8") as source:
        text = source.read()
    sys.modules[name] = module
    exec(compile(text, "<builtin %s>" % name, "exec"), module.__dict__)
    return module


def main():
    """Run as the file's docstring says."""
    config = json.loads(sys.argv[1])
    del sys.argv[1]
    sys.path[0] = os.getcwd()
    probe = load("_dapwright_probe_code", os.path.join(HERE, "python_probe.py"))
    del sys.modules["_dapwright_probe_code"]
    probe.register(vars(probe))
    runner = config["runner"]
    load("_dapwright_reports", os.path.join(HERE, "runner_reports.py")).begin(config)
    plugin = load("_dapwright_" + runner, os.path.join(HERE, runner + "_plugin.py"))
    if runner == "unittest":
        plugin.install()
    else:
        sys.argv[1:1] = ["-p", "_dapwright_pytest"]
    runpy.run_module(runner, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
