"""Breakpoints in the templates of a Python program."""

import pytest

from live.driver import driver

pytestmark = pytest.mark.live

PROGRAM = """\
from pathlib import Path
import jinja2
pages = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent))
print(pages.get_template("page.html").render(items=["pen", "ink"]))
"""
PAGE = "<ul>\n{% for item in items %}\n<li>{{ item }}</li>\n{% endfor %}\n</ul>\n"


async def test_a_line_of_a_jinja_template_stops_with_its_variables(tmp_path):
    pytest.importorskip("jinja2")
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "show.py").write_text(PROGRAM)
    async with driver() as d:
        stop = await d.ok(
            "start_debugging",
            scriptPath=str(tmp_path / "show.py"),
            breakpoints=[{"file": str(tmp_path / "page.html"), "line": 3}],
            wait=30,
        )
        assert stop["state"] == "paused" and stop["location"]["file"].endswith("page.html")
        assert (
            stop["location"]["line"] == 3
            and {"name": "item", "value": "'pen'"}.items()
            <= next(one for one in stop["locals"] if one["name"] == "item").items()
        )
        stop = await d.ok("continue_execution", wait=30)
        assert (await d.locals())["item"] == "'ink'"
        assert (await d.ok("continue_execution", wait=30))["exitCode"] == 0


async def test_a_program_without_an_ending_is_no_template(tmp_path):
    program = tmp_path / "tool"
    program.write_text("x = 3\ny = x + 1\nprint(y)\n")
    place = {"file": str(program), "statement": "y = x + 1"}
    async with driver() as d:
        stop = await d.ok("start_debugging", language="python", scriptPath=str(program), breakpoints=[place], wait=30)
        assert stop["state"] == "paused" and stop["location"]["line"] == 2
        assert (await d.ok("continue_execution", wait=30))["exitCode"] == 0
