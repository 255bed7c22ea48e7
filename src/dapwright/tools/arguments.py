"""What a client sent -> what a tool's function takes, or a refusal that says how to mend the call."""

import difflib
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args, get_origin

import msgspec

from dapwright.core.errors import UsageError
from dapwright.tools.about import About, Field, bare, is_struct, members, struct_fields, struct_required, visible

WORDS: Mapping[Any, str] = {str: "a string", int: "an integer", float: "a number", bool: "`true` or `false`"}
GIVEN: Mapping[type, str] = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "a boolean",
    list: "a list",
    dict: "an object",
    type(None): "null",
}
LARGEST = 2**53 - 1
"""JSON's integers are exact up to here; no argument of ours means more."""


def read_arguments(
    tool: str, given: Any, fields: tuple[Field, ...], *, required: tuple[str, ...], arm: str
) -> dict[str, Any]:
    """Check and convert the arguments of one call; the names of the result are Python's.

    Numbers and booleans may come as strings, lists and objects as JSON text, null as absence.

    Raises:
        UsageError: an argument is unknown, missing, of the wrong type or out of its range.
    """
    given = _opened(given, dict) if isinstance(given, str) else given
    if given is None:
        given = {}
    if not isinstance(given, Mapping):
        raise UsageError(
            f"the arguments of `{tool}` are {_shown(given)}; an object is wanted",
            f"send an object: {_known(fields, required)}",
        )
    named = _named(given, fields, required=required, place=f"`{tool}`", path="")
    return {field.name: _convert(field, named[field.name], arm) for field in fields if field.name in named}


def _named(
    given: Mapping[str, Any], fields: tuple[Field, ...], *, required: tuple[str, ...], place: str, path: str
) -> dict[str, Any]:
    """Match the names on the wire with the fields; aliases count, nulls are absences."""
    spellings = {spelling: field for field in fields for spelling in (field.wire, *field.about.alias)}
    found: dict[str, Any] = {}
    for name, value in given.items():
        field = spellings.get(name)
        if field is None:
            raise _unknown(str(name), fields, required=required, place=place, path=path)
        if value is None:
            continue
        if field.name in found:
            raise UsageError(f"`{path}{field.wire}` is given twice, once as `{name}`", "send it once")
        found[field.name] = value
    wires = {field.name: field.wire for field in fields}
    missing = [f"`{path}{wires[name]}`" for name in required if name in wires and name not in found]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise UsageError(f"{', '.join(missing)} {verb} missing in {place}", f"it takes {_known(fields, required)}")
    return found


def _unknown(name: str, fields: tuple[Field, ...], *, required: tuple[str, ...], place: str, path: str) -> UsageError:
    by_folded = {_folded(spelling): field.wire for field in fields for spelling in (field.wire, *field.about.alias)}
    near = difflib.get_close_matches(_folded(name), by_folded, n=1, cutoff=0.6)
    meant = f"; did you mean `{by_folded[near[0]]}`?" if near else ""
    return UsageError(f"`{path}{name}` is not an argument of {place}{meant}", f"it takes {_known(fields, required)}")


def _folded(name: str) -> str:
    return name.lower().replace("_", "").replace("-", "")


def _known(fields: Iterable[Field], required: tuple[str, ...]) -> str:
    names = [f"`{field.wire}`" + (" (required)" if field.name in required else "") for field in fields]
    return ", ".join(names) if names else "no arguments"


def _convert(field: Field, value: Any, arm: str) -> Any:
    tidied = _tidied(value, field.kind, path=field.wire, arm=arm, about=field.about)
    return _within(_typed(tidied, field.kind, field.wire, field.about.text), field.about, field.wire)


def _within(value: Any, about: About, path: str) -> Any:
    """Refuse a number that its argument cannot mean: what would be taken for something else, or for nothing."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return value
    least, most = about.least, about.most
    if not math.isfinite(value) or abs(value) > LARGEST or not (least is None or value >= least):
        low = "" if least is None else f" of at least {least}"
        raise UsageError(f"`{path}` is {_shown(value)}; a number{low} is wanted", about.text)
    if most is not None and value > most:
        raise UsageError(f"`{path}` is {_shown(value)}; a number of at most {most} is wanted", about.text)
    return value


def _tidied(value: Any, kind: Any, *, path: str, arm: str, about: About) -> Any:
    """Open JSON text, rename and check the objects within, refuse what is no text."""
    options = [bare(one) for one in members(bare(kind))]
    if about.number and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str):
        if str in options or any(get_origin(one) is Literal for one in options):
            return _text(value, path, about)
        value = _opened(value, *{get_origin(one) or one for one in options})
    if isinstance(value, Mapping):
        struct = next((one for one in options if is_struct(one)), None)
        if struct is not None:
            return _tidied_struct(value, struct, path=path, arm=arm)
    inner = _inner(options, type(value))
    if isinstance(value, list):
        return [_tidied(one, inner, path=f"{path}[{n}]", arm=arm, about=about) for n, one in enumerate(value)]
    if isinstance(value, Mapping):
        return {
            _text(key, path, about): _tidied(one, inner, path=f"{path}.{key}", arm=arm, about=about)
            for key, one in value.items()
        }
    return _text(value, path, about) if isinstance(value, str) else value


def _tidied_struct(given: Mapping[str, Any], struct: Any, *, path: str, arm: str) -> dict[str, Any]:
    fields = visible(struct_fields(struct), arm)
    required = struct_required(struct, arm)
    named = _named(given, fields, required=required, place=f"`{path}`", path=f"{path}.")
    encoded = dict(zip(struct.__struct_fields__, struct.__struct_encode_fields__, strict=True))
    return {
        encoded[field.name]: _convert_path(field, named[field.name], path=f"{path}.{field.wire}", arm=arm)
        for field in fields
        if field.name in named
    }


def _convert_path(field: Field, value: Any, *, path: str, arm: str) -> Any:
    tidied = _tidied(value, field.kind, path=path, arm=arm, about=field.about)
    _within(_typed(tidied, field.kind, path, field.about.text), field.about, path)
    return tidied


def _inner(options: list[Any], container: type) -> Any:
    """The type of the elements, where one of the options is such a container."""
    for one in options:
        origin, arguments = get_origin(one), get_args(one)
        if not arguments or not isinstance(origin, type):
            continue
        if container is list and issubclass(origin, (list, tuple, set, frozenset)):
            return arguments[0]
        if container is dict and issubclass(origin, Mapping):
            return arguments[1]
    return Any


def _opened(text: str, *wanted: Any) -> Any:
    """Some clients send lists and objects as JSON text: open it where nothing else could be meant."""
    if text.lstrip()[:1] not in ("[", "{"):
        return text
    try:
        value = json.loads(text)
    except ValueError:
        return text
    lists, objects = isinstance(value, list), isinstance(value, dict)
    takes_list = any(one in (list, tuple, set, frozenset) for one in wanted)
    takes_object = any(is_struct(one) or (isinstance(one, type) and issubclass(one, Mapping)) for one in wanted)
    return value if (lists and takes_list) or (objects and takes_object) else text


def _text(value: str, path: str, about: About) -> str:
    if "\0" in value and not about.raw:
        raise UsageError(f"`{path}` holds a NUL character", "send the text without it")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise UsageError(f"`{path}` holds half of a surrogate pair, which is no text", "send valid Unicode") from None
    return value


def _typed(value: Any, kind: Any, path: str, meaning: str) -> Any:
    """Convert one value; a refusal names the innermost part at fault, and says what the argument means."""
    try:
        return msgspec.convert(value, kind, strict=False)
    except msgspec.ValidationError:
        if isinstance(value, list) and (inner := _inner([bare(one) for one in members(bare(kind))], list)) is not Any:
            for n, one in enumerate(value):
                _typed(one, inner, f"{path}[{n}]", meaning)
        if isinstance(value, dict) and (inner := _inner([bare(one) for one in members(bare(kind))], dict)) is not Any:
            for key, one in value.items():
                _typed(one, inner, f"{path}.{key}", meaning)
        raise UsageError(f"`{path}` is {_shown(value)}; {wanted(kind)} is wanted", meaning) from None


def _shown(value: Any) -> str:
    if isinstance(value, (dict, list)) or value is None:
        return GIVEN[type(value)]
    text = str(value)
    return f"`{text if len(text) <= 60 else text[:57] + '...'}` ({GIVEN.get(type(value), type(value).__name__)})"


def wanted(kind: Any) -> str:
    """A type in words: `an integer`, `a list of strings`, `one of ...`."""
    options = members(bare(kind))
    if len(options) > 1:
        return " or ".join(dict.fromkeys(wanted(one) for one in options))
    plain = bare(options[0])
    if plain in WORDS:
        return WORDS[plain] + _limits(kind)
    origin, arguments = get_origin(plain) or plain, get_args(plain)
    if origin is Literal:
        return "one of " + ", ".join(f"`{one}`" for one in arguments)
    if origin in (list, tuple, set, frozenset):
        return "a list"
    return "an object"


def _limits(kind: Any) -> str:
    """The range of a number in words."""
    marks = [mark for mark in get_args(kind)[1:] if isinstance(mark, msgspec.Meta)]
    low = next((mark.ge for mark in marks if mark.ge is not None), None)
    high = next((mark.le for mark in marks if mark.le is not None), None)
    if low is not None and high is not None:
        return f" from {low} to {high}"
    if low is not None:
        return f" of at least {low}"
    return f" of at most {high}" if high is not None else ""
