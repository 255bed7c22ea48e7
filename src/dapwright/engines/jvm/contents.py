"""What is in a collection or a map, read from its fields: no code of the program runs for it.

That works on a paused thread too, where nothing can be called, and it cannot change what
is looked at. The field names are those of OpenJDK 8 to 25; a class that is not known here
is shown by its fields, like any other object.
"""

from dapwright.engines.jvm.contents_languages import LANGUAGES
from dapwright.engines.jvm.packets import Value
from dapwright.engines.jvm.reading import MOST, Contents, Read, Reading, array_list, listed, number


def delegate(*names: str, keys: bool = False) -> Read:
    """A wrapper: the contents are another object's."""

    async def read(reading: Reading, object_id: int, most: int) -> Contents | None:
        for value in await reading.fields(object_id, *names):
            if value is not None and value.is_object and value.value:
                inner = await contents(reading, value.value, most)
                if inner is not None and keys:
                    return Contents(inner.size, False, [(None, key) for key, _ in inner.items if key is not None])
                return inner
        return None

    return read


async def array_deque(reading: Reading, object_id: int, most: int) -> Contents | None:
    held, head, tail = await reading.fields(object_id, "elements", "head", "tail")
    if held is None or not held.value:
        return None
    length = await reading.machine.array_length(held.value)
    start, size = number(head), (number(tail) - number(head)) % max(length, 1)
    items = await reading.machine.array_items(held.value, 0, length)
    return listed(size, [items[(start + at) % length] for at in range(min(size, most))])


async def linked_list(reading: Reading, object_id: int, most: int) -> Contents | None:
    size, node = await reading.fields(object_id, "size", "first")
    values: list[Value] = []
    while node is not None and node.value and len(values) < min(most, MOST):
        item, node = await reading.fields(node.value, "item", "next")
        values += [item] if item is not None else []
    return listed(number(size), values)


async def small_list(reading: Reading, object_id: int, most: int) -> Contents | None:
    """`List.of` and `Set.of` with one or two items: the second field is a marker where there is one."""
    first, second = await reading.fields(object_id, "e0", "e1")
    values = [first] if first is not None else []
    if second is not None and second.value and not await _is_marker(reading, second):
        values.append(second)
    return listed(len(values), values)


async def _is_marker(reading: Reading, value: Value) -> bool:
    type_id = await reading.machine.type_of(value.value)
    return await reading.machine.types.name(type_id) == "java.lang.Object"


async def probed_set(reading: Reading, object_id: int, most: int) -> Contents | None:
    held, size = await reading.fields(object_id, "elements", "size")
    if held is None or not held.value:
        return None
    items = await reading.machine.array_items(held.value, 0, await reading.machine.array_length(held.value))
    return listed(number(size), [item for item in items if item.value][:most])


async def probed_map(reading: Reading, object_id: int, most: int) -> Contents | None:
    held, size = await reading.fields(object_id, "table", "size")
    if held is None or not held.value:
        return None
    items = await reading.machine.array_items(held.value, 0, await reading.machine.array_length(held.value))
    pairs: list[tuple[Value | None, Value]] = [(k, v) for k, v in zip(items[::2], items[1::2], strict=True) if k.value]
    return Contents(number(size), True, pairs[:most])


async def one_entry(reading: Reading, object_id: int, most: int) -> Contents | None:
    key, value = await reading.fields(object_id, "k0", "v0")
    return Contents(1, True, [(key, value)] if value is not None else [])


async def hash_map(reading: Reading, object_id: int, most: int) -> Contents | None:
    """HashMap, Hashtable and ConcurrentHashMap: buckets of chained nodes."""
    table, size, count, base = await reading.fields(object_id, "table", "size", "count", "baseCount")
    total = number(size or count or base)
    found = Contents(total, True)
    if table is None or not table.value:
        return found
    length = await reading.machine.array_length(table.value)
    for bucket in await reading.machine.array_items(table.value, 0, length):
        node: Value | None = bucket
        while node is not None and node.value and len(found.items) < min(most, MOST):
            key, value, other, following, first = await reading.fields(
                node.value, "key", "value", "val", "next", "first"
            )
            if first is not None:  # ConcurrentHashMap keeps a crowded bucket's chain in a tree's head
                node = first
                continue
            held = value if value is not None else other
            if held is not None:
                found.items.append((key, held))
            node = following
    found.size = max(total, len(found.items))
    return found


async def linked_map(reading: Reading, object_id: int, most: int) -> Contents | None:
    size, node = await reading.fields(object_id, "size", "head")
    found = Contents(number(size), True)
    while node is not None and node.value and len(found.items) < min(most, MOST):
        key, value, node = await reading.fields(node.value, "key", "value", "after")
        if value is not None:
            found.items.append((key, value))
    return found


async def tree_map(reading: Reading, object_id: int, most: int) -> Contents | None:
    size, node = await reading.fields(object_id, "size", "root")
    found = Contents(number(size), True)
    above: list[tuple[Value | None, Value | None, Value | None]] = []
    while len(found.items) < min(most, MOST):
        while node is not None and node.value and len(above) < 64:
            key, value, left, right = await reading.fields(node.value, "key", "value", "left", "right")
            above.append((key, value, right))
            node = left
        if not above:
            break
        key, value, node = above.pop()
        if value is not None:
            found.items.append((key, value))
    return found


KNOWN: dict[str, Read] = {
    "java.util.ArrayList": array_list("elementData", "size"),
    "java.util.Vector": array_list("elementData", "elementCount"),
    "java.util.PriorityQueue": array_list("queue", "size"),
    "java.util.concurrent.PriorityBlockingQueue": array_list("queue", "size"),
    "java.util.Arrays$ArrayList": array_list("a"),
    "java.util.concurrent.CopyOnWriteArrayList": array_list("array"),
    "java.util.concurrent.CopyOnWriteArraySet": delegate("al"),
    "java.util.ImmutableCollections$ListN": array_list("elements"),
    "java.util.ImmutableCollections$List12": small_list,
    "java.util.ImmutableCollections$Set12": small_list,
    "java.util.ImmutableCollections$SetN": probed_set,
    "java.util.ImmutableCollections$MapN": probed_map,
    "java.util.ImmutableCollections$Map1": one_entry,
    "java.util.ArrayDeque": array_deque,
    "java.util.LinkedList": linked_list,
    "java.util.LinkedHashMap": linked_map,
    "java.util.HashMap": hash_map,
    "java.util.Hashtable": hash_map,
    "java.util.concurrent.ConcurrentHashMap": hash_map,
    "java.util.TreeMap": tree_map,
    "java.util.HashSet": delegate("map", keys=True),
    "java.util.TreeSet": delegate("m", keys=True),
    "java.util.Collections$UnmodifiableCollection": delegate("c"),
    "java.util.Collections$UnmodifiableMap": delegate("m"),
    "java.util.Collections$SynchronizedCollection": delegate("c"),
    "java.util.Collections$SynchronizedMap": delegate("m"),
    "java.util.Properties": delegate("map"),
    **LANGUAGES,
}


async def contents(reading: Reading, object_id: int, most: int = MOST) -> Contents | None:
    """Return up to `most` items of a collection or a map; None for any other object."""
    types = reading.machine.types
    for type_id in await types.ancestry(await reading.machine.type_of(object_id)):
        read = KNOWN.get(await types.name(type_id))
        if read is not None:
            return await read(reading, object_id, most)
    return None
