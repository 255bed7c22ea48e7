"""The C library's debug files: read by gdb once something asks for them, and not before."""

import subprocess
from pathlib import Path

import pytest
from dap import engine, line_of

from dapwright.adapters import _gdb
from dapwright.host import machine

pytestmark = [
    pytest.mark.live,
    pytest.mark.needs("gcc", "libc6-dbg"),
    pytest.mark.skipif(not _gdb.beside(machine(), "gdb"), reason="only gdb 15 and newer asks before it looks"),
]
SOURCE = """
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
struct pair { int first; };
static int compared(const void *left, const void *right) {
    return *(const int *)left - *(const int *)right;
}
int main(void) {
    int numbers[3] = {3, 1, 2};
    struct pair pair = {7};
    errno = 5;
    puts("ready");
    qsort(numbers, 3, sizeof(int), compared);
    return pair.first;
}
"""


@pytest.fixture(scope="module")
def sorting(tmp_path_factory):
    """(program, source)."""
    source = tmp_path_factory.mktemp("deferred") / "sorting.c"
    source.write_text(SOURCE)
    program = source.with_suffix("")
    subprocess.run(["gcc", "-g", "-O0", "-o", program, source], check=True)
    return str(program), str(source)


@pytest.fixture
def debug():
    gdb = _gdb.beside(machine(), "gdb")
    return lambda: engine(*_gdb.command(gdb, machine()))


def debug_files(client):
    """What gdb holds of the system's debug files: open, or in its memory."""
    process = Path(f"/proc/{client.process.pid}")
    held = [str(each.readlink()) for each in process.glob("fd/*") if each.is_symlink()]
    held += (process / "maps").read_text().split()
    return {each for each in held if each.startswith("/usr/lib/debug/")}


async def stopped_at(client, sorting, statement, **more):
    program, source = sorting
    await client.begin(breakpoints={source: [{"line": line_of(source, statement), **more}]}, program=program)
    return await stack(client)


async def stack(client):
    event = await client.event("stopped")
    return (await client.ask("stackTrace", threadId=event["threadId"], levels=20))["stackFrames"]


async def evaluated(client, expression, frame):
    return (await client.ask("evaluate", expression=expression, frameId=frame["id"], context="watch"))["result"]


async def test_a_stop_in_the_programs_own_code_reads_none_and_a_name_of_the_library_reads_them(debug, sorting):
    async with debug() as client:
        main = (await stopped_at(client, sorting, 'puts("ready");'))[0]
        for mine in ("pair.first", "numbers[2] + 1", "(int)sizeof(struct pair)", "compared", '"errno"[0]', "$pc == 0"):
            await evaluated(client, mine, main)
        assert not debug_files(client)
        assert await evaluated(client, "errno", main) == "5"
        assert debug_files(client)


async def test_a_stack_through_the_library_has_its_names(debug, sorting):
    async with debug() as client:
        frames = await stopped_at(client, sorting, "return *(const int *)left")
        names = [each["name"] for each in frames]
        assert names[0] == "compared" and names[-1] == "main" and debug_files(client)
        assert not any("??" in name for name in names) and any("msort" in name or "qsort" in name for name in names)
        assert await evaluated(client, "numbers[0]", frames[-1]) == "3"


@pytest.mark.parametrize("function", ["_IO_new_file_xsputn", "__GI___qsort_r"])
async def test_a_function_of_the_library_alone_stops(debug, sorting, function):
    program, _ = sorting
    async with debug() as client:
        await client.begin(functions=[{"name": function}], program=program)
        assert (await stack(client))[0]["name"].endswith(function.removeprefix("__GI_"))


@pytest.mark.parametrize("wish", [{"condition": "errno == 5"}, {"logMessage": "errno is {errno}"}])
async def test_conditions_and_logpoints_may_name_it(debug, sorting, wish):
    source = sorting[1]
    places = [{"line": line_of(source, 'puts("ready");'), **wish}, {"line": line_of(source, "return pair.first;")}]
    async with debug() as client:
        await stopped_at(client, sorting, "errno = 5;")
        assert not debug_files(client)
        await client.ask("setBreakpoints", source={"path": source}, breakpoints=places)
        await client.ask("continue", threadId=1)
        line = (await stack(client))[0]["line"]
        assert line == places["logMessage" in wish]["line"]
        assert ("errno is 5" in client.output("log")) is ("logMessage" in wish)


async def test_other_libraries_get_theirs_at_once(debug, sorting, tmp_path):
    """A program whose debug information stands apart, found by the name that it gives."""
    program, source = tmp_path / "apart", sorting[1]
    subprocess.run(["gcc", "-g", "-O0", "-o", program, source], check=True)
    (tmp_path / ".debug").mkdir()
    apart = tmp_path / ".debug" / "apart.debug"
    subprocess.run(["objcopy", "--only-keep-debug", program, apart], check=True)
    subprocess.run(["objcopy", "--strip-debug", f"--add-gnu-debuglink={apart}", program], check=True)
    async with debug() as client:
        assert (await stopped_at(client, (str(program), source), "errno = 5;"))[0]["name"] == "main"
        assert not debug_files(client)
