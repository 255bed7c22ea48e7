"""Events of the JVM and requests for them, without I/O."""

from msgspec import Struct

from dapwright.core.errors import ProtocolError
from dapwright.engines.jvm.codes import Kind
from dapwright.engines.jvm.packets import VOID, Location, Reader, Sizes, Value, Writer

NOWHERE = Location(0, 0, 0, 0)


class Event(Struct, frozen=True):
    """One event; what its kind does not have is empty."""

    kind: Kind
    request: int
    thread: int = 0
    location: Location = NOWHERE
    value: Value = VOID
    """The value returned, or the one that a field is about to get."""
    exception: int = 0
    catch: Location = NOWHERE
    type_tag: int = 0
    type: int = 0
    signature: str = ""
    field: int = 0
    object: int = 0


class Happening(Struct, frozen=True):
    """Events of one moment on one thread, and what the JVM suspended for them (a `Policy`)."""

    policy: int
    events: tuple[Event, ...]

    @property
    def thread(self) -> int:
        return next((event.thread for event in self.events if event.thread), 0)


def read_happening(data: bytes, sizes: Sizes) -> Happening:
    """Read the data of an `Event.Composite` command.

    Raises:
        ProtocolError: it holds a kind of event that was never asked for.
    """
    reader = Reader(data, sizes)
    policy = reader.byte()
    return Happening(policy, tuple(_read_event(reader) for _ in range(reader.i32())))


def _read_event(reader: Reader) -> Event:
    number = reader.byte()
    if number not in set(Kind):
        raise ProtocolError(f"the JVM sent an event of the unknown kind {number}")
    kind, request = Kind(number), reader.i32()
    match kind:
        case Kind.VM_DEATH:
            return Event(kind, request)
        case Kind.CLASS_UNLOAD:
            return Event(kind, request, signature=reader.text())
        case Kind.VM_START | Kind.THREAD_START | Kind.THREAD_DEATH:
            return Event(kind, request, reader.object())
        case Kind.CLASS_PREPARE:
            thread, tag, type_id, signature = reader.object(), reader.byte(), reader.type(), reader.text()
            reader.i32()
            return Event(kind, request, thread, type_tag=tag, type=type_id, signature=signature)
    return _read_located(reader, kind, request)


def _read_located(reader: Reader, kind: Kind, request: int) -> Event:
    thread, place = reader.object(), reader.location()
    match kind:
        case Kind.EXCEPTION:
            thrown = reader.tagged()
            return Event(kind, request, thread, place, exception=thrown.value, catch=reader.location())
        case Kind.METHOD_EXIT_WITH_VALUE:
            return Event(kind, request, thread, place, value=reader.tagged())
        case Kind.FIELD_ACCESS | Kind.FIELD_MODIFICATION:
            tag, type_id, field, owner = reader.byte(), reader.type(), reader.field(), reader.tagged()
            value = reader.tagged() if kind is Kind.FIELD_MODIFICATION else VOID
            return Event(
                kind, request, thread, place, value=value, type_tag=tag, type=type_id, field=field, object=owner.value
            )
    return Event(kind, request, thread, place)


class Modifiers:
    """The restrictions of an event request, in the order in which the JVM checks them."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self.parts: list[bytes] = []

    def _add(self, number: int) -> Writer:
        return Writer(self._sizes).byte(number)

    def _keep(self, writer: Writer) -> "Modifiers":
        self.parts.append(writer.done())
        return self

    def count(self, number: int) -> "Modifiers":
        """The event is told once: at its `number`-th time."""
        return self._keep(self._add(1).i32(number))

    def thread(self, thread: int) -> "Modifiers":
        return self._keep(self._add(3).object(thread))

    def class_only(self, type_id: int) -> "Modifiers":
        return self._keep(self._add(4).type(type_id))

    def class_match(self, pattern: str) -> "Modifiers":
        """`pattern` may have one `*`, at its start or its end."""
        return self._keep(self._add(5).text(pattern))

    def class_exclude(self, *patterns: str) -> "Modifiers":
        for pattern in patterns:
            self._keep(self._add(6).text(pattern))
        return self

    def location(self, place: Location) -> "Modifiers":
        return self._keep(self._add(7).location(place))

    def exception(self, type_id: int, *, caught: bool, uncaught: bool) -> "Modifiers":
        """`type_id` 0 is every exception; subclasses count."""
        return self._keep(self._add(8).type(type_id).byte(caught).byte(uncaught))

    def field(self, type_id: int, field: int) -> "Modifiers":
        return self._keep(self._add(9).type(type_id).field(field))

    def step(self, thread: int, *, size: int, depth: int) -> "Modifiers":
        """`size` 0 is one instruction, 1 a line; `depth` 0 goes in, 1 over, 2 out."""
        return self._keep(self._add(10).object(thread).i32(size).i32(depth))

    def instance(self, object_id: int) -> "Modifiers":
        return self._keep(self._add(11).object(object_id))


def request(sizes: Sizes, kind: Kind, policy: int, modifiers: Modifiers | None = None) -> bytes:
    """Return the data of an `EventRequest.Set` command."""
    parts = modifiers.parts if modifiers else []
    return Writer(sizes).byte(kind).byte(policy).i32(len(parts)).raw(b"".join(parts)).done()
