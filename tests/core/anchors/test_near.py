"""Functions near a name that nothing has, in files so large that they are not read whole for it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dapwright.core import anchors, source
from dapwright.core.anchors.near import near
from dapwright.core.errors import UsageError

NAMES = ["parse_header", "write_rows", "connect", "total_of", "retry_later", "isoformat", "Übertrag"]
PYTHON = "class Box_{n}:\n    def {name}_{n}(self):\n        return {n}\n\n\ndef plain_{n}(a):\n    return a\n\n\n"
SCRIPT = (
    "class Box_{n} {{\n  {name}_{n}() {{\n    return {n};\n  }}\n}}\n\nfunction plain_{n}(a) {{\n  return a;\n}}\n\n"
)


def large(path, piece):
    text = "".join(piece.format(n=n, name=NAMES[n % len(NAMES)]) for n in range(500))
    return source.Structure(source.of_text(path, text))


LARGE = [large("big.py", PYTHON), large("big.js", SCRIPT)]
PLACES = st.integers(0, 499)


@pytest.mark.parametrize("structure", LARGE, ids=["python", "javascript"])
@settings(max_examples=40, deadline=None)
@given(n=PLACES, at=st.integers(0, 5), letter=st.sampled_from("xq_z"), qualified=st.booleans())
def test_one_wrong_letter_finds_the_name(structure, n, at, letter, qualified):
    assert structure.large
    right = f"{NAMES[n % len(NAMES)]}_{n}"
    wrong = right[:at] + letter + right[at + 1 :]
    found, _ = near(structure, f"Box_{n}.{wrong}" if qualified else wrong)
    assert wrong == right or f"Box_{n}.{right}" in [f.qualified for f in found]
    assert structure.large  # it was not read whole for that


@pytest.mark.parametrize("structure", LARGE, ids=["python", "javascript"])
def test_a_name_of_another_class_is_told_with_its_own(structure):
    found, _ = near(structure, "Crate.plain_7")
    assert [f.qualified for f in found] == ["plain_7"]


@pytest.mark.parametrize("structure", LARGE, ids=["python", "javascript"])
def test_where_none_is_near_the_first_are_told(structure):
    found, some = near(structure, "@@@")
    assert found == [] and [f.qualified for f in some[:2]] == ["Box_0.parse_header_0", "plain_0"]
    with pytest.raises(UsageError, match=r"no function `@@@`; it has:\n  2: Box_0\.parse_header_0"):
        anchors.functions(structure, "@@@")


def test_a_small_file_tells_all_that_it_has():
    structure = source.Structure(source.of_text("small.py", "def one(): pass\ndef two(): pass\n"))
    found, every = near(structure, "zzz")
    assert not structure.large and found == [] and [f.name for f in every] == ["one", "two"]


def test_the_methods_of_a_class_in_a_large_file_are_told():
    with pytest.raises(UsageError, match=r"is a class.*its methods:\n  20: Box_2\.connect_2"):
        anchors.functions(large("big.py", PYTHON), "Box_2")
