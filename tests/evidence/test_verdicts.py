"""What runners print of a failure, told apart from the rest."""

import pytest

from dapwright import adapters
from dapwright.core.model import Launch, TestCommand
from dapwright.evidence import testing
from dapwright.evidence.verdicts import _last_failure, is_plain

PRINTED = {
    "go": ("=== RUN   TestX\n    main_test.go:9: mean = 4, want 5\n", "main_test.go:9: mean = 4, want 5"),
    "gtest": (
        "[ RUN      ] Math.Adds\n/x/t.cpp:6: Failure\nExpected equality of these values:\n"
        "  got\n    Which is: -1\n  5\n\n",
        "/x/t.cpp:6: Failure\nExpected equality of these values:\ngot\nWhich is: -1\n5",
    ),
    "boost": (
        'Running 1 test case...\nb.cpp(7): error: in "math/adds": check total == 5 has failed [4 != 5]\n',
        'b.cpp(7): error: in "math/adds": check total == 5 has failed [4 != 5]',
    ),
    "rust": (
        "stderr: thread 'a' panicked at src/main.rs:21:25:\nstderr: nothing left\n",
        "stderr: thread 'a' panicked at src/main.rs:21:25:\nstderr: nothing left",
    ),
    "nothing": ("running 1 test\n", ""),
}


@pytest.mark.parametrize(("printed", "failure"), PRINTED.values(), ids=PRINTED)
def test_the_last_thing_said_of_a_place_is_the_failure(printed, failure):
    assert _last_failure(printed) == failure


def test_a_run_with_a_plugin_of_ours_is_not_plain():
    assert is_plain(TestCommand(Launch(program="/t"), rerun=("t",)))
    reporting = Launch(program="/t", args=('{"endpoint": "{endpoint}"}',))
    assert not is_plain(TestCommand(reporting, rerun=("t",)))


@pytest.mark.parametrize(
    ("test", "language"),
    [
        ("FenceTest#longFence", "java"),
        ("demo.FenceTest$Long#a long fence", "java"),
        ("pkg/fence_test.go", "go"),
        ("test_x.py::test_sum[a#b]", "python"),
        ("tests.test_x.Case.test_sum", "python"),
    ],
)
def test_a_test_that_names_no_language_is_read_by_its_file_or_its_form(test, language):
    assert testing.find_adapter(test, None, adapters).language == language
