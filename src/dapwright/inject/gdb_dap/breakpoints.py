"""Breakpoints of one meaning.

A hit condition `N` is the N-th hit alone; `==N`, `>N`, `>=N`, `<N`, `<=N`, `%N` say what
they say. All are kept by gdb's own ignore count, so that a hit that does not count costs
no Python. A condition is gdb's own too; when it fails (a null pointer) the program goes
on and the breakpoint tells it.
"""

import os
import re

import gdb

from . import deferred, names
from .logpoints import LogPoint, expressions
from .rules import LogRecord, Record
from .wiring import module, startup, tell

breakpoints = module("breakpoint")

_records = {}
FAILED = "the condition failed: "


def all_records():
    """Every breakpoint that the client has set."""
    return [record for kind in _records.values() for record in kind]


def records_of(bp, act):
    """Do something with the record of a gdb breakpoint, if it is the client's."""
    for record in all_records():
        if record.bp is bp or (record.bp.is_valid() and record.bp.number == bp.number):
            act(record)


def _take(old, key):
    for record in old:
        if record.key == key and record.bp.is_valid():
            old.remove(record)
            return record
    return None


def _apply(old, spec, creator):
    condition, rule = spec.pop("condition", None), spec.pop("hitCondition", None)
    key = frozenset(spec.items())
    record = _take(old, key)
    try:
        if record is None:
            bp = creator(**spec)
            record = (LogRecord if isinstance(bp, LogPoint) else Record)(key, bp)
        _condition(record, condition)
        record.set_rule(rule)
        return record, None
    except Exception as error:
        if record is not None:
            record.bp.delete()
        return None, {"verified": False, "reason": "failed", "message": str(error)}


def _address(bp):
    """Where it is; None for a watch, and for what is bound nowhere yet."""
    return next((each.address for each in getattr(bp, "locations", None) or ()), None)


def _condition(record, text):
    """Set it; one that gdb cannot resolve at its place failed like one that fails while running."""
    deferred.need(text, _address(record.bp))
    try:
        record.set_condition(text)
    except gdb.error as error:
        raise gdb.error(FAILED + str(error)) from None


@startup.in_gdb_thread
def set_all(kind, specs, creator):
    """gdb's own `_set_breakpoints`, that keeps counts of what stays."""
    old, new, result = _records.pop(kind, []), [], []
    with breakpoints.suppress_new_breakpoint_event():
        for spec in specs:
            record, refusal = _apply(old, spec, creator)
            if record is not None:
                new.append(record)
            result.append(refusal or describe(record.bp))
        for record in old:
            if record.bp.is_valid():
                record.bp.delete()
    _records[kind] = new
    return result


_describe = breakpoints._breakpoint_descriptor


def describe(bp):
    """gdb's description, with the reason where it cannot bind."""
    result = _describe(bp)
    found = [record for record in all_records() if record.bp is bp]
    if found and found[0].message:
        result["message"] = found[0].message
    if not result.get("verified") and gdb.objfiles():
        result["message"] = why_pending(bp)
    elif getattr(bp, "locations", None) and not any(each.enabled for each in bp.locations) and bp.enabled:
        result.update(verified=False, message=FAILED + "gdb cannot evaluate it there")
    elif result.get("verified") and bp.location and "-function" in bp.location:
        told = several(bp)
        if told and not result.get("message"):
            result["message"] = told
    return result


def several(bp):
    """Where a function's breakpoint is, where its name means more than one; "" where it is one."""
    places = [
        "%s (%s:%d)" % (_function_at(each.address), os.path.basename(each.source[0]), each.source[1])
        for each in getattr(bp, "locations", None) or ()
        if each.source
    ]
    if len(places) < 2:
        return ""
    more = ", and %d more" % (len(places) - 20) if len(places) > 20 else ""
    return "bound at %d places: %s%s" % (len(places), ", ".join(places[:20]), more)


def _function_at(address):
    block = gdb.block_for_pc(address)
    while block is not None and block.function is None:
        block = block.superblock
    return block.function.print_name if block is not None else "?"


def why_pending(bp):
    """In gdb's own words, or that nothing here was built with -g."""
    place = re.match(r"-source (.*) -line (\d+)$", bp.location or "")
    try:
        gdb.decode_line("'%s':%s" % place.groups() if place else bp.location or "")
    except gdb.error as error:
        if "No symbol table is loaded" in str(error) or not _has_lines():
            return "the program has no debug information: it was built without -g, or stripped"
        return str(error).replace("-function ", "")
    return "not bound yet"


def _has_lines():
    try:
        return bool(gdb.execute_mi("-file-list-exec-source-files")["files"])
    except Exception:
        return True


def create(*, logMessage=None, **place):
    """A breakpoint, or a log point."""
    if place.get("function"):
        place["function"] = names.resolve(place["function"])
    bp = gdb.Breakpoint(**place) if logMessage is None else LogPoint(logMessage, **place)
    if bp.pending:  # its place may be the C library's
        deferred.ask()
    for expression in expressions(logMessage or ""):
        deferred.need(expression, _address(bp))
    return bp


_told, _hits = {}, {}


def _on_modified(bp):
    """Tell a change only where there is one: gdb tells each ignored hit."""
    hits = bp.hit_count
    if _hits.get(bp.number, 0) != hits:
        _hits[bp.number] = hits  # this is what has changed, and nothing that is told
        return
    if breakpoints._suppress_bp or bp.number < 0:
        return
    body = describe(bp)
    if _told.get(bp.number) != body:
        _told[bp.number] = body
        tell("breakpoint", {"reason": "changed", "breakpoint": body})


def failed_all(bp, error):
    """Tell on each record of a gdb breakpoint that its condition failed."""
    records_of(bp, lambda record: failed(record, str(error)))


def failed(record, error):
    """A condition that fails while running: told once, and the program goes on."""
    message = FAILED + str(error)
    if record.message == message:
        return
    record.message = message
    tell("breakpoint", {"reason": "changed", "breakpoint": describe(record.bp)})


def is_mistaken(event):
    """Whether it stopped only since conditions could not be evaluated; each is told."""
    hit = getattr(event, "breakpoints", [])
    if not hit:
        return False
    return all(_fails(bp) for bp in hit)


def _fails(bp):
    if bp.condition is None:
        return False
    try:
        gdb.parse_and_eval(bp.condition)
    except gdb.error as error:
        failed_all(bp, error)
        return True
    return False


def fired(event):
    """The numbers of those that the program stands still for; of none where gdb's word is all there is."""
    here, judged = getattr(event, "breakpoints", []), []
    for bp in here:
        of = [record for record in all_records() if record.bp.is_valid() and record.bp.number == bp.number]
        fires = [record.fired() for record in of]  # each is asked: it learns from that
        judged += [bp.number] if all(fires) else []
    return judged if len(here) > 1 and judged else None


def rearm(event):
    """After a stop, let gdb ignore hits until the next that counts."""
    with breakpoints.suppress_new_breakpoint_event():
        for bp in getattr(event, "breakpoints", []):
            records_of(bp, lambda record: record.arm())


def start_over():
    """A new run counts from nothing."""
    with breakpoints.suppress_new_breakpoint_event():
        for record in all_records():
            record.begin()


LogPoint.fail = failed_all
breakpoints._set_breakpoints = set_all
breakpoints._set_one_breakpoint = create
breakpoints._breakpoint_descriptor = describe
gdb.events.breakpoint_modified.disconnect(breakpoints._bp_modified)
gdb.events.breakpoint_modified.connect(_on_modified)
