"""COBOL by statements: loops, PERFORM, CALL, several programs, and run-time errors."""

import pytest

from live.driver import driver

pytestmark = [pytest.mark.live, pytest.mark.needs("cobc", "gdb")]


async def test_steps_go_by_statements_and_over_a_perform_of_20000_times(program):
    file = str(program("cobol") / "BIG.cob")
    async with driver() as d:
        stop = await d.ok("start_debugging", scriptPath=file, wait=45, stopOnEntry=True)
        assert stop["lastStop"]["reason"] == "entry" and stop["content"] == "PERFORM ADD-ONE 20000 TIMES.", stop
        seen = []
        for _ in range(6):
            stop = await d.ok("step_over")
            assert stop["lastStop"]["reason"] == "step", stop
            seen.append(stop["content"])
        assert seen == [
            "PERFORM VARYING WS-IDX FROM 1 BY 1 UNTIL WS-IDX > 2",
            "ADD 2 TO WS-N",
            "ADD 2 TO WS-N",
            "IF WS-N > 10",
            'DISPLAY "many"',
            'CALL "SUBPROG" USING WS-N.',
        ]
        assert (await d.locals())["WS-N"] == "20004"


async def test_a_called_program_is_stepped_into_and_out_of(program):
    file = str(program("cobol") / "BIG.cob")
    async with driver() as d:
        call = {"file": file, "statement": 'CALL "SUBPROG" USING WS-N.'}
        await d.ok("start_debugging", scriptPath=file, wait=45, breakpoints=[call])
        stop = await d.ok("step_into")
        assert stop["location"]["function"].startswith("SUBPROG"), stop
        shown = await d.locals()
        assert (shown["SUB-X"], shown["LOC-B"], shown["L-N"]) == ("3", "12", "20004"), shown
        assert stop["stack"][0]["name"] == "BIG:MAIN-PARA"
        stop = await d.ok("step_out")
        assert stop["location"]["function"] == "BIG:MAIN-PARA", stop


async def test_expressions_are_cobols(program):
    file = str(program("cobol") / "BIG.cob")
    async with driver() as d:
        at = {"file": file, "statement": "MOVE 9 TO WS-IDX."}
        await d.ok("start_debugging", scriptPath=file, wait=45, breakpoints=[at])
        assert await d.value("WS-COL(2,3)") == "7"
        assert await d.value("WS-YEAR OF WS-D-R") == "2026"
        assert await d.value("WS-N * 2 + 1") == "40011"
        assert await d.value("WS-SGN < 0 AND NOT WS-NEG = 45") == "TRUE"
        assert await d.value("MOVE -7 TO WS-NEG") == "-7"
        assert await d.value("WS-SGN := 3.5") == "3.5"
        assert "no data item" in await d.refused("evaluate_expression", expression="WS-NONE")
        assert "no subscript" in await d.refused("evaluate_expression", expression="WS-COL(3,1)")
        assert "holds" in await d.refused("evaluate_expression", expression="WS-IDX := 10")


async def test_a_runtime_error_stops_before_it_ends_the_program(program):
    file = str(program("cobol") / "BIG.cob")
    async with driver() as d:
        stop = await d.ok("start_debugging", scriptPath=file, wait=45)
        assert stop["lastStop"]["reason"] == "exception", stop
        assert "subscript of 'WS-COL' out of bounds: 9" in stop["lastStop"]["description"]
        assert stop["content"] == "MOVE 1 TO WS-COL(1, WS-IDX)."
        end = await d.ok("continue_execution", wait=20)
        assert end["state"] == "stopped" and end["exitCode"] == 1


async def test_what_does_not_compile_is_answered_with_the_compilers_words(program):
    file = program("cobol") / "BAD.cob"
    file.write_text(
        "       IDENTIFICATION DIVISION.\n       PROGRAM-ID. BAD.\n       PROCEDURE DIVISION.\n           MOVE.\n"
    )
    async with driver() as d:
        assert "BAD.cob" in await d.refused("start_debugging", scriptPath=str(file), wait=45)
