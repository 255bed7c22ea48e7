"""Kotlin's coroutines and companions, for real."""

import asyncio

import dap
import pytest
from jvm_programs import compiled_kotlin
from toolchains import COROUTINES

pytestmark = [pytest.mark.live, pytest.mark.needs("kotlinc", "coroutines")]

WORK = """import kotlinx.coroutines.*

suspend fun load(name: String, cents: Int): Int {
    var total = cents
    delay(5)
    total += 1 // loaded
    return total
}

class Ledger {
    companion object {
        fun of(start: Int) = start * 2
    }
}

fun main() = runBlocking {
    var seen = 0
    val note = { n: Int -> seen += n } // noted
    val one = async(CoroutineName("tea")) { load("tea", 300) }
    note(one.await())
    println(seen + Ledger.of(1))
}
"""


async def test_a_coroutine_is_told_by_its_name_and_its_functions_as_written(client, tmp_path):
    source = tmp_path / "work.kt"
    source.write_text(WORK)
    jar = await asyncio.to_thread(compiled_kotlin, source, COROUTINES)
    lines = [{"line": dap.line_of(source, mark)} for mark in ("// loaded", "println(")]
    await client.begin(
        mainClass="WorkKt", classpath=[str(jar), str(COROUTINES)], vmArgs=["-ea"], breakpoints={str(source): lines}
    )
    stop = await client.stopped()
    assert stop["frame"]["name"] == "WorkKt.load"
    seen = await client.locals(stop["frame"]["id"])
    assert seen["(coroutine)"] == "tea#2" and seen["total"] == "300"
    assert await client.evaluate("Ledger.of(total)", stop["frame"]["id"]) == "600"
    await client.ask("continue", threadId=stop["threadId"])
    stop = await client.stopped()
    assert stop["frame"]["name"] == "WorkKt.main.<suspend>"
    assert (await client.locals(stop["frame"]["id"]))["(coroutine)"] == "coroutine#1"
    assert await client.evaluate("seen", stop["frame"]["id"]) == "301"
