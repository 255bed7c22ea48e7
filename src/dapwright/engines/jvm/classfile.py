"""Class files, as far as compiling against them and reloading them needs (JVM specification, chapter 4)."""

import struct

PRIVATE, PROTECTED, PUBLIC, FINAL = 0x2, 0x4, 0x1, 0x10
SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
MAGIC = b"\xca\xfe\xba\xbe"


class _Cursor:
    def __init__(self, data: bytes) -> None:
        self.data = bytearray(data)
        self.at = 0

    def number(self, size: int) -> int:
        value = int.from_bytes(self.data[self.at : self.at + size], "big")
        self.at += size
        return value

    def skip(self, size: int) -> None:
        self.at += size

    def open_flags(self) -> None:
        """Make the two bytes of access flags here public."""
        flags = (self.number(2) & ~(PRIVATE | PROTECTED)) | PUBLIC
        struct.pack_into(">H", self.data, self.at - 2, flags)


def _pool(cursor: _Cursor) -> tuple[dict[int, str], dict[int, int]]:
    """Read the constant pool: its strings, and which string names each class."""
    texts, classes = {}, {}
    count, at = cursor.number(2), 1
    while at < count:
        tag = cursor.number(1)
        if tag == 1:
            size = cursor.number(2)
            texts[at] = bytes(cursor.data[cursor.at : cursor.at + size]).decode("utf-8", "replace")
            cursor.at += size
        else:
            if tag == 7:
                classes[at] = int.from_bytes(cursor.data[cursor.at : cursor.at + 2], "big")
            cursor.at += SIZES[tag]
        at += 2 if tag in (5, 6) else 1
    return texts, classes


def class_name(data: bytes) -> str:
    """The binary name of the class in a class file; "" where it is none."""
    if data[:4] != MAGIC:
        return ""
    cursor = _Cursor(data)
    cursor.at = 8
    try:
        texts, classes = _pool(cursor)
        cursor.at += 2
        return texts[classes[cursor.number(2)]].replace("/", ".")
    except (KeyError, IndexError):
        return ""


def publicise(data: bytes) -> bytes:
    """Return a class file whose class, fields, methods and nested classes are all public.

    Raises:
        ValueError: it is no class file.
    """
    if data[:4] != MAGIC:
        raise ValueError("not a class file")
    cursor = _Cursor(data)
    cursor.at = 8
    texts, _ = _pool(cursor)
    cursor.open_flags()
    cursor.at += 4
    cursor.skip(2 * cursor.number(2))  # interfaces
    for _ in range(2):  # fields, then methods
        for _ in range(cursor.number(2)):
            cursor.open_flags()
            cursor.at += 4
            _skip_attributes(cursor)
    for _ in range(cursor.number(2)):
        name, size = texts.get(cursor.number(2), ""), cursor.number(4)
        end = cursor.at + size
        if name == "InnerClasses":
            for _ in range(cursor.number(2)):
                cursor.at += 6
                cursor.open_flags()
        cursor.at = end
    return bytes(cursor.data)


def _skip_attributes(cursor: _Cursor) -> None:
    for _ in range(cursor.number(2)):
        cursor.at += 2
        cursor.skip(cursor.number(4))
