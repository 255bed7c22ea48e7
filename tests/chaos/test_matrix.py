"""Whatever the adapter does, whenever: each call answers in time and says what is true (matrix.py)."""

import matrix
import pytest
import virtual_time
from fake_adapter import Bench

from dapwright.engines.mock import faults

SHAPES = ("launch", "attach", "ours")
"""Tried by every run of the tests; `python scripts/chaos.py` tries them all."""


def test_the_matrix_has_the_cells_that_it_promises():
    assert len(matrix.cells(SHAPES)) >= 1500
    assert set(matrix.DEEDS) >= matrix.HARMLESS | matrix.LETHAL | matrix.MUTE


@pytest.fixture(autouse=True)
def smaller_flood(monkeypatch):
    """A tenth of the flood shows the same in a tenth of the time; `scripts/chaos.py` lets the whole one loose."""
    monkeypatch.setattr(faults, "FLOOD", 10_000)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return matrix.write_programs(tmp_path_factory.mktemp("chaos"))


@pytest.fixture(scope="module")
def references(folder):
    with pytest.MonkeyPatch.context() as patch:  # else the tests after these would meet fake adapters too
        return {shape: matrix.reference(folder, shape, patch) for shape in SHAPES}


@pytest.mark.parametrize("shape", SHAPES)
def test_without_a_fault_every_call_succeeds(monkeypatch, folder, shape):
    async def life():
        bench = Bench(monkeypatch)
        bench.make = lambda: matrix.adapter(shape, "", "")
        told = await matrix.live(bench, folder, shape)
        await bench.close()
        return told

    assert virtual_time.run(life()).failures() == []


@pytest.mark.parametrize("deed", matrix.DEEDS)
@pytest.mark.parametrize("shape", SHAPES)
def test_each_call_answers_in_time_and_truly(monkeypatch, folder, references, shape, deed):
    reached = [
        matrix.tried(cell, folder, references[shape], monkeypatch) for cell in matrix.cells((shape,)) if cell[1] == deed
    ]
    assert sum(reached) >= min(4, len(reached)), "the fault was hardly ever reached"
