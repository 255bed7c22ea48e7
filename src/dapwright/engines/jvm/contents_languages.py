"""Collections of Scala and Clojure, read from their fields (Scala 2.12 to 3, Clojure 1.11 and 1.12)."""

from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.reading import MOST, Contents, Read, Reading, array_list, listed, number


async def cons_list(reading: Reading, object_id: int, most: int) -> Contents | None:
    """Scala's `::`: a head, and the rest; its length is known by walking it."""
    values: list[Value] = []
    node: Value | None = Value("L", object_id)
    while node is not None and node.value and len(values) < MOST:
        head, following, older = await reading.fields(node.value, "head", "next", "tl")
        if head is None:
            break
        values.append(head)
        node = following or older
    return listed(len(values), values[:most])


async def small_vector(reading: Reading, object_id: int, most: int) -> Contents | None:
    """Clojure's vector while it has no tree: up to 32 items are in its tail."""
    count, tail = await reading.fields(object_id, "cnt", "tail")
    if tail is None or not tail.value or number(count) > await reading.machine.array_length(tail.value):
        return None
    return listed(number(count), await reading.machine.array_items(tail.value, 0, min(number(count), most)))


async def array_map(reading: Reading, object_id: int, most: int) -> Contents | None:
    """Clojure's small map: keys and values by turns in one array."""
    held = await reading.one(object_id, "array")
    if held is None or not held.value:
        return None
    items = await reading.machine.array_items(held.value, 0, await reading.machine.array_length(held.value))
    pairs: list[tuple[Value | None, Value]] = list(zip(items[::2], items[1::2], strict=True))
    return Contents(len(pairs), True, pairs[:most])


async def nothing(reading: Reading, object_id: int, most: int) -> Contents | None:
    return listed(0, [])


LANGUAGES: dict[str, Read] = {
    "scala.collection.immutable.$colon$colon": cons_list,
    "scala.collection.immutable.Nil$": nothing,
    "scala.collection.immutable.Vector1": array_list("prefix1"),
    "scala.collection.immutable.Vector0$": nothing,
    "scala.collection.mutable.ArrayBuffer": array_list("array", "size0"),
    "clojure.lang.PersistentVector": small_vector,
    "clojure.lang.PersistentArrayMap": array_map,
}
CALLED = {
    "scala.collection.immutable.$colon$colon": "List",
    "scala.collection.immutable.Nil$": "List",
    "scala.collection.immutable.Vector1": "Vector",
    "scala.collection.immutable.Vector0$": "Vector",
}
"""Names that people know such classes by."""
