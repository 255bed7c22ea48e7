"""Data items as DAP variables."""

import gdb
from gdb_dap.wiring import module

from . import decimals

variables, startup = module("varref"), module("startup")


def address_of(item, frame, subscripts=()):
    """Where an item lies."""
    root = item.chain()[0]
    frame.select()
    if root.storage is None:
        raise startup.DAPException("%s has no storage in this program: nothing uses it" % item.name)
    if isinstance(root.storage, int):
        start = int(gdb.parse_and_eval("(unsigned long) cob_local_ptr")) + root.storage
    else:
        value = gdb.parse_and_eval(root.storage)
        pointer = value.type.strip_typedefs().code == gdb.TYPE_CODE_PTR
        start = int(value) if pointer else int(value.address)
    if start == 0:
        raise startup.DAPException("%s was not passed" % item.name)
    start += item.offset
    tables = [one for one in item.chain() if one.occurs]
    for table, number in zip(tables, subscripts):  # noqa: B905  (older Pythons)
        if not 1 <= number <= table.occurs:
            raise startup.DAPException("%d is no subscript of %s (1 to %d)" % (number, table.name, table.occurs))
        start += (number - 1) * table.unit
    return start


class ItemReference(variables.BaseReference):
    """A data item, one element of it, or a whole table."""

    def __init__(self, item, frame, subscripts=(), result="value", short=False):
        self.item, self.frame, self.subscripts, self.result = item, frame, tuple(subscripts), result
        needed = sum(1 for one in item.chain() if one.occurs)
        self.is_table = bool(item.occurs) and len(self.subscripts) == needed - 1
        self.reachable = len(self.subscripts) == needed or self.is_table
        written = ",".join(map(str, self.subscripts))
        self.expression = "%s(%s)" % (item.name, written) if written else item.name
        super().__init__(self.expression if not short else "(%d)" % self.subscripts[-1])

    def has_children(self):
        return self.is_table or bool(self.item.children)

    def child_count(self):
        return self.item.occurs if self.is_table else len(self.item.children)

    def fetch_one_child(self, index):
        raise NotImplementedError

    def fetch_children(self, start, count):
        last = self.child_count() if not count else min(self.child_count(), start + count)
        for index in range(start, last):
            yield self._child(index)

    def _child(self, index):
        if self.is_table:
            return ItemReference(self.item, self.frame, (*self.subscripts, index + 1), short=True)
        return ItemReference(self.item.children[index], self.frame, self.subscripts)

    def find_child_by_name(self, name):
        for child in self.fetch_children(0, 0):
            if child._name == name or child.expression == name:
                return child
        raise startup.DAPException("there is no item `%s`" % name)

    def text(self):
        """Its value."""
        if self.is_table:
            return "table of %d" % self.item.occurs
        if not self.reachable:
            raise startup.DAPException("%s needs a subscript" % self.item.name)
        place = address_of(self.item, self.frame, self.subscripts)
        return decimals.decode(self.item, bytes(gdb.selected_inferior().read_memory(place, self.item.unit)))

    def assign(self, text):
        """Give it a value."""
        if self.is_table or not self.reachable:
            raise startup.DAPException("%s needs a subscript" % self.item.name)
        try:
            data = decimals.encode(self.item, text)
        except ValueError as wrong:
            raise startup.DAPException(str(wrong)) from None
        place = address_of(self.item, self.frame, self.subscripts)
        gdb.selected_inferior().write_memory(place, data)

    def to_object(self):
        told = super().to_object()
        try:
            told[self.result] = self.text()
        except (startup.DAPException, gdb.error, RuntimeError) as wrong:
            told[self.result] = "<%s>" % wrong
        told["type"] = self.item.describe()
        told["evaluateName"] = self.expression
        if self.has_children():
            told["indexedVariables" if self.is_table else "namedVariables"] = self.child_count()
        return told


class SectionReference(variables.BaseReference):
    """A section of the data division as a scope."""

    def __init__(self, name, items, frame):
        self.items, self.frame = items, frame
        super().__init__(name)

    def has_children(self):
        return True

    def child_count(self):
        return len(self.items)

    def fetch_one_child(self, index):
        raise NotImplementedError

    def fetch_children(self, start, count):
        for item in self.items[start : start + count if count else None]:
            yield ItemReference(item, self.frame)

    find_child_by_name = ItemReference.find_child_by_name

    def to_object(self):
        return {**super().to_object(), "expensive": False, "presentationHint": "locals"}
