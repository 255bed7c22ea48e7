"""Steps of Ruby end where they are asked to, though rdbg's own do not."""

import contextlib

import pytest

from live.served import Served

pytestmark = [pytest.mark.live, pytest.mark.needs("ruby", "rdbg")]

SHOP = """\
def rate(total)
  found = 0.1
  found = 0.0 if total < 50
  found
end

def discount(total)
  result = total - total * rate(total)
  result
end

def sum(items)
  total = 0
  items.each do |item|
    total = total + item
  end
  total
end

amount = discount(sum([60, 40]))
puts amount
puts "done"
"""


@pytest.fixture
def shop(tmp_path):
    file = tmp_path / "shop.rb"
    file.write_text(SHOP)
    with contextlib.closing(Served(tmp_path)) as served:
        yield served, str(file)


def content(told):
    assert told["state"] == "paused", told
    return told["content"]


def test_a_step_out_ends_in_the_caller_with_what_was_returned(shop):
    served, file = shop
    wanted = [{"file": file, "statement": "found = 0.1"}]
    served.ok("start_debugging", scriptPath=file, breakpoints=wanted, wait=20)
    first = served.ok("step_out")
    assert (content(first), first["returnValue"]["value"]) == ("result", "0.1")
    second = served.ok("step_out")
    assert (content(second), second["returnValue"]["value"]) == ("puts amount", "90.0")
    assert "returnValue" not in served.ok("step_over")


def test_a_step_out_that_a_breakpoint_cuts_short_returned_nothing(shop):
    served, file = shop
    wanted = [{"file": file, "statement": "total = 0"}, {"file": file, "statement": "total = total + item"}]
    served.ok("start_debugging", scriptPath=file, breakpoints=wanted, wait=20)
    told = served.ok("step_out")
    assert content(told) == "total = total + item" and told["stopReason"] == "breakpoint"
    assert "returnValue" not in told


def test_a_step_that_a_breakpoint_cut_short_stops_no_more_after_a_continue(shop):
    served, file = shop
    wanted = [
        {"file": file, "statement": "amount = discount(sum([60, 40]))"},
        {"file": file, "statement": "found = 0.1"},
    ]
    served.ok("start_debugging", scriptPath=file, breakpoints=wanted, wait=20)
    assert content(served.ok("step_over")) == "found = 0.1"
    told = served.ok("continue_execution", wait=20)
    assert told["state"] == "stopped" and told["exitCode"] == 0, told
