"""A page in Chromium."""

import asyncio
import contextlib
import shutil
from urllib.parse import unquote

import pytest
from dap import line_of

from dapwright.engines.node.attaching import find
from dapwright.engines.node.browser import Browser
from dapwright.engines.node.inspector import connect

pytestmark = [pytest.mark.live, pytest.mark.slow]


@contextlib.asynccontextmanager
async def site(folder):
    async def serve(reader, writer):
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            request = await reader.readuntil(b"\r\n\r\n")
            path = unquote(request.split()[1].decode().split("?")[0].lstrip("/"))
            file = folder / path
            text = file.read_bytes() if file.is_file() else b""
            kind = "text/html" if path.endswith(".html") else "text/javascript"
            head = (
                f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n"
            )
            writer.write(head.encode() + text)
            await writer.drain()
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def test_a_page_of_a_running_browser_is_joined_by_its_port(node, js):
    if shutil.which("chromium") is None:
        pytest.skip("there is no `chromium` on PATH")
    app = js.folder / "app.js"
    app.write_text("let n = 0;\nsetInterval(() => {\n  n += 1; // TICK\n}, 20);\n")
    (js.folder / "index.html").write_text("<script src='app.js'></script>")
    browser = Browser("", ["--no-sandbox"])
    await browser.start()
    try:
        async with site(js.folder) as address:
            page = await connect((await find("127.0.0.1", browser.port, 5))[0])
            await page.ask("Page.navigate", url=f"{address}/index.html")
            page.close()
            wanted = {str(app): [{"line": line_of(app, "// TICK")}]}
            await node.begin("attach", port=browser.port, webRoot=str(js.folder), breakpoints=wanted, filters=[])
            stop = await node.stopped(seconds=20)
            assert stop["frame"]["source"]["path"] == str(app)
            await node.ask("disconnect", terminateDebuggee=False)
    finally:
        await browser.kill()


async def test_a_breakpoint_in_a_pages_script(node, js):
    if shutil.which("chromium") is None:
        pytest.skip("there is no `chromium` on PATH")
    (js.folder / "index.html").write_text("<body><p id='x'>hi</p><script src='my%20app.js'></script></body>")
    app = js.folder / "my app.js"
    app.write_text(
        "function show(text) {\n  const place = document.getElementById('x');\n  place.textContent = text; // SHOW\n}\n"
        "console.log('loaded', { a: 1 });\nshow('done');\nsetTimeout(() => { throw new TypeError('late'); }, 10);\n"
    )
    async with site(js.folder) as address:
        await node.begin(
            url=f"{address}/index.html",
            webRoot=str(js.folder),
            runtimeArgs=["--no-sandbox"],
            breakpoints={str(app): [{"line": line_of(app, "// SHOW")}]},
        )
        stop = await node.stopped(seconds=30)
        assert stop["frame"]["source"]["path"] == str(app) and stop["frame"]["name"] == "show"
        seen = await node.locals(stop["frame"]["id"])
        assert seen["text"] == "'done'" and seen["place"].startswith("p#x"), seen
        await node.ask("next", threadId=stop["threadId"])
        step = await node.stopped()
        assert await node.evaluate("document.body.innerText.trim()", step["frame"]["id"]) == "'done'"
        await node.ask("continue", threadId=stop["threadId"])
        thrown = await node.stopped()
        assert thrown["reason"] == "exception" and thrown["text"] == "TypeError: late"
        assert "loaded {a: 1}" in node.output()
        await node.ask("disconnect", terminateDebuggee=True)
