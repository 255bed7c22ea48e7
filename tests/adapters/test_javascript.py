"""Plans for JavaScript and TypeScript, made without a machine."""

import json

import pytest
from msgspec.structs import replace

from dapwright.adapters._javascript_tests import test_command as command_of
from dapwright.adapters.javascript import ADAPTER
from dapwright.adapters.typescript import ADAPTER as TYPESCRIPT
from dapwright.core.errors import SetupError, UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, TestTarget


def host(files=None, which=("node",)):
    files = files or {}
    return Host(
        platform="linux",
        which=lambda name: f"/bin/{name}" if name in which else None,
        env={},
        is_file=lambda path: path in files,
        read=lambda path: files.get(path, ""),
        python="/py",
    )


def made(planning):
    with pytest.raises(StopIteration) as done:
        next(planning)
    return done.value.value


def test_a_launch_names_all_that_the_engine_needs():
    launch = Launch(
        program="/w/a.js", args=("x",), env={"A": None}, stop_on_entry=True, extra={"smart": 1}, children=False
    )
    plan = made(ADAPTER.plan(launch, host()))
    assert plan.argv == ("/py", "-m", "dapwright.engines.node") and plan.request == "launch"
    assert plan.arguments["cwd"] == "/w" and plan.arguments["env"] == {"A": None} and plan.arguments["smart"] == 1
    assert plan.arguments["autoAttachChildProcesses"] is False and plan.exception_filters == ("uncaught",)


def test_class_names_become_an_exception_option():
    plan = made(ADAPTER.plan(Launch(program="/a.js", exceptions=("TypeError", "MyError")), host()))
    assert plan.exception_filters == ()
    [option] = plan.exception_options
    assert option["breakMode"] == "always" and option["path"][1] == {"names": ["TypeError", "MyError"]}


def test_a_missing_node_is_told_with_the_install_command():
    assert "apt-get install nodejs" in ADAPTER.check(host(which=()))
    with pytest.raises(SetupError) as missing:
        next(ADAPTER.plan(Launch(program="/a.js"), host(which=())))
    assert "apt-get install nodejs" in missing.value.hint
    assert made(ADAPTER.plan(Launch(program="/a.js", executable="/opt/node"), host(which=()))).arguments[
        "runtimeExecutable"
    ]


def test_attaching_needs_something_to_attach_to():
    with pytest.raises(UsageError):
        next(ADAPTER.attach(Attach(), host()))
    plan = made(ADAPTER.attach(Attach(port=9229, stop_on_entry=False), host()))
    assert plan.arguments["port"] == 9229 and "processId" not in plan.arguments and plan.exception_filters == ()


def test_frames_of_node_are_internal():
    assert ADAPTER.internal_frame(Frame(1, "f", "/w/a.js", 1, hint="subtle"))
    assert ADAPTER.internal_frame(Frame(1, "f", "node:fs", 1))
    assert not ADAPTER.internal_frame(Frame(1, "f", "/w/a.js", 1))


def test_typescript_shares_the_engine():
    assert TYPESCRIPT.plan is ADAPTER.plan and ".ts" in TYPESCRIPT.extensions and TYPESCRIPT.language == "typescript"


@pytest.mark.parametrize(
    ("text", "package", "runner"),
    [
        ("import test from 'node:test'", {"devDependencies": {"jest": "1"}}, "node"),
        ("import {it} from 'vitest'", {}, "vitest"),
        ("it('x')", {"devDependencies": {"jest": "1"}}, "jest"),
        ("it('x')", {"dependencies": {"mocha": "1"}}, "mocha"),
        ("it('x')", {}, "node"),
    ],
)
def test_the_runner_is_found_by_the_file_then_by_its_package(text, package, runner):
    scripts = {"jest": "jest/bin/jest.js", "vitest": "vitest/vitest.mjs", "mocha": "mocha/bin/mocha.js"}
    files = {"/w/t/a.test.js": text, "/w/package.json": json.dumps(package)}
    files |= {f"/w/node_modules/{scripts[runner]}": ""} if runner in scripts else {}
    command = made(command_of(TestTarget("/w/t/a.test.js::adds (two)"), host(files)))
    assert command.filters == ("test-failure",) and command.launch.test
    if runner == "node":
        assert command.launch.config["runtimeArgs"] == ["--test-name-pattern=adds\\ \\(two\\)"]
        assert command.rerun[0] == "node"
    else:
        assert command.launch.program == f"/w/node_modules/{scripts[runner]}" and command.rerun[:2] == ("npx", runner)
        assert command.launch.cwd == "/w" and "adds\\ \\(two\\)" in command.launch.args


def test_a_runner_that_is_not_installed_is_told():
    with pytest.raises(SetupError, match="`jest` is not installed"):
        next(command_of(TestTarget("/w/a.test.js", runner="jest"), host()))
    with pytest.raises(UsageError, match="no test runner `ava`"):
        next(command_of(TestTarget("/w/a.test.js", runner="ava"), host()))


@pytest.mark.parametrize("condition", ["i >", "let x = 1", "return i", "a b", "f(", "'open"])
def test_a_condition_that_cannot_be_parsed_is_refused_before_any_engine_hears_of_it(condition):
    with pytest.raises(UsageError, match="cannot be parsed"):
        ADAPTER.check_condition(condition)


@pytest.mark.parametrize(
    "condition",
    ["i > 1", "a?.b ?? c", "x => x", "`${a}` === 'b'", "/[}]/v.test(s)", "{}.a", "#p in this", "i++ // why", "a = 1"],
)
def test_a_condition_that_is_an_expression_is_taken(condition):
    ADAPTER.check_condition(condition)


def planned(launch, machine):
    with pytest.raises(StopIteration) as done:
        next(ADAPTER.plan(launch, machine))
    return done.value.value


def project(package, *files, which=("node", "npm", "npx")):
    return host({"/p/package.json": json.dumps(package), **dict.fromkeys((f"/p/{name}" for name in files), "")}, which)


@pytest.mark.parametrize(
    ("launch", "package", "files", "expected"),
    [
        (Launch(program="/p"), {"main": "src/a.js"}, ["src/a.js"], {"program": "/p/src/a.js"}),
        (Launch(program="/p"), {}, ["index.mjs"], {"program": "/p/index.mjs"}),
        (
            Launch(program="/p", args=("1",)),
            {"scripts": {"start": "node a"}},
            [],
            {"runtimeExecutable": "npm", "runtimeArgs": ["start", "--", "1"]},
        ),
        (
            Launch(module="npm run dev", cwd="/p"),
            {},
            [],
            {"runtimeExecutable": "npm", "runtimeArgs": ["run", "dev"]},
        ),
        (
            Launch(module="dev", cwd="/p/src", args=("-x",)),
            {"scripts": {"dev": "node a"}},
            [],
            {"runtimeExecutable": "npm", "runtimeArgs": ["run", "dev", "--", "-x"]},
        ),
        (
            Launch(module="tool", cwd="/p"),
            {},
            ["node_modules/.bin/tool"],
            {"runtimeExecutable": "npx", "runtimeArgs": ["--no-install", "tool"]},
        ),
    ],
)
def test_a_folder_a_script_and_a_tool_are_run_as_npm_would(launch, package, files, expected):
    arguments = planned(launch, replace(project(package, *files), is_dir=lambda path: path == "/p")).arguments
    assert {key: arguments[key] for key in expected} == expected


@pytest.mark.parametrize(
    ("launch", "which", "error", "words"),
    [
        (Launch(program="/p"), ("node",), UsageError, "`lint`"),
        (Launch(module="nope", cwd="/p"), ("node",), UsageError, "`lint`"),
        (Launch(module="npm run lint", cwd="/p"), ("node",), SetupError, "install"),
    ],
)
def test_what_cannot_be_run_is_refused_with_the_scripts_that_can(launch, which, error, words):
    machine = project({"scripts": {"lint": "x"}}, which=which)
    with pytest.raises(error) as refused:
        planned(launch, replace(machine, is_dir=lambda path: path == "/p"))
    assert words in refused.value.hint
