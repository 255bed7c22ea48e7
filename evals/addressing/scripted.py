"""Agents of known behaviour, to prove the measures: `scripted.py MODE PROMPT MCP_CONFIG`.

`exact` names each target by its line; `miscount` is one line too far in every third place (and names it
again, rightly, where that was refused); `statement` names it by its text, and by its line where an arm has
no statements. Lines are guarded where an arm has guards. They know the annotation, which no real agent
is shown. How a task is played is fixed by `WAYS`, so that each way to name places is in every run of all tasks.
"""

import json
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
TASKS = json.loads((HERE / "tasks.json").read_text(encoding="utf-8"))
WAYS = {
    "invoice": "inline", "windows": "inline", "telemetry": "inline", "orders": "inline",
    "ledger": "probes", "routes": "probes", "parser": "test",
}  # fmt: skip
"""The others: one `set_breakpoint` a place."""
TEST = "import {name}\n\n\ndef test_nothing():\n    assert {name}.parse('name = \"a\" # b')[''] == {{'name': 'a'}}\n"


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


class Agent:
    """One mode at work on one task."""

    def __init__(self, client: Client, mode: str, task: dict) -> None:
        self.client, self.mode, self.task = client, mode, task
        self.file = Path(task["module"]).resolve()
        self.lines = [line.strip() for line in self.file.read_text(encoding="utf-8").split("\n")]
        self.known = client.tool("set_breakpoint")

    def place(self, number: int, *, careful: bool, guarded: bool = True) -> dict:
        """How the mode names a target; `careful` counts again."""
        text = self.task["targets"][number]
        if self.mode == "statement" and "statement" in self.known:
            return {"file": str(self.file), "statement": text}
        off = int(self.mode == "miscount" and not careful and number % 3 == 2)
        guard = {"expectedContent": text} if guarded and "expectedContent" in self.known else {}
        return {"file": str(self.file), "line": self.lines.index(text) + 1 + off, **guard}

    def places(self, *, careful: bool, guarded: bool = True) -> list[dict]:
        count = len(self.task["targets"])
        return [self.place(number, careful=careful, guarded=guarded) for number in range(count)]

    def one_by_one(self) -> str:
        """Name each target by a call of its own, and start where there is something to see after an edit."""
        session = self.client.call("create_debug_session", language="python")["sessionId"]
        for number in range(len(self.task["targets"])):
            told = self.client.call("set_breakpoint", sessionId=session, **self.place(number, careful=False))
            if told["success"] is False:
                self.client.call("set_breakpoint", sessionId=session, **self.place(number, careful=True))
        if "edit" in self.task:
            self.client.call("start_debugging", sessionId=session, scriptPath=str(self.file), wait=30)
        return session

    def at_once(self, tool: str, key: str, *, guarded: bool = True, **what: object) -> str:
        """Name all targets in one call; a list that is refused is given again, counted anew as far as it was told."""
        told = self.client.call(tool, **what, **{key: self.places(careful=False, guarded=guarded)})
        if told["success"] is False:
            told = self.client.call(tool, **what, **{key: self.places(careful=True, guarded=guarded)})
        return told["sessionId"]

    def work(self) -> str:
        match WAYS.get(self.task["name"]):
            case "inline":
                return self.at_once("start_debugging", "breakpoints", scriptPath=str(self.file), wait=30)
            case "probes":
                return self.at_once("investigate", "probes", scriptPath=str(self.file), guarded=False)
            case "test":
                test = self.file.with_name(f"test_{self.file.name}")
                test.write_text(TEST.format(name=self.file.stem), encoding="utf-8")
                return self.at_once("debug_test", "breakpoints", test=str(test))
        return self.one_by_one()

    def edit(self, session: str) -> None:
        """What the prompt asks for."""
        after, insert = self.task["edit"]["after"], self.task["edit"]["insert"]
        text = self.file.read_text(encoding="utf-8")
        new = text.replace(after + "\n", "\n".join([after, *insert]) + "\n", 1)
        self.file.write_text(new, encoding="utf-8")
        self.client.call("restart_debugging", sessionId=session, wait=30)


def main() -> int:
    """Name places, edit and restart where the task wants it, say the cause (`miscount` does not find it).

    Half of the tasks close their session, half leave that to the server's end.
    """
    mode, prompt, config = sys.argv[1:4]
    (task,) = [one for one in TASKS if f"`{one['module']}`" in prompt]
    client = Client(config)
    agent = Agent(client, mode, task)
    session = agent.work()
    if "edit" in task:
        agent.edit(session)
    if task["name"] in WAYS:
        client.call("close_debug_session", sessionId=session)
    client.close()
    result = "It is hard to say." if mode == "miscount" else cause(task["name"])
    usage = {"input_tokens": 1000, "output_tokens": 50, "total_tokens": 1050}
    print(json.dumps({"result": f"I looked.\n\nROOT CAUSE: {result}", "usage": usage, "total_cost_usd": 0.01}))
    return 0


def cause(name: str) -> str:
    """What the rubric holds."""
    from judging import rubric

    return str(rubric()[name]["cause"])


if __name__ == "__main__":
    raise SystemExit(main())
