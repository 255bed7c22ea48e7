"""All tools: `@tool` registers one, `listed` tells which a client sees and how."""

import difflib
import inspect
import re
from collections.abc import Awaitable, Callable, Mapping
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from dapwright.core.errors import UsageError
from dapwright.policy.settings import Settings
from dapwright.tools.about import Arm, Field, parameters, visible
from dapwright.tools.arguments import read_arguments
from dapwright.tools.schema import describe_object, describe_output

Verb = Callable[..., Awaitable[Mapping[str, Any]]]
Render = Callable[[Mapping[str, Any]], str]
Marked = TypeVar("Marked", bound=Verb)


class UnknownTool(UsageError):
    """No tool has that name."""

    code = "unknown-tool"


class Tool:
    """A verb and what is told of it; schemas are made when they are first asked for."""

    def __init__(
        self,
        verb: Verb,
        *,
        title: str,
        hints: Mapping[str, bool],
        text: Render | None,
        output: Any,
        toolsets: tuple[str, ...],
        listed: bool,
        arms: Mapping[str, Arm],
        unredacted: tuple[str, ...],
    ) -> None:
        self.name = verb.__name__
        self.verb = verb
        self.title = title
        self.hints = hints
        self.text = text
        self.output = output
        self.toolsets = toolsets
        self.listed = listed
        self.arms = arms
        self.unredacted = unredacted
        """Fields of the answer that are a secret of ours, to be handed out."""

    @cached_property
    def fields(self) -> tuple[Field, ...]:
        """All arguments, of every addressing mode."""
        return tuple(parameters(self.verb))

    def about(self, arm: str) -> str:
        """The description: the docstring, paragraphs re-flowed to one line each."""
        text = (self.arms[arm].about if arm in self.arms else "") or self.verb.__doc__ or ""
        paragraphs = re.split(r"\n\s*\n", inspect.cleandoc(text))
        return "\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)

    def required(self, arm: str) -> tuple[str, ...]:
        """The arguments that a call must have, in the order told."""
        by_arm = self.arms[arm].required if arm in self.arms else None
        if by_arm is not None:
            return by_arm
        return tuple(field.name for field in visible(self.fields, arm) if field.required)

    def input_schema(self, arm: str, *, lean: bool = False) -> dict[str, Any]:
        """The JSON schema of the arguments; open, so that a client lets the unlisted aliases through."""
        fields = [field for field in visible(self.fields, arm) if not (lean and field.about.rare)]
        schema = describe_object(tuple(fields), self.required(arm), arm=arm)
        for field in fields:
            if field.about.shallow:
                schema["properties"][field.wire] = _shallow(schema["properties"][field.wire])
        return schema

    def on_wire(self, arm: str, *, lean: bool = False) -> dict[str, Any]:
        """The tool as `tools/list` tells it; `lean` leaves the rare arguments out."""
        told: dict[str, Any] = {
            "name": self.name,
            "title": self.title,
            "description": self.about(arm),
            "inputSchema": self.input_schema(arm, lean=lean),
            "annotations": {"title": self.title, **self.hints},
        }
        if self.output is not None:
            told["outputSchema"] = describe_output(self.output)
        return told

    def arguments(self, given: Any, arm: str) -> dict[str, Any]:
        """Read the arguments of one call into what the verb takes; see `read_arguments`."""
        fields = visible(self.fields, arm)
        found = read_arguments(self.name, given, fields, required=self.required(arm), arm=arm)
        return self._grouped(found)

    def _grouped(self, found: dict[str, Any]) -> dict[str, Any]:
        """Put the fields of inlined Structs back into their Structs."""
        groups: dict[str, dict[str, Any]] = {field.group: {} for field in self.fields if field.group}
        if not groups:
            return found
        for field in self.fields:
            if field.group and field.name in found:
                groups[field.group][field.name] = found.pop(field.name)
        hints = inspect.get_annotations(self.verb, eval_str=True)
        for name, values in groups.items():
            found[name] = hints[name].__origin__(**values)
        return found


REGISTERED: dict[str, Tool] = {}
"""The tools of the topics that were read so far; see `every`."""
MACHINERY = frozenset(
    """
    about answers arguments attaching audit caller configurations contract gating golden launches plain redaction
    reference registry schema stops targets text words
    """.split()  # noqa: SIM905
)
"""The modules that hold no tools."""


@cache
def load() -> None:
    """Import every topic file beside this one: that registers its tools."""
    for topic in sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py")):
        if topic not in MACHINERY:
            import_module(f"dapwright.tools.{topic}")


def every() -> list[Tool]:
    """All tools, listed or not, by topic and in the order of each file."""
    load()
    return sorted(REGISTERED.values(), key=lambda one: (one.verb.__module__, one.verb.__code__.co_firstlineno))


def tool(
    *,
    title: str,
    read_only: bool = False,
    destructive: bool = False,
    idempotent: bool = False,
    open_world: bool = False,
    text: Render | None = None,
    output: Any = None,
    toolsets: tuple[str, ...] = ("core",),
    listed: bool = True,
    arms: Mapping[str, Arm] | None = None,
    unredacted: tuple[str, ...] = (),
) -> Callable[[Marked], Marked]:
    """Register a verb: `async def name(caller, *, argument: Annotated[T, About(...)] = default)`.

    Its name and its docstring are the tool's. `text` renders the answer for clients that show text only;
    `output` is a Struct or a schema of the answer; `arms` is what an addressing mode changes.
    """
    hints = {
        "readOnlyHint": read_only,
        "destructiveHint": destructive,
        "idempotentHint": idempotent,
        "openWorldHint": open_world,
    }

    def register(verb: Marked) -> Marked:
        if verb.__name__ in REGISTERED:
            raise ValueError(f"two tools are named `{verb.__name__}`")
        REGISTERED[verb.__name__] = Tool(
            verb,
            title=title,
            hints=hints,
            text=text,
            output=output,
            toolsets=toolsets,
            listed=listed,
            arms=arms or {},
            unredacted=unredacted,
        )
        return verb

    return register


def _shallow(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of an argument whose objects another tool describes: their fields are left out."""
    kept = {key: value for key, value in schema.items() if key not in ("properties", "required")}
    return {**kept, "items": {"type": "object"}} if "items" in kept else kept


def shown(one: Tool, toolset: str) -> bool:
    """Whether a tool belongs to a tool list."""
    if not one.listed:
        return False
    if toolset == "native":
        return "core" in one.toolsets or "native" in one.toolsets
    return toolset == "all" or toolset in one.toolsets


def listed(settings: Settings) -> list[dict[str, Any]]:
    """The tools that a server with these settings tells, in an order that never changes."""
    lean = settings.toolset == "focused"
    return [one.on_wire(settings.addressing, lean=lean) for one in every() if shown(one, settings.toolset)]


def find(name: str) -> Tool:
    """The tool of that name, listed or not.

    Raises:
        UnknownTool: there is none; the nearest name is told.
    """
    load()
    if name in REGISTERED:
        return REGISTERED[name]
    names = [one.name for one in every() if one.listed]
    near = difflib.get_close_matches(name, names, n=1)
    raise UnknownTool(f"there is no tool `{name[:80]}`", f"did you mean `{near[0]}`?" if near else "see `tools/list`")
