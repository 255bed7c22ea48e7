"""A program that mostly sleeps hears of a pause at its next line, not many lines later."""

import contextlib
import time

import pytest

from live.served import Served

HOLD_SECONDS = 5.0
"""What the tool says it waits."""

SLEEPERS = {
    "perl": ("nap.pl", "my $n = 0;\nwhile (1) {\n    $n = $n + 1;\n    select(undef, undef, undef, 0.02);\n}\n"),
    "lua": ("nap.lua", 'local n = 0\nwhile true do\n  n = n + 1\n  os.execute("sleep 0.02")\nend\n'),
    "ruby": ("nap.rb", "n = 0\nloop do\n  n = n + 1\n  sleep 0.02\nend\n"),
    "bash": ("nap.sh", "n=0\nwhile true; do\n  n=$((n + 1))\n  sleep 0.02\ndone\n"),
}


@pytest.mark.live
@pytest.mark.parametrize(
    "language",
    [pytest.param(name, marks=pytest.mark.needs(name if name != "bash" else "bash-dap")) for name in SLEEPERS],
)
def test_a_loop_that_sleeps_is_paused_within_the_bound_of_the_call(tmp_path, language):
    name, text = SLEEPERS[language]
    (tmp_path / name).write_text(text)
    with contextlib.closing(Served(tmp_path)) as served:
        served.ok("start_debugging", scriptPath=str(tmp_path / name), wait=1)
        begun = time.monotonic()
        told = served.ok("pause_execution")
        assert told["state"] == "paused", told
        assert time.monotonic() - begun < HOLD_SECONDS
