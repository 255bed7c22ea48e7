"""Sources of scripts, the list of them, and the change of a running script."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from dapwright.core.errors import AdapterError, DapwrightError
from dapwright.engines.node import binding, exact
from dapwright.engines.node.registry import REQUESTS
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Target


class Source(msgspec.Struct, rename="camel"):
    source_reference: int


@REQUESTS.on("source", Source)
async def source(session: Session, ask: Source) -> Mapping[str, Any]:
    """The text of a script that is no file: evaluated, Node's own, or carried by a source map."""
    target, script, path = session.sources.get(ask.source_reference)
    carried = script.content(path, session.folder) if path and path != script.path else None
    if carried is None:
        answer = await target.inspector.ask("Debugger.getScriptSource", scriptId=script.id)
        carried = answer["scriptSource"]
    return {"content": carried, "mimeType": "text/javascript"}


@REQUESTS.on("loadedSources", dict, capabilities=("supportsLoadedSourcesRequest",))
async def loaded_sources(session: Session, ask: dict[str, Any]) -> Mapping[str, Any]:
    """The program's own scripts: Node's internals are left out."""
    paths = {s.path for t in session.running() for s in t.scripts.values() if s.path and not s.is_internal}
    return {"sources": [{"name": Path(p).name, "path": p} for p in sorted(paths)]}


class HotReload(msgspec.Struct, rename="camel"):
    files: list[str] = []
    """Empty: every loaded file that differs from what runs."""
    since_timestamp: int | None = None
    """Only files written later than this, in milliseconds; as `newestTimestamp` told."""


@REQUESTS.on("dapwright/hotReload", HotReload, capabilities=("supportsDapwrightHotReload",))
async def hot_reload(session: Session, ask: HotReload) -> Mapping[str, Any]:
    """Give V8 the text of files as they are now; what each became, in V8's words where it refuses.

    Functions called from now on are the new ones; a call under way goes on with the old text.
    """
    wanted = {str(Path(f).resolve()) for f in ask.files}
    redefined: list[str] = []
    failed: list[dict[str, str]] = []
    newest = 0
    for target in session.running():
        for path in sorted(wanted or {s.path for s in target.scripts.values() if s.path and not s.is_internal}):
            written = _written(path)
            newest = max(newest, written)
            if ask.since_timestamp is None or written > ask.since_timestamp:
                await _replace(target, path, redefined, failed, named=bool(wanted))
        await binding.bind(target)
    loaded = {s.path for t in session.running() for s in t.scripts.values()}
    failed += [{"file": p, "error": "no loaded script is this file"} for p in sorted(wanted - loaded)]
    return {"redefined": redefined, "failed": failed, "newestTimestamp": newest}


def _written(path: str) -> int:
    """When a file was last written, in milliseconds; 0 where there is none."""
    try:
        return int(Path(path).stat().st_mtime * 1000)
    except OSError:
        return 0


async def _replace(
    target: Target, path: str, redefined: list[str], failed: list[dict[str, str]], *, named: bool
) -> None:
    scripts = [s for s in target.scripts.values() if s.path == path]
    if not scripts:
        return
    script = scripts[-1]
    if script.map_url and script.map():
        if named:
            failed.append({"file": path, "error": "it runs compiled: reload the compiled file"})
        return
    try:
        text = Path(path).read_text()
        old = (await target.inspector.ask("Debugger.getScriptSource", scriptId=script.id))["scriptSource"]
        if text == old:
            return
        answer = await target.inspector.ask(
            "Debugger.setScriptSource", scriptId=script.id, scriptSource=text, seconds=30
        )
        if answer.get("status", "Ok") != "Ok":
            details = answer.get("exceptionDetails") or {}
            raise AdapterError(f"{_STATUS.get(answer['status'], answer['status'])} {details.get('text', '')}".strip())
    except (OSError, ValueError, DapwrightError) as refused:
        failed.append({"file": path, "error": str(refused)})
        return
    target.outlines.pop(script.id, None)
    target.forget_cells(script.id)
    exact.forget(target, script.id)
    redefined.append(path)


_STATUS = {
    "CompileError": "it does not compile:",
    "BlockedByActiveGenerator": "a generator or an async function of it is under way",
    "BlockedByActiveFunction": "a changed function is on the stack: step out of it, then reload again",
    "BlockedByTopLevelEsModuleChange": "V8 cannot change the top level of an ES module",
}
