"""The pytest plugin of dapwright: reports every failure, and stands still where it happened.

PYTEST_DONT_REWRITE
"""

import os
import sys

import pytest

reports = sys.modules["_dapwright_reports"]
COUNTS = {"passed": 0, "failed": 0, "skipped": 0, "xfailed": 0, "xpassed": 0, "errors": 0}
TOLD = 200
"""Reports that are told one by one; beyond that they are counted alone."""


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests(early_config):
    """Switch coverage off before it starts: it would take the debugger's place."""
    options = early_config.known_args_namespace
    if getattr(options, "cov_source", None):
        options.cov_source = []
        reports.tell("note", text="coverage was switched off for this run")
    yield


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_cmdline_main(config):
    """Run the tests in this very process, and let no clock kill a test that stands still."""
    option = config.option
    if getattr(option, "numprocesses", None) or getattr(option, "tx", None):
        option.numprocesses, option.tx, option.dist = None, [], "no"
        reports.tell("note", text="xdist was switched off for this run: one process runs the tests")
    if reports.CONFIG.get("stop") and getattr(option, "timeout", None) is not None:
        option.timeout = 0
        reports.tell("note", text="pytest-timeout was switched off for this run")
    option.no_header = True  # its output is read by the character
    if getattr(option, "tbstyle", None) == "auto":
        option.tbstyle = "short"
    yield


def pytest_collection_modifyitems(config, items):
    """Keep the tests of the line that was named, and tell how many there are."""
    wanted = reports.CONFIG.get("line")
    if wanted:
        file, line = os.path.realpath(wanted[0]), wanted[1]
        kept = [item for item in items if _holds(item, file, line)]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept
        if not kept:
            reports.tell("note", text="no test is at line %d of %s" % (line, file))
    reports.tell("collected", count=len(items), tests=[item.nodeid for item in items[:20]])


def _holds(item, file, line):
    function = getattr(item, "function", None)
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    while hasattr(function, "__wrapped__"):
        function = function.__wrapped__
        code = getattr(function, "__code__", code)
    if code is None or os.path.realpath(code.co_filename) != file:
        return False
    return code.co_firstlineno <= line <= _last_line(code)


def _last_line(code):
    last = max([line or 0 for _, _, line in code.co_lines()]) if hasattr(code, "co_lines") else _old_last_line(code)
    inner = [_last_line(part) for part in code.co_consts if hasattr(part, "co_code")]
    return max([last, *inner])


def _old_last_line(code):
    import dis

    return max([code.co_firstlineno, *(line for _, line in dis.findlinestarts(code))])


@pytest.hookimpl(tryfirst=True)
def pytest_assertrepr_compare(op, left, right):
    """Note the two sides of a comparison that failed."""
    reports.compared(op, left, right)


def pytest_exception_interact(node, call, report):
    """A failure that pytest has caught, its frames still alive. Skips and expected failures do not come here."""
    if isinstance(report, pytest.CollectReport):
        return
    error = call.excinfo._excinfo
    output = "".join(text for name, text in report.sections if name.startswith("Captured std"))
    reports.failed(node.nodeid, report.when, error, output)


def pytest_collectreport(report):
    """A file that could not be imported, or has no such test."""
    if report.failed:
        reports.tell("uncollected", test=report.nodeid, message=str(report.longrepr)[: reports.LIMIT * 2])
    elif report.skipped and isinstance(report.longrepr, tuple):
        reports.tell("outcome", test=report.nodeid, outcome="skipped", reason=str(report.longrepr[-1])[:300])


def pytest_runtest_logreport(report):
    """Count, and tell what became of a test."""
    outcome = _outcome(report)
    if outcome is None:
        return
    COUNTS[outcome] += 1
    if sum(COUNTS.values()) <= TOLD or outcome in ("failed", "errors"):
        reports.tell("outcome", test=report.nodeid, outcome=outcome, phase=report.when, reason=_reason(report))


def _outcome(report):
    expected = hasattr(report, "wasxfail")
    if report.skipped:
        return "xfailed" if expected else "skipped"
    if report.failed:
        return "failed" if report.when == "call" else "errors"
    if report.when != "call":
        return None
    return "xpassed" if expected else "passed"


def _reason(report):
    if hasattr(report, "wasxfail"):
        return str(report.wasxfail)[:300]
    if report.skipped and isinstance(report.longrepr, tuple):
        return str(report.longrepr[-1])[:300]
    if report.failed and isinstance(report.longrepr, str):
        return report.longrepr[:300]
    return ""


def pytest_sessionfinish(exitstatus):
    """How the whole run ended."""
    reports.tell("finished", counts=dict(COUNTS), exit=int(exitstatus))


def pytest_internalerror(excrepr):
    """pytest itself failed."""
    reports.tell("uncollected", test="", message=str(excrepr)[-reports.LIMIT :])
