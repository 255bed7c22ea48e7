"""Watched fields: stops where a field is read or written."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from dapwright.core.errors import UsageError
from dapwright.engines.jvm.codes import Kind, Policy
from dapwright.engines.jvm.events import Event
from dapwright.engines.jvm.machine import Machine
from dapwright.engines.jvm.types import Field

KINDS = {
    "write": (Kind.FIELD_MODIFICATION,),
    "read": (Kind.FIELD_ACCESS,),
    "readWrite": (Kind.FIELD_MODIFICATION, Kind.FIELD_ACCESS),
}


class Watch(Struct, eq=False):
    """A watched field, of one object or (0) of all."""

    id: int
    data: str
    expression: str
    field: Field
    owner: int
    access: str
    condition: str = ""
    hit_words: str = ""
    hits: int = 0
    failure: str = ""

    def body(self) -> dict[str, object]:
        """The watch as the protocol tells it."""
        return {"id": self.id, "verified": True} | ({"message": self.failure} if self.failure else {})


class Watches:
    """The watched fields of one JVM; `dataId`s stand for (field, object) and live as long as it."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._known: dict[str, tuple[str, Field, int]] = {}
        self._requests: dict[int, Watch] = {}
        self.wanted: list[Watch] = []

    async def name(self, expression: str, field: Field, owner: int) -> str:
        """The `dataId` of a field of an object; the object is kept from the garbage collector."""
        data = f"{field.type}.{field.id}.{owner}"
        if data not in self._known and owner:
            await self.machine.keep(owner)
        self._known[data] = (expression, field, owner)
        return data

    def known(self, data: str) -> tuple[str, Field, int]:
        """Raises UsageError: no `dataBreakpointInfo` gave that id."""
        if data not in self._known:
            raise UsageError(f"`{data}` is no dataId of this program", "ask `dataBreakpointInfo` for one")
        return self._known[data]

    async def want(self, wanted: list[Watch]) -> None:
        """Make `wanted` what is watched."""
        for request, watch in self._requests.items():
            for kind in KINDS[watch.access]:
                await self.machine.clear_request(kind, request)
        self._requests.clear()
        old = {(one.data, one.access, one.condition, one.hit_words): one for one in self.wanted}
        self.wanted = wanted
        for watch in wanted:
            before = old.get((watch.data, watch.access, watch.condition, watch.hit_words))
            watch.hits = before.hits if before else 0
            for kind in KINDS[watch.access]:
                rest = self.machine.modifiers().field(watch.field.type, watch.field.id)
                if watch.owner:
                    rest.instance(watch.owner)
                policy = Policy.THREAD if watch.condition or watch.hit_words else Policy.ALL
                self._requests[await self.machine.set_request(kind, policy, rest)] = watch

    def of(self, event: Event) -> Watch | None:
        return self._requests.get(event.request)


def access_of(arguments: Mapping[str, Any]) -> str:
    """The access type of a data breakpoint.

    Raises:
        UsageError: there is no such one.
    """
    access = arguments.get("accessType") or "write"
    if access not in KINDS:
        raise UsageError(f"`{access}` is no access type", "take `write`, `read` or `readWrite`")
    return str(access)
