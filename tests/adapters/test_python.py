"""Python's plans and judgements, on machines that are not here."""

import pytest

from dapwright.adapters._python_interpreters import interpreter
from dapwright.adapters._python_processes import check_process, injector, takes_code
from dapwright.adapters._python_words import check_condition, context_of, refuse_effects, refuse_writes
from dapwright.adapters.python import ADAPTER, prelude, templates
from dapwright.core.errors import NotAllowed, SetupError, UsageError
from dapwright.core.model import Attach, Host, Launch
from dapwright.host import machine


def host(files=(), *, texts=None, env=None, python="/ours/bin/python", which=None, platform="linux", folders=()):
    """A machine with these files; what is read and found on the PATH is given too."""
    texts = texts or {}
    known = {*files, *texts}

    def glob(pattern):
        start = pattern.partition("*")[0]
        found = {path[: path.index("/", len(start))] for path in known if path.startswith(start)}
        return sorted(found)

    return Host(
        platform=platform,
        which=lambda name: (which or {}).get(name),
        env=env or {},
        is_file=lambda path: path in known,
        is_dir=lambda path: path in folders or any(path != one and one.startswith(path + "/") for one in known),
        read=lambda path: texts.get(path, ""),
        glob=glob,
        python=python,
        packages={"inject": "/inject", "debugpy": "/packages"},
        home="/home/ada",
        cache="/home/ada/.cache/dapwright",
    )


PROJECT = "/home/ada/shop"
PYENV = "/home/ada/.pyenv/versions/3.12.10/bin/python"
OLDER = "/home/ada/.pyenv/versions/3.12.9/bin/python"
CONDA = "/home/ada/miniconda3/envs/tea/bin/python"
VENV = f"{PROJECT}/.venv/bin/python"


@pytest.mark.parametrize(
    ("files", "texts", "env", "expected", "why"),
    [
        ([VENV, PYENV], {f"{PROJECT}/.python-version": "3.12"}, {}, VENV, "project's .venv"),
        ([CONDA], {f"{PROJECT}/environment.yml": "name: tea\n"}, {"VIRTUAL_ENV": "/v"}, CONDA, "conda environment tea"),
        ([PYENV, OLDER], {f"{PROJECT}/.python-version": "3.12\n"}, {}, PYENV, "pyenv"),
        (["/v/bin/python"], {}, {"VIRTUAL_ENV": "/v"}, "/v/bin/python", "VIRTUAL_ENV"),
        (["/c/bin/python"], {}, {"CONDA_PREFIX": "/c"}, "/c/bin/python", "CONDA_PREFIX"),
        (
            ["/e/bin/python"],
            {f"{PROJECT}/uv.lock": "v"},
            {"UV_PROJECT_ENVIRONMENT": "/e"},
            "/e/bin/python",
            "uv environment",
        ),
        ([], {}, {}, "/ours/bin/python", "dapwright's own"),
    ],
)
def test_the_interpreter_is_chosen_in_the_documented_order(files, texts, env, expected, why):
    found, reason = interpreter("", f"{PROJECT}/src", host(files, texts=texts, env=env))
    assert found == expected and why in reason


def test_poetry_s_environment_is_found_by_the_name_that_poetry_gives_it():
    # the digest is of the project's folder, as poetry 1.x and 2.x make it
    name = "shop-of-tea-pd_-KTMi-py3.12"
    python = f"/home/ada/.cache/pypoetry/virtualenvs/{name}/bin/python"
    texts = {f"{PROJECT}/pyproject.toml": '[tool.poetry]\nname = "Shop-of-tea"\n'}
    import base64
    import hashlib

    digest = base64.urlsafe_b64encode(hashlib.sha256(PROJECT.encode()).digest()).decode()[:8]
    python = python.replace("pd_-KTMi", digest)
    assert interpreter("", PROJECT, host([python], texts=texts))[0] == python


def test_a_tool_in_an_environment_of_its_own_takes_the_python_of_the_path():
    tool = "/home/ada/.local/share/uv/tools/dapwright/bin/python"
    assert interpreter("", PROJECT, host(python=tool, which={"python3": "/usr/bin/python3"}))[0] == "/usr/bin/python3"


def test_an_interpreter_that_is_asked_for_must_exist():
    with pytest.raises(SetupError, match="/nowhere/python"):
        interpreter("/nowhere/python", PROJECT, host())
    assert interpreter("/v", PROJECT, host(["/v/bin/python"]))[0] == "/v/bin/python"


def status(uid, *, capabilities="0", state="S (sleeping)"):
    return f"Name:\tshop\nState:\t{state}\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\nCapEff:\t{capabilities}\n"


@pytest.mark.parametrize(
    ("texts", "which", "error", "words"),
    [
        ({}, {}, UsageError, "no process 7"),
        ({"/proc/7/status": status(5, state="Z (zombie)")}, {}, UsageError, "has ended"),
        ({"/proc/7/status": status(5)}, {}, SetupError, "another user"),
        (
            {"/proc/7/status": status(1), "/proc/sys/kernel/yama/ptrace_scope": "1\n"},
            {},
            SetupError,
            "ptrace_scope is 1",
        ),
        ({"/proc/7/status": status(1), "/proc/7/maps": "/usr/bin/sleep"}, {}, UsageError, "no Python program"),
        ({"/proc/7/status": status(1), "/proc/7/maps": "/usr/bin/python3.12"}, {}, SetupError, "needs gdb"),
    ],
)
def test_a_process_that_cannot_be_joined_is_told_why(texts, which, error, words):
    with pytest.raises(error, match=words):
        check_process(7, host(texts={"/proc/self/status": status(1), **texts}, which=which))


def test_a_process_that_can_be_joined_passes():
    mine = {"/proc/self/status": status(1, capabilities="80000"), "/proc/7/status": status(5)}
    check_process(7, host(texts={**mine, "/proc/7/maps": "/usr/bin/python3.12"}, which={"gdb": "/usr/bin/gdb"}))
    check_process(7, host(texts={**mine, "/proc/7/maps": "/usr/lib/libpython3.14.so"}))
    check_process(7, host(platform="darwin"))


def test_the_interpreter_that_takes_in_code_by_itself_is_its_own_injector():
    library = "7f00-7f01 r-xp 0 0:0 1 /opt/py/lib/libpython3.14.so.1.0\n"
    assert injector(f"5500-5501 r-xp 0 0:0 1 /opt/py/bin/python3.14\n{library}") == "/opt/py/bin/python3.14"
    assert injector("5500-5501 r-xp 0 0:0 1 /opt/py/bin/python3.13\n") == ""
    assert injector(library) == "" and takes_code(library), "which one is not told, only that it can"
    mine = {"/proc/self/status": status(1), "/proc/7/status": status(1)}
    there = host(texts={**mine, "/proc/7/maps": "5500-5501 r-xp 0 0:0 1 /opt/py/bin/python3.14\n"})
    made = plan_of(ADAPTER.attach(Attach(process_id=7), there))
    assert made.argv[0] == "/opt/py/bin/python3.14" and "PYTHONPATH" in made.env


@pytest.mark.parametrize(
    "expression", ["f()", "x = 1", "(x := 1)", "del x", "await f", "a.b()", "len(f())", "import os"]
)
def test_effects_are_refused_by_the_syntax_tree(expression):
    with pytest.raises(NotAllowed):
        refuse_effects(expression)


@pytest.mark.parametrize("expression", ["x", "x.y[1]", "len(x) + 1", "[a for a in x]", "f'{x!r}'", "lambda: 1"])
def test_expressions_without_effects_pass(expression):
    refuse_effects(expression)


def test_statements_and_expressions_are_told_apart():
    assert context_of("  x + 1") == "watch" and context_of("x = 1") == "repl" and context_of("import a; b") == "repl"


def test_conditions_are_parsed_and_quotes_may_nest_as_in_newer_pythons():
    check_condition("x > 1 and y")
    with pytest.raises(UsageError) as refused:
        check_condition("x = 1")
    assert "`==` compares" in refused.value.hint


def plan_of(planning):
    with pytest.raises(StopIteration) as made:
        next(planning)
    return made.value.value


def test_children_are_left_alone_in_the_program_and_in_the_adapter():
    plan = plan_of(ADAPTER.plan(Launch(program="/x.py", cwd="/", children=False), host()))
    assert plan.arguments["subProcess"] is False
    assert "--configure-subProcess" in plan.program.argv


def test_listening_invites_the_program():
    plan = plan_of(ADAPTER.attach(Attach(config={"listen": {"port": 5}}), host()))
    assert plan.arguments["listen"] == {"host": "127.0.0.1", "port": 5} and "--connect" in plan.invitation


def test_the_prelude_is_code_of_every_python_that_is_debugged():
    compile(prelude(machine()), "<prelude>", "exec")


@pytest.mark.parametrize(
    "text", ["(n := 1)", "items.pop()", "d.setdefault('a', 1)", "next(rows)", "setattr(o, 'a', 1)"]
)
def test_what_changes_the_program_for_certain_is_nothing_to_look_by(text):
    with pytest.raises(NotAllowed):
        refuse_writes(text)


@pytest.mark.parametrize(
    "text", ["len(x) > 1", "user.is_admin()", "name == 'pop()'", "money.add(1)", "x if y else z", "a ="]
)
def test_what_may_be_harmless_may_be_looked_by(text):
    refuse_writes(text)


@pytest.mark.parametrize(
    ("program", "asked"),
    [
        ("/w/app.py", {"jinja": True}),
        ("", {"jinja": True}),
        ("/w/manage.py", {"django": True}),
        ("/v/bin/flask", {"jinja": True}),
        ("/v/bin/django-admin", {"django": True}),
        ("/w/tool", {}),
    ],
)
def test_whose_templates_stop_is_told_by_the_program(program, asked):
    assert templates(program) == asked
