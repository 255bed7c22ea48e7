"""Languages described in TOML."""

import pytest

from dapwright.core import described
from dapwright.core.errors import UsageError
from dapwright.core.model import Attach, Frame, Host, Launch

HOST = Host(platform="linux", which=lambda name: f"/bin/{name}" if name == "toy-dap" else None, env={})
TOY = """
[adapters.Toy]
extensions = ["toy", ".ty"]
command = ["toy-dap", "--port", "{port}"]
channel = "tcp"
launch = { program = "{program}", args = "{args}", cwd = "{cwd}", env = "{env}", quiet = true }
attach = { processId = "{processId}", host = "{host}" }
modes = ["processId"]
distrust = ["logpoints"]
exit_code = 'ended with (\\d+)'
internal = '^/lib/'
prints_are_output = true
function_breakpoints = "ours"
exceptions = { uncaught = ["u"], all = ["a", "u"] }
"""


def one(text=TOY):
    (adapter,) = described.read(text, "a file").values()
    return adapter


def made(planning):
    with pytest.raises(StopIteration) as end:
        next(planning)
    return end.value.value


def test_a_table_becomes_a_language():
    adapter = one()
    assert (adapter.language, adapter.engine, adapter.extensions) == ("toy", "toy-dap", (".toy", ".ty"))
    assert adapter.accepts_and_ignores == {"logpoints"} and adapter.function_breakpoints == "ours"
    assert adapter.exit_code.search("it ended with 7")[1] == "7"
    assert adapter.internal_frame(Frame(1, "f", "/lib/x", 1)) and not adapter.internal_frame(Frame(1, "f", "/x", 1))
    assert adapter.exception_filters["all"] == ("a", "u")
    assert "not tried" in adapter.tested


def test_a_launch_fills_its_template():
    launch = Launch(program="/p/a.toy", args=("1", "2"), cwd="/p", env={"A": "x", "B": None}, extra={"more": 1})
    plan = made(one().plan(launch, HOST))
    assert plan.request == "launch" and plan.channel == "tcp" and plan.prints_are_output
    assert plan.argv == ("toy-dap", "--port", "{port}"), "the port is chosen when the adapter starts"
    assert plan.arguments == {
        "program": "/p/a.toy",
        "args": ["1", "2"],
        "cwd": "/p",
        "env": {"A": "x"},
        "quiet": True,
        "more": 1,
    }
    assert plan.env == {"A": "x", "B": None}


def test_an_attachment_leaves_out_what_was_not_said():
    plan = made(one().attach(Attach(process_id=7), HOST))
    assert plan.arguments == {"processId": 7, "host": "127.0.0.1"}


def test_a_port_that_listens_needs_no_command():
    adapter = one('[adapters.far]\nattach = { type = "far" }\nattach_to = "port"\n')
    plan = made(adapter.attach(Attach(port=4711, host="h"), HOST))
    assert (plan.argv, plan.host, plan.port) == ((), "h", 4711) and adapter.plan is None
    with pytest.raises(UsageError, match="`port` is missing"):
        next(adapter.attach(Attach(), HOST))


def test_a_missing_command_is_told():
    assert one().check(HOST) == ""
    assert one('[adapters.x]\ncommand = ["nowhere"]').check(HOST) == "`nowhere` is not on PATH"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[adapters", "not valid TOML"),
        ("adapters = 1", "not a table"),
        ("[adapters]\nx = 1", "not a table"),
        ("[adapters.x]\n", "has no `command`"),
        ('[adapters.x]\ncomand = ["a"]', "`comand`"),
        ('[adapters.x]\ncommand = "a"', "not a list of strings"),
        ('[adapters.x]\ncommand = ["a"]\nlaunch = 1', "not a table"),
        ('[adapters.x]\ncommand = ["a"]\npaging = 1', "neither true nor false"),
        ('[adapters.x]\ncommand = ["a"]\nchannel = "pigeon"', "`pigeon`"),
        ('[adapters.x]\ncommand = ["a"]\nchannel = ["tcp"]', "not a string"),
        ('[adapters.x]\ncommand = ["a"]\ndistrust = ["people"]', "`people`"),
        ("[adapters.x]\ncommand = ['a']\nexit_code = '('", "no pattern"),
    ],
)
def test_a_mistake_is_named(text, said):
    with pytest.raises(UsageError) as refused:
        described.read(text, "my.toml")
    assert said in str(refused.value) and "my.toml" in str(refused.value)


def test_a_key_written_wrongly_is_answered_with_the_right_one():
    with pytest.raises(UsageError) as refused:
        described.read('[adapters.x]\ncomand = ["a"]', "my.toml")
    assert "`command`" in refused.value.hint
