from pydicom.dataelem import DataElement


def test_a_backslash_in_raw_bytes_is_a_byte():
    raw = b"\x01\x5c\x02\x00"
    assert DataElement(0x00660129, "OL", raw).value == raw
