"""Languages that are rows of a table."""

import pytest
from adapters.test_native import drive, gdb_says, host

from dapwright.adapters import every, find
from dapwright.adapters.compiled import TABLE
from dapwright.core.errors import SetupError
from dapwright.core.model import Launch


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_a_source_of_each_is_compiled_and_debugged_with_gdb(row):
    name, _, endings, tools, _, _, runtime, _ = row
    source = f"/x/tally{endings[0]}"
    machine = host({source: ""}, {"gdb": "/usr/bin/gdb", tools[0]: f"/usr/bin/{tools[0]}"})
    plan, asked = drive(find(name).plan(Launch(program=source), machine), gdb_says("GNU gdb (GDB) 18.1"))
    assert f"/usr/bin/{tools[0]}" in asked[2] and source in asked[2]
    assert plan.argv[0] == "/usr/bin/gdb" and (runtime in plan.exception_filters or not runtime)


def test_a_missing_compiler_is_told_with_the_command_that_installs_it():
    machine = host({"/x/a.f90": ""}, {"gdb": "/usr/bin/gdb"})
    with pytest.raises(SetupError, match="gfortran") as refused:
        drive(find("fortran").plan(Launch(program="/x/a.f90"), machine), gdb_says("GNU gdb (GDB) 18.1"))
    assert refused.value.hint == "apt-get install gfortran"


def test_no_two_languages_claim_one_ending():
    claimed = [ending for adapter in every().values() for ending in adapter.extensions]
    assert len(claimed) == len(set(claimed))
