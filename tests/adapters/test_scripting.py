"""The plans of Ruby, PHP, Lua and COBOL, with nothing installed."""

import pytest

from dapwright.adapters import cobol, lua, php, ruby
from dapwright.core.errors import BuildError, SetupError, UsageError
from dapwright.core.model import Attach, Frame, Host, Launch, Ran

TEXTS = {"/p/A.cob": "PROGRAM-ID. A."}
HOST = Host(
    platform="linux",
    which=lambda name: f"/usr/bin/{name}",
    env={},
    python="/venv/bin/python",
    packages={"inject": "/inject"},
    cache="/cache",
    read=lambda path: TEXTS.get(path, ""),
)
BARE = Host(platform="linux", which=lambda name: None, env={})


def drive(planning, *answers):
    """Answer a plan's helper processes in turn; the plan, and the commands that it wanted."""
    wanted, given = [], iter(answers)
    try:
        run = next(planning)
        while True:
            wanted.append(run.argv)
            run = planning.send(next(given))
    except StopIteration as made:
        return made.value, wanted


def test_ruby_runs_under_rdbg_as_its_own_process():
    plan, wanted = drive(
        ruby.plan(Launch(program="/p/a.rb", args=("x",), cwd="/p"), HOST), Ran(0, "/gems/exe/rdbg\n", "")
    )
    assert wanted[0][0] == "/usr/bin/ruby"
    assert plan.argv[:2] == ("/usr/bin/ruby", "/gems/exe/rdbg") and plan.argv[-2:] == ("/p/a.rb", "x")
    assert plan.is_program and plan.prints_are_output and plan.channel == "unix" and plan.listens
    assert plan.env["RUBY_DEBUG_POSTMORTEM"] == "1"


def test_ruby_stops_on_entry_by_attaching_to_what_it_started():
    plan, _ = drive(ruby.plan(Launch(program="/p/a.rb", stop_on_entry=True), HOST), Ran(0, "/rdbg", ""))
    assert plan.request == "attach"


def test_ruby_without_the_gem_is_told():
    with pytest.raises(SetupError, match="no debug gem"):
        drive(ruby.plan(Launch(program="/p/a.rb"), HOST), Ran(1, "", "cannot load"))


def test_ruby_says_when_classes_become_all():
    plan, _ = drive(ruby.plan(Launch(program="/p/a.rb", exceptions=("KeyError",)), HOST), Ran(0, "/rdbg", ""))
    assert plan.exception_filters == ("any",) and "KeyError" in plan.warnings[0]


@pytest.mark.parametrize(
    ("expression", "kind", "value", "failed"),
    [
        ("nope + 1", "NameError", "#<NameError: undefined>", True),
        ("nope", "NameError", "#<NameError: undefined>", True),
        ("error", "ArgumentError", "#<ArgumentError: no>", False),
        ("1 +", "SyntaxError", "#<SyntaxError: ...>", True),
        ("x", "Integer", "3", False),
        ("x", "String", '"Error: Can not evaluate on this frame"', True),
    ],
)
def test_ruby_knows_a_failure_that_was_answered_with_success(expression, kind, value, failed):
    assert bool(ruby.failure(expression, kind, value)) is failed


def test_ruby_hides_frames_of_c_and_gems():
    assert ruby.internal_frame(Frame(1, "[C] Kernel#puts", "/p/a.rb", 1))
    assert ruby.internal_frame(Frame(1, "run", "/usr/lib/gems/rspec/x.rb", 1))
    assert not ruby.internal_frame(Frame(1, "Cart#total", "/p/a.rb", 1))


def test_php_waits_for_its_program_to_connect():
    plan, _ = drive(php.plan(Launch(program="/p/a.php", args=("x",), cwd="/p"), HOST), Ran(0, "8.2.36 3.2.0", ""))
    assert plan.argv == ("/venv/bin/python", "-P", "-m", "dapwright.engines.php")
    assert plan.arguments["once"] is True and plan.program.when == "phpListening"
    assert "-dxdebug.client_port={port}" in plan.program.argv and plan.program.argv[-2:] == ("/p/a.php", "x")
    assert plan.exception_filters == ("uncaught",)


def test_php_loads_xdebug_where_it_is_not_loaded():
    plan, wanted = drive(
        php.plan(Launch(program="/p/a.php"), HOST), Ran(0, "8.2.36 none", ""), Ran(0, "8.2.36 3.2.0", "")
    )
    assert "-dzend_extension=xdebug" in wanted[1] and "-dzend_extension=xdebug" in plan.program.argv


def test_php_without_xdebug_is_told():
    with pytest.raises(SetupError, match="no Xdebug 3") as refused:
        drive(php.plan(Launch(program="/p/a.php"), HOST), Ran(0, "8.2 none", ""), Ran(0, "8.2 2.9.8", ""))
    assert "install" in refused.value.hint


def test_php_attaches_by_listening():
    plan, _ = drive(php.attach(Attach(), HOST))
    assert plan.arguments["port"] == 9003 and plan.program is None
    assert "listening" in plan.notes[0]


@pytest.mark.parametrize(("asked", "told"), [("3", "3"), (">= 2", ">=2"), ("%4", "%4"), ("<3", None), ("<=3", None)])
def test_php_leaves_to_us_what_xdebug_does_not_count(asked, told):
    assert php.hit_condition(asked) == told


def test_lua_takes_the_interpreter_that_has_sockets():
    plan, wanted = drive(lua.plan(Launch(program="/p/a.lua", cwd="/p"), HOST), Ran(1, "", ""), Ran(0, "", ""))
    assert plan.argv[:4] == (wanted[1][0], "/inject/lua_agent.lua", "{port}", "/p") and plan.is_program


def test_lua_without_sockets_is_told():
    with pytest.raises(SetupError, match="LuaSocket"):
        drive(lua.plan(Launch(program="/p/a.lua"), HOST), *[Ran(1, "", "")] * 9)
    with pytest.raises(SetupError, match="on PATH"):
        drive(lua.plan(Launch(program="/p/a.lua"), BARE))


def test_cobol_is_built_in_the_cache_with_its_listing():
    (program, notes), wanted = drive(cobol.build(Launch(program="/p/A.cob"), HOST), Ran(0, "", ""), Ran(0, "", ""))
    assert program.startswith("/cache/cobol/") and program.endswith("/A") and program in notes[0]
    compiled = wanted[-1]
    assert "-g" in compiled and "-ftsymbols" in compiled and program + ".lst" in compiled and "/p/A.cob" in compiled


def test_cobol_tells_the_compilers_words():
    with pytest.raises(BuildError, match="syntax error"):
        drive(cobol.build(Launch(program="/p/A.cob"), HOST), Ran(0, "", ""), Ran(1, "", "A.cob:3: syntax error"))


def test_cobol_takes_a_program_as_it_is():
    with pytest.raises(UsageError, match="no such program"):
        drive(cobol.build(Launch(program="/p/a"), HOST))


@pytest.mark.parametrize("adapter", [ruby.ADAPTER, php.ADAPTER, lua.ADAPTER, cobol.ADAPTER], ids=lambda a: a.language)
def test_what_is_missing_is_told_with_the_command(adapter):
    assert adapter.check(BARE) and "install" in adapter.setup
    assert adapter.check(HOST) == ""
