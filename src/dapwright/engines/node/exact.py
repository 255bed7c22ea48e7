"""Where V8 itself can stop for a line: asked of V8, place by place.

A map tells where a line's text begins in the generated code, and V8 takes the next place where it
can stop, in the function that holds that text. For `area() { return 1 }` that function is the
outer one, so that the next place may be behind the body. The places that V8 has, and whose own
mapping is the wanted line, are the true ones. The same is asked again where V8 has slid a
breakpoint to another line than the wanted one.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dapwright.core.errors import DapwrightError
from dapwright.engines.node.ledger import Entry
from dapwright.engines.node.scripts import Script
from dapwright.engines.node.target import Target

if TYPE_CHECKING:
    from dapwright.engines.node.sourcemap import SourceMap
    from dapwright.engines.node.target import Json

Wish = tuple[str, int, "int | None"]
"""A file, a line and a column in it."""
Spots = list[tuple[int, int]]
LINES = 20
"""How far down a breakpoint moves from a line that is mapped and cannot stop."""


def wishes(entries: Iterable[Entry]) -> set[Wish]:
    """Return every place that is wanted, those of functions among them."""
    found: set[Wish] = set()
    for entry in entries:
        found |= set(entry.places) if entry.function else {(entry.path, entry.line, entry.column)}
    return found


async def learn(target: Target) -> None:
    """Ask V8 for the true places of all that is wanted in mapped scripts; each is asked once a script."""
    for path, line, column in wishes(target.session.ledger.entries()):
        for script in target.session.compiled_from(path, target):
            if (script.id, path, line, column) not in target.exact:
                spots = await _mapped(target, script, path, line, column)
                target.exact[script.id, path, line, column] = spots


async def learn_own(target: Target, script: Script, entry: Entry) -> bool:
    """Ask for a line of a script that runs as it is written, where V8 slid; return whether it has a place there."""
    key = (script.id, entry.path, entry.line, entry.column)
    if key not in target.exact:
        spots = await _possible(target, script.id, (entry.line, entry.column or 0), (entry.line + 1, 0))
        if entry.column and not spots:
            spots = await _possible(target, script.id, (entry.line, 0), (entry.line + 1, 0))
        target.exact[key] = [s for s in spots if s[0] == entry.line][:1]
    return bool(target.exact[key])


def forget(target: Target, script: str) -> None:
    """A script's text was replaced."""
    target.exact = {key: spots for key, spots in target.exact.items() if key[0] != script}


async def _mapped(target: Target, script: Script, path: str, line: int, column: int | None) -> Spots:
    index, found = script.sources(target.session.folder).index(path), script.map()
    assert found is not None
    loaded, shift = await _compiled(target, script)
    at, starts = found.generated(index, line, column)
    if not loaded:
        return starts
    fallback = starts
    for _ in range(LINES):  # what a bundler has folded away has a mapping and no place: the next line that has one
        spots: Spots = []
        for generated, first in starts:
            last = found.end(index, at, generated)
            places = await _possible(target, loaded, (generated, first), last, shift=shift, ends=column is not None)
            spots += [p for p in places if _is_of(found, p, (index, at), column)][:1]
        if spots or not starts:
            return _apart(spots) or fallback
        at, starts = found.generated(index, at + 1)
        column = None
    return fallback


def _apart(spots: Spots) -> Spots:
    """Leave out what continues on the next generated line: a statement that was broken into lines stops once."""
    lines = {line for line, _ in spots}
    return [spot for spot in spots if spot[0] - 1 not in lines]


def _is_of(found: "SourceMap", place: tuple[int, int], wanted: tuple[int, int], column: int | None) -> bool:
    origin = found.original(*place)
    return origin is not None and (origin.source, origin.line) == wanted and origin.column >= (column or 0)


async def _compiled(target: Target, script: Script) -> tuple[str, int]:
    """V8's id for a script, and how far its first line lies to the right; one on disk is compiled, and never run."""
    if not script.id.startswith(("disk:", "loading:")):
        return script.id, 0
    if script.id not in target.rehearsed:
        from dapwright.engines.node.possible import rehearse  # late: it needs this module's user

        target.rehearsed[script.id] = await rehearse(target, script.path) if script.id.startswith("disk:") else ("", 0)
    return target.rehearsed[script.id]


async def _possible(
    target: Target, script: str, first: tuple[int, int], last: tuple[int, int], *, shift: int = 0, ends: bool = True
) -> Spots:
    """Return V8's places of a range; without `ends`, not the returns before all else.

    Such a one is the end of what came before (a class's initializer), not of this line.
    """

    def at(place: tuple[int, int]) -> "Json":
        column = place[1] if place[0] else place[1] + shift
        return {"scriptId": script, "lineNumber": place[0], "columnNumber": column}

    try:
        found = await target.inspector.ask("Debugger.getPossibleBreakpoints", start=at(first), end=at(last))
    except DapwrightError:
        return []
    listed = found["locations"]
    returns = [p.get("type") == "return" for p in listed]
    if not ends and False in returns:
        listed = listed[returns.index(False) :]
    places = [(p["lineNumber"], p.get("columnNumber", 0)) for p in listed]
    return [(line, column if line else column - shift) for line, column in places]
