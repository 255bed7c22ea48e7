"""dapwright's ear on unittest: every failure is told, and stood still at, when a result takes it in."""

import atexit
import sys
import unittest
from unittest import loader

reports = sys.modules["_dapwright_reports"]
COUNTS = {"passed": 0, "failed": 0, "skipped": 0, "xfailed": 0, "xpassed": 0, "errors": 0}
Result = unittest.TestResult
TOLD = 200


def identity(test):
    """A test as a command line names it: `pkg.mod.Class.test`."""
    return test.id() if hasattr(test, "id") else str(test)


def tell(test, outcome, reason=""):
    COUNTS[outcome] += 1
    if sum(COUNTS.values()) <= TOLD or outcome in ("failed", "errors"):
        reports.tell("outcome", test=identity(test), outcome=outcome, phase="call", reason=reason)


def failed(test, error, outcome):
    """A failure, or a test that could not be loaded at all."""
    if isinstance(test, loader._FailedTest):
        reports.tell("uncollected", test=identity(test), message=reports.text_of(error[1])[: reports.LIMIT * 2])
    else:
        phase = phase_of(error[2])
        reports.failed(identity(test), phase, error)
    tell(test, outcome)


def phase_of(trace):
    """Whether it was the test, or what is done before or after it."""
    names = [frame.f_code.co_name for frame, _ in reports.walk(trace)]
    if any(name in ("setUp", "setUpClass", "setUpModule", "asyncSetUp") for name in names):
        return "setup"
    return (
        "teardown"
        if any(name in ("tearDown", "tearDownClass", "asyncTearDown", "doCleanups") for name in names)
        else "call"
    )


def around(name, before):
    """Have `before(*arguments)` called ahead of a method of every test result."""
    method = getattr(Result, name)

    def called(self, *arguments):
        before(*arguments)
        return method(self, *arguments)

    called.failfast = True
    setattr(Result, name, called)


def subtest(test, part, error):
    if error is not None:
        failed(part, error, "failed" if issubclass(error[0], test.failureException) else "errors")


def install():
    """Listen from now on."""
    around("addFailure", lambda test, error: failed(test, error, "failed"))
    around("addError", lambda test, error: failed(test, error, "errors"))
    around("addSubTest", subtest)
    around("addSuccess", lambda test: tell(test, "passed"))
    around("addSkip", lambda test, reason: tell(test, "skipped", str(reason)[:300]))
    around("addExpectedFailure", lambda test, error: tell(test, "xfailed"))
    around("addUnexpectedSuccess", lambda test: tell(test, "xpassed"))
    atexit.register(lambda: reports.tell("finished", counts=dict(COUNTS), exit=None))
