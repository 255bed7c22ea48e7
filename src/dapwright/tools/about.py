"""What a parameter of a tool says of itself: text, aliases, and where it exists at all."""

import inspect
import types
from collections.abc import Callable, Iterator
from functools import cache, reduce
from operator import or_
from typing import Annotated, Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import msgspec

REQUIRED: Any = object()
"""The default of a parameter that has none."""


class About:
    """The description of a parameter, put into its `Annotated` type.

    `arms`: the addressing modes that have the parameter; empty means all. `alias`: names that are
    understood on the wire though no schema lists them. `raw`: NUL characters are data here.
    `terse`: the properties of the objects within are listed without their descriptions. `shallow`: the
    properties are not listed at all: another tool lists them. `rare`: understood everywhere, and left out of the
    focused list. `by_line`: the description where breakpoints are addressed by their lines alone. `number`: a text
    that may come as a number. `least`, `most`: what a number must keep to; checked, not listed (the list is dear).
    """

    def __init__(
        self,
        text: str,
        *,
        arms: tuple[str, ...] = (),
        alias: tuple[str, ...] = (),
        raw: bool = False,
        terse: bool = False,
        shallow: bool = False,
        rare: bool = False,
        by_line: str = "",
        number: bool = False,
        least: int | None = None,
        most: int | None = None,
    ) -> None:
        self.text = text
        self.arms = arms
        self.alias = alias
        self.raw = raw
        self.terse = terse
        self.shallow = shallow
        self.rare = rare
        self.by_line = by_line or text
        self.number = number
        self.least = least
        self.most = most


class Inline:
    """Marks a Struct parameter whose fields stand among the tool's own arguments."""


class Arm:
    """What an addressing mode changes of a tool: its docstring, and what is required, in order."""

    def __init__(self, *, about: str = "", required: tuple[str, ...] | None = None) -> None:
        self.about = about
        self.required = required


class Field(NamedTuple):
    """One argument. `kind` is its annotation without `None` and without our marks."""

    name: str
    wire: str
    kind: Any
    about: About
    default: Any
    group: str = ""
    """The Struct parameter that it is inlined from, if any."""

    @property
    def required(self) -> bool:
        """Whether the signature gives no default."""
        return self.default is REQUIRED


def camel(name: str) -> str:
    """`near_line` -> `nearLine`."""
    head, *rest = name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)


def members(kind: Any) -> tuple[Any, ...]:
    """The members of a union, `None` left out; any other type alone."""
    if get_origin(kind) in (Union, types.UnionType):
        return tuple(one for one in get_args(kind) if one is not type(None))
    return (kind,)


def bare(kind: Any) -> Any:
    """The type without `Annotated` around it."""
    return get_args(kind)[0] if get_origin(kind) is Annotated else kind


def _parts(annotation: Any) -> tuple[Any, About, bool]:
    """Take an annotation apart: the type with its limits, the description, whether it is inlined."""
    if get_origin(annotation) is not Annotated:
        return _without_none(annotation), About(""), False
    kind, *marks = get_args(annotation)
    about = next((mark for mark in marks if isinstance(mark, About)), About(""))
    limits = [mark for mark in marks if isinstance(mark, msgspec.Meta)]
    kind = _without_none(kind)
    for limit in limits:
        kind = Annotated[kind, limit]
    return kind, about, any(isinstance(mark, Inline) for mark in marks)


def _without_none(kind: Any) -> Any:
    return reduce(or_, members(kind))


@cache
def struct_fields(struct: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a nested Struct, inherited ones included, in the order of their definition."""
    hints = get_type_hints(struct, include_extras=True)
    found = []
    for one in msgspec.structs.fields(struct):
        kind, about, _ = _parts(hints[one.name])
        default = REQUIRED if one.required else (None if one.default is msgspec.NODEFAULT else one.default)
        found.append(Field(one.name, camel(one.name), kind, about, default))
    return tuple(found)


def parameters(verb: Callable[..., Any]) -> Iterator[Field]:
    """The arguments of a tool: its keyword-only parameters, inlined Structs opened."""
    hints = get_type_hints(verb, include_extras=True)
    for one in inspect.signature(verb).parameters.values():
        if one.kind is not one.KEYWORD_ONLY:
            continue
        kind, about, inlined = _parts(hints[one.name])
        if inlined:
            yield from (field._replace(group=one.name) for field in struct_fields(kind))
            continue
        default = REQUIRED if one.default is one.empty else one.default
        yield Field(one.name, camel(one.name), kind, about, default)


def visible(fields: tuple[Field, ...], arm: str) -> tuple[Field, ...]:
    """The fields that an addressing mode has."""
    return tuple(field for field in fields if not field.about.arms or arm in field.about.arms)


def is_struct(kind: Any) -> bool:
    """Whether a type is a msgspec Struct."""
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)


def struct_required(struct: type[msgspec.Struct], arm: str) -> tuple[str, ...]:
    """The fields that a nested object must have; a class attribute `ARMS` may say so by mode."""
    arms: dict[str, tuple[str, ...]] = getattr(struct, "ARMS", {})
    if arm in arms:
        return arms[arm]
    return tuple(field.name for field in visible(struct_fields(struct), arm) if field.required)
