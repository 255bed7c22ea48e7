"""Broken lines by the hundred: nothing is answered twice, and the server lives on."""

import json
import random
from collections import Counter

from pipe import META, Pipe

SEEDS = [
    {"method": "tools/call", "params": {"name": "add", "arguments": {"left": 1, "right": "2"}}},
    {"method": "tools/call", "params": {"name": "ask", "arguments": {}, "_meta": META, "requestState": "x"}},
    {"method": "tools/list", "params": {"_meta": META}},
    {"method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {"elicitation": {}}}},
    {"method": "resources/read", "params": {"uri": "debug://sessions/s1/output"}},
    {"method": "resources/subscribe", "params": {"uri": "debug://sessions/s1/output"}},
    {"method": "prompts/get", "params": {"name": "debugging-workflow", "arguments": {"problem": "x"}}},
    {"method": "notifications/cancelled", "params": {"requestId": 3}},
    {"method": "server/discover", "params": {}},
    {"method": "logging/setLevel", "params": {"level": "debug"}},
]
ODD = [None, True, -1, 1.5, "", "x", [], {}, [1], {"a": None}, "\ud800", "\0", 2**70]


def twisted(value, chance):
    """The value with something in it replaced, dropped or added."""
    if chance.random() < 0.15:
        return chance.choice(ODD)
    if isinstance(value, dict):
        kept = {key: twisted(one, chance) for key, one in value.items() if chance.random() > 0.08}
        return kept if chance.random() > 0.1 else {**kept, "odd": chance.choice(ODD)}
    if isinstance(value, list):
        return [twisted(one, chance) for one in value]
    return value


def test_no_line_is_answered_twice_and_none_ends_the_server():
    chance, server = random.Random(64), Pipe("fake_server.py")
    try:
        sent = 0
        for n in range(400):
            message = {key: twisted(value, chance) for key, value in chance.choice(SEEDS).items()}
            line = json.dumps({"jsonrpc": "2.0", "id": f"f{n}", **message}).encode()
            if chance.random() < 0.2:
                cut = chance.randrange(len(line))
                line = line[:cut] + chance.randbytes(2).replace(b"\n", b"") + line[cut + chance.randrange(3) :]
            server.raw(line.replace(b"\n", b" ") + b"\n")
            sent += 1
            while not server.asks.empty():
                server.send({"id": server.asks.get()["id"], "result": {"action": "decline"}})
        assert server.ask("ping")["result"] == {}
        told = server.call("add", {"left": 1})
        assert told["structuredContent"]["sum"] == 2
        ids = Counter(json.dumps(message.get("id")) for message in server.unanswered())
        assert all(count == 1 for id, count in ids.items() if id.startswith('"f'))
        assert len([id for id in ids if id.startswith('"f')]) > sent / 2
        assert server.close() == 0 and not server.stray
        assert not [line for line in server.errors if "Traceback" in line], server.errors
    finally:
        server.kill()
