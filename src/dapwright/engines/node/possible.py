"""Where V8 can stop in a file, loaded or not."""

import re
from pathlib import Path

from dapwright.core.errors import DapwrightError
from dapwright.engines.node.binding import COMPILED, REHEARSAL
from dapwright.engines.node.session import Session
from dapwright.engines.node.target import Target

Place = tuple[int, int]
_HEAD = "(async function(exports,require,module,__filename,__dirname){ "
_MODULE_WORDS = re.compile(
    r"(^\s*|[;}])(import\b(?!\s*[(.])[^;'\"]*['\"][^'\"]+['\"];?|import\s*['\"][^'\"]+['\"];?|export\s+default\b|export\b"
    r"(?=\s+(?:const|let|var|function|class|async)\b)|export\s*[{*][^;]*;?)",
    re.M,
)


async def locations(session: Session, path: str, first: int, last: int) -> list[Place]:
    """Return the stoppable (line, column) of a file within lines `first` to `last`, 0-based."""
    target = session.main()
    own = [s for s in target.scripts.values() if s.path == path and not (s.map_url and s.map())]
    if own:
        return await _ask(target, own[-1].id, first, last)
    made = list(session.compiled_from(path, target))
    if made:
        return _from_map(made[0].map(), made[0].sources(session.folder).index(path), first, last)
    if path.endswith(COMPILED) or not Path(path).is_file():
        return []
    return await _compiled(target, Path(path).read_text(errors="replace"), first, last)


async def first(session: Session, path: str) -> Place:
    """Return the first statement of a program that is not loaded yet: the beginning, where it cannot be known.

    V8 would take the first place in the text, which may lie in a function that only runs later.
    """
    if path.endswith(COMPILED) or not Path(path).is_file():
        return 0, 0
    found = await _compiled(session.main(), Path(path).read_text(errors="replace"), 0, 1 << 30, outer=True)
    return found[0] if found else (0, 0)


async def _ask(target: Target, script: str, first: int, last: int, *, outer: bool = False) -> list[Place]:
    found = await target.inspector.ask(
        "Debugger.getPossibleBreakpoints",
        start={"scriptId": script, "lineNumber": first, "columnNumber": len(_HEAD) - 1 if outer else 0},
        end={"scriptId": script, "lineNumber": last + 1, "columnNumber": 0},
        restrictToFunction=outer,
    )
    places = [(p["lineNumber"], p.get("columnNumber", 0)) for p in found["locations"]]
    return [p for p in places if first <= p[0] <= last]


def _from_map(found: "object", source: int, first: int, last: int) -> list[Place]:
    from dapwright.engines.node.sourcemap import SourceMap

    assert isinstance(found, SourceMap)
    places = []
    for line in range(first, last + 1):
        at, generated = found.generated(source, line)
        if at == line and generated:
            original = found.original(*generated[0])
            places.append((line, original.column if original else 0))
    return places


async def _compiled(target: Target, text: str, first: int, last: int, *, outer: bool = False) -> list[Place]:
    """Compile a text that is not loaded, as the module it will be: nothing of it runs."""
    script, shift = await _compile(target, text)
    places = await _ask(target, script, first, last, outer=outer) if script else []
    return [(line, column - shift if line == 0 else column) for line, column in places if line or column >= shift]


async def rehearse(target: Target, path: str) -> tuple[str, int]:
    """Compile a file that is not loaded yet; return V8's id for it, "" where it cannot, and its first line's shift."""
    try:
        return await _compile(target, Path(path).read_text(errors="replace"))
    except OSError:
        return "", 0


async def _compile(target: Target, text: str) -> tuple[str, int]:
    for source in (text, _MODULE_WORDS.sub(lambda m: m[1] + re.sub(r"[^\n]", " ", m[2]), text)):
        shebang = "//" + source[2:] if source.startswith("#!") else source
        try:
            await target.inspector.ask("Runtime.enable")
            answer = await target.inspector.ask(
                "Runtime.compileScript",
                expression=f"{_HEAD}{shebang}\n}})",
                sourceURL=REHEARSAL,
                persistScript=True,
            )
        except DapwrightError:
            return "", 0
        finally:
            target.inspector.start("Runtime.disable")
        if "scriptId" in answer and "exceptionDetails" not in answer:
            return answer["scriptId"], len(_HEAD)
    return "", 0
