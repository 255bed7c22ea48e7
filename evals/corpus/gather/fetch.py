import asyncio


class Session:
    def __init__(self, token=70):
        self.first = self.token = token
        self.seen = []

    async def refresh(self):
        await asyncio.sleep(0)
        self.token += 1
        return self.token

    async def get(self, name, token):
        await asyncio.sleep(0)
        self.seen.append((name, token))
        if token != self.token:
            return None
        return f"{name}@{token}"


async def load(session, name):
    token = session.token
    if token == session.first or name.startswith("fresh"):
        await session.refresh()
    answer = await session.get(name, token)
    return answer


async def load_all(session, names):
    found = {}
    for name in names:
        found[name] = await load(session, name)
    return found


def run(names):
    session = Session()
    found = asyncio.run(load_all(session, names))
    return [name for name, answer in found.items() if answer is None]
