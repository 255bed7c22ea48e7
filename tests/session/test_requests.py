"""What a launch will start, told before any of it is."""

from dapwright.core.model import Attach, Launch, Plan, Program, Run
from dapwright.session import requests

LAUNCH = Launch(program="/w/app", args=("--fast",), cwd="/w", env={"A": "1"})


def told(found):
    return [(one.purpose, one.command) for one in found]


def test_a_program_that_we_start_is_told_as_it_is():
    plan = Plan("launch", {}, argv=("adapter",), program=Program(("python", "app"), "/w", {}))
    assert told(requests.of_plan(plan, LAUNCH)) == [("adapter", "adapter"), ("program", "python app")]


def test_a_program_that_the_engine_starts_is_told_with_its_runtime_and_options():
    plan = Plan("launch", {"javaPath": "/jdk/java", "vmArgs": ["-Xmx1g"]}, argv=("engine",))
    adapter, program = requests.of_plan(plan, LAUNCH)
    assert program.command == "/jdk/java -Xmx1g /w/app --fast" and (program.cwd, dict(program.env)) == (
        "/w",
        {"A": "1"},
    )


def test_nothing_is_told_twice_and_a_core_file_runs_nothing():
    inside = Plan("launch", {}, argv=("rdbg", "app.rb"), is_program=True)
    assert told(requests.of_plan(inside, LAUNCH)) == [("adapter", "rdbg app.rb")]
    core = Plan("launch", {}, argv=("gdb",), post_mortem=True)
    assert told(requests.of_plan(core, LAUNCH)) == [("adapter", "gdb")]


def test_commands_for_the_debuggers_own_command_line_are_told():
    asked = Launch(program="/w/app", cwd="/w", extra={"initCommands": ["shell rm x"]}, config={"exitCommands": "quit"})
    found = told(requests.of_plan(Plan("launch", {}, argv=("lldb-dap",)), asked))
    assert [command for _, command in found[2:]] == ["evaluate shell rm x", "evaluate quit"]
    attach = Attach(config={"attachCommands": ["shell rm y"]})
    assert told(requests.of_plan(Plan("attach", {}), attach)) == [("change of the program", "evaluate shell rm y")]


def test_a_plan_is_foreseen_up_to_its_first_build_step():
    def building():
        yield Run(("make", "app"), "/w")
        raise AssertionError("it was driven on")

    def ready():
        return Plan("launch", {}, argv=("adapter",))
        yield

    assert told(requests.foreseen(building(), LAUNCH)) == [("build", "make app")]
    assert told(requests.foreseen(ready(), LAUNCH)) == [("adapter", "adapter"), ("program", "/w/app --fast")]
