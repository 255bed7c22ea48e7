"""A page in Chromium: launched headless for an address, its scripts found in `webRoot`."""

import asyncio
from typing import Any

from dapwright.engines.node import opening
from dapwright.engines.node.attaching import find
from dapwright.engines.node.browser import Browser
from dapwright.engines.node.inspector import connect
from dapwright.engines.node.options import Launch, Skipping
from dapwright.engines.node.session import Session


async def launch(session: Session, ask: Launch) -> "asyncio.Task[dict[str, Any]]":
    """Open a browser, prepare its page, and load the address once configured; returns the browser's end."""
    browser = Browser(ask.runtime_executable, ask.runtime_args)
    session.program = browser
    session.folder = session.web_root = ask.web_root or ask.cwd
    session.compiled_folder = session.web_root
    session.skipping = Skipping(ask.just_my_code, ask.skip_files)
    await browser.start()
    ended = asyncio.create_task(browser.wait())
    url, _ = await find("127.0.0.1", browser.port, 10)
    inspector = await connect(url)
    target = await opening.prepare(session, inspector, ask.url)
    session.main_thread = target.thread
    target.is_page = True
    body = {"name": ask.url, "systemProcessId": browser.pid, "isLocalProcess": True, "startMethod": "launch"}
    session.server.event("process", body)
    session.add(target)
    session.server.event("initialized")
    await session.configured.wait()
    inspector.start("Runtime.enable")
    inspector.start("Page.enable")
    await opening.release(target, workers=False)
    inspector.start("Page.navigate", url=ask.url)
    return ended
