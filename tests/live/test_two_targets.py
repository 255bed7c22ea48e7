"""Electron's two halves as two sessions of one server: a main process by `--inspect`, a page by its debugging port.

Electron itself is not here: Node stands for its main process, Chromium for its renderer.
"""

import re
import shutil
import subprocess

import pytest
from waits import until

from dapwright.engines.node.attaching import find
from dapwright.engines.node.browser import Browser
from dapwright.engines.node.inspector import connect
from live.driver import driver

pytestmark = pytest.mark.live

MAIN = "let made = 0;\nsetInterval(() => {\n  made += 1;\n}, 20);\n"
PAGE = "let shown = 0;\nsetInterval(() => {\n  shown += 1;\n}, 20);\n"


@pytest.mark.needs("node")
async def test_a_main_process_and_a_page_are_debugged_side_by_side(tmp_path):
    if shutil.which("chromium") is None:
        pytest.skip("there is no `chromium` on PATH")
    (tmp_path / "main.js").write_text(MAIN)
    (tmp_path / "page.js").write_text(PAGE)
    (tmp_path / "index.html").write_text("<script src='page.js'></script>")
    main = subprocess.Popen(["node", "--inspect=0", str(tmp_path / "main.js")], stderr=subprocess.PIPE, text=True)
    page = Browser("", ["--no-sandbox", "--allow-file-access-from-files"])
    try:
        port = int(re.search(r"ws://[^:]+:(\d+)/", main.stderr.readline())[1])
        await page.start()
        tab = await connect((await find("127.0.0.1", page.port, 5))[0])
        await tab.ask("Page.navigate", url=f"file://{tmp_path}/index.html")
        tab.close()
        async with driver() as d:
            both = {}
            for name, at, more in (("main", port, {}), ("page", page.port, {"webRoot": str(tmp_path)})):
                session = (await d.ok("create_debug_session", language="javascript", name=name))["sessionId"]
                await d.ok("attach_to_process", sessionId=session, port=at, stopOnEntry=False, adapterConfig=more)
                both[name] = session
            for name, variable in (("main", "made"), ("page", "shown")):
                file = str(tmp_path / f"{name}.js")
                await d.ok("set_breakpoint", sessionId=both[name], file=file, statement=f"{variable} += 1;")
            for name, variable in (("page", "shown"), ("main", "made")):
                stop = await d.ok("wait_for_stop", sessionId=both[name], timeout=20_000)
                assert stop["state"] == "paused" and stop["location"]["file"].endswith(f"{name}.js"), stop
                value = await d.ok("evaluate_expression", sessionId=both[name], expression=variable)
                assert int(value["result"]) > 0
            for session in both.values():
                await d.ok("detach_from_process", sessionId=session)
        await until(lambda: main.poll() is None)
    finally:
        await page.kill()
        main.kill()
        main.wait(10)
        main.stderr.close()
