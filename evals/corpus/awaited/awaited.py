import asyncio


async def fetch():
    return 5


async def double():
    value = fetch()
    kind = type(value).__name__
    value.close()
    return kind
