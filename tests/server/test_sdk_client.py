"""The official client drives our engine, in each of its modes."""

import asyncio
import sys
from pathlib import Path

import mcp_types as types
import pytest
from mcp import Client, StdioServerParameters

SERVER = Path(__file__).with_name("fake_server.py")
MODES = ["legacy", "auto", "2026-07-28"]


def connect(mode, **more):
    return Client(StdioServerParameters(command=sys.executable, args=[str(SERVER)]), mode=mode, **more)


@pytest.mark.parametrize("mode", MODES)
async def test_the_official_client_lists_calls_and_reads(mode):
    async with asyncio.timeout(20), connect(mode) as client:
        tools = (await client.list_tools()).tools
        assert next(one for one in tools if one.name == "add").annotations.read_only_hint
        told = await client.call_tool("add", {"left": 2})
        assert told.structured_content == {"success": True, "sum": 3} and not told.is_error
        assert (await client.call_tool("fail", {})).is_error
        assert (await client.list_prompts()).prompts[0].name == "debugging-workflow"
        prompt = await client.get_prompt("debugging-workflow", {"problem": "it is red"})
        assert "it is red" in prompt.messages[0].content.text
        assert len((await client.list_resource_templates()).resource_templates) == 3
        assert "debug://sessions/s1/audit" in [str(one.uri) for one in (await client.list_resources()).resources]
        read = await client.read_resource("debug://sessions/s1/output")
        assert read.contents[0].text == "hello\n"


async def test_the_official_client_finds_the_stateless_era_by_itself():
    async with asyncio.timeout(20), connect("auto") as client:
        assert client.protocol_version == "2026-07-28" and client.server_info.name == "dapwright"
    async with asyncio.timeout(20), connect("legacy") as client:
        assert client.protocol_version == "2025-11-25" and client.instructions


@pytest.mark.parametrize("mode", MODES)
async def test_the_official_client_shows_our_questions(mode):
    async def show(context, params):
        assert params.message == "may I run this?" or params.message == "really?"
        return types.ElicitResult(action="accept", content={"why": "yes"})

    async with asyncio.timeout(20), connect(mode, elicitation_callback=show) as client:
        told = await client.call_tool("ask", {"twice": True})
        assert told.structured_content == {"success": True, "first": "accept", "why": "yes", "second": "accept"}


@pytest.mark.parametrize("mode", MODES)
async def test_the_official_client_hears_of_progress(mode):
    heard = []

    async def hear(progress, total, message):
        heard.append(message)

    async with asyncio.timeout(20), connect(mode) as client:
        await client.call_tool("wait", {"seconds": 0.1}, progress_callback=hear)
    assert heard == ["waiting for the stop"]


async def test_the_official_client_listens():
    uris = ["debug://sessions/s1/output"]
    async with (
        asyncio.timeout(20),
        connect("2026-07-28") as client,
        client.listen(resource_subscriptions=uris) as stream,
    ):
        await client.call_tool("say", {"text": "more"})
        assert "s1/output" in str(await anext(aiter(stream)))
