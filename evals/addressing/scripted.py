"""Agents of known behaviour, to prove the measures: `scripted.py MODE PROMPT MCP_CONFIG`.

`exact` names each target by its line; `miscount` is off by one in every third set (and sets it
again, rightly, where that was refused); `statement` names it by its text. They know the
annotation, which no real agent is shown.
"""

import json
import subprocess
import sys
from pathlib import Path

TASKS = json.loads((Path(__file__).parent / "tasks.json").read_text(encoding="utf-8"))


class Client:
    """One MCP server over its standard streams."""

    def __init__(self, config: str) -> None:
        (one,) = json.loads(Path(config).read_text(encoding="utf-8"))["mcpServers"].values()
        argv = [one["command"], *one["args"]]
        self.process = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=one.get("env"))
        self.last = 0
        about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        self.ask("initialize", about)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: dict) -> None:
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: dict) -> dict:
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        for line in self.process.stdout:
            message = json.loads(line)
            if message.get("id") == self.last:
                return message["result"]
        raise SystemExit("the server has ended")

    def call(self, tool: str, **arguments: object) -> dict:
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["structuredContent"]

    def tool(self, name: str) -> dict:
        (one,) = [each for each in self.ask("tools/list", {})["tools"] if each["name"] == name]
        return one["inputSchema"]["properties"]

    def close(self) -> None:
        self.process.stdin.close()
        self.process.wait(30)


def places(client: Client, mode: str, session: str, file: Path, targets: list[str]) -> None:
    """Set a breakpoint at each target, in the way of the mode."""
    guarded = "expectedContent" in client.tool("set_breakpoint")
    lines = [line.strip() for line in file.read_text(encoding="utf-8").split("\n")]
    for number, text in enumerate(targets):
        at = {"sessionId": session, "file": str(file)}
        if mode == "statement":
            client.call("set_breakpoint", **at, statement=text)
            continue
        line, guard = lines.index(text) + 1, {"expectedContent": text} if guarded else {}
        off = int(mode == "miscount" and number % 3 == 2)
        told = client.call("set_breakpoint", **at, line=line + off, **guard)
        if told["success"] is False:
            client.call("set_breakpoint", **at, line=line, **guard)


def main() -> int:
    """Set, run, edit and restart where the task wants it, close, and say the cause (`miscount` does not find it)."""
    mode, prompt, config = sys.argv[1:4]
    (task,) = [one for one in TASKS if one["module"] in prompt]
    file, client = Path(task["module"]).resolve(), Client(config)
    session = client.call("create_debug_session", language="python")["sessionId"]
    places(client, mode, session, file, task["targets"])
    if "edit" in task:
        client.call("start_debugging", sessionId=session, scriptPath=str(file), wait=30)
        edit = task["edit"]
        file.write_text(file.read_text(encoding="utf-8").replace(edit["old"], edit["new"]), encoding="utf-8")
        client.call("restart_debugging", sessionId=session, wait=30)
    client.close()
    result = "It is hard to say." if mode == "miscount" else task["cause"]
    print(json.dumps({"result": result, "usage": {"input_tokens": 1000, "output_tokens": 50}, "total_cost_usd": 0.01}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
