"""The same tools served by the official SDK over stdio, to compare our engine with."""

import asyncio

import fake_server
import mcp_types as types
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server

from dapwright.server import resources
from dapwright.server.instructions import instructions
from dapwright.server.prompts import LISTED, get_prompt
from dapwright.tools import Caller, UnknownTool, listed
from dapwright.tools.answers import answer


def build():
    settings, desk = fake_server.settings(), fake_server.Desk()

    async def list_tools(ctx, params):
        return types.ListToolsResult(tools=[types.Tool.model_validate(one) for one in listed(settings)])

    async def call_tool(ctx, params):
        caller = Caller(sessions=desk, settings=settings)
        try:
            told = await answer(caller, params.name, params.arguments)
        except UnknownTool as unknown:
            return types.ErrorData(code=types.INVALID_PARAMS, message=str(unknown))
        content = [types.TextContent(type="text", text=told.text)]
        return types.CallToolResult(content=content, structured_content=told.structured, is_error=told.is_error)

    async def list_prompts(ctx, params):
        return types.ListPromptsResult(prompts=[types.Prompt.model_validate(one) for one in LISTED])

    async def prompt(ctx, params):
        return types.GetPromptResult.model_validate(get_prompt(settings, params.arguments or {}))

    async def list_resources(ctx, params):
        listed_now = resources.list_resources(desk)
        return types.ListResourcesResult(resources=[types.Resource.model_validate(one) for one in listed_now])

    async def read_resource(ctx, params):
        return types.ReadResourceResult.model_validate(resources.read_resource(desk, settings, str(params.uri)))

    return Server(
        "dapwright",
        instructions=instructions(settings),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=prompt,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )


async def main():
    server = build()
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())


if __name__ == "__main__":
    fake_server.register()
    asyncio.run(main())
