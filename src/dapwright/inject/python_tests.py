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


def read(name):
    """The text of a file beside this one."""
    with open(os.path.join(HERE, name), encoding="utf-8") as source:
        return source.read()


def main():
    """Run as the file's docstring says."""
    config = json.loads(sys.argv[1])
    del sys.argv[1]
    sys.path[0] = os.getcwd()
    names = {"__name__": "_dapwright_channel"}
    exec(compile(read("python_channel.py"), "<builtin _dapwright_channel>", "exec"), names)
    names["bring"](names, os.path.join(HERE, "python_probe.py"))
    add, runner = names["add"], config["runner"]
    add("_dapwright_reports", read("python_reports.py"), os.path.join(HERE, "python_reports.py")).begin(config)
    file = "python_" + runner + ".py"
    plugin = add("_dapwright_" + runner, read(file), os.path.join(HERE, file))
    if runner == "unittest":
        plugin.install()
    else:
        sys.argv[1:1] = ["-p", "_dapwright_pytest"]
    runpy.run_module(runner, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
