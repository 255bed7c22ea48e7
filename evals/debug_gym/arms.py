"""The arms of the comparison, and the configuration of debug-gym for each: a mapping that is written as JSON, which is YAML."""

import secrets
from pathlib import Path
from typing import Any

PREFIX = "dbg_"
PRIMITIVES = (
    *("start_debugging", "set_breakpoint", "remove_breakpoint", "continue_execution"),
    *("step_over", "step_into", "step_out", "get_stack_trace", "get_local_variables", "evaluate_expression"),
    *("get_output", "close_debug_session"),
)
EVIDENCE = ("debug_test", "investigate", "trace_calls", "compare_runs", "explain_value", "close_debug_session")
ARMS: dict[str, tuple[tuple[str, ...], str]] = {
    "none": ((), ""),
    "primitives": (PRIMITIVES, "always"),
    "evidence": (EVIDENCE, "off"),
    "gate": ((*EVIDENCE, *PRIMITIVES[:-1]), "after-failures:2"),
}
"""The tools of each arm, and the setting of `--gate` under which its server runs; `none` has no server."""

PROMPT = (
    "You mend one bug in a Python program. A problem statement tells what is wrong; hidden tests judge the repair."
    " Look before you change: find the cause with the tools that you have, then edit as little as that takes."
    " Call one tool at a time, do not repeat a call that told you nothing new, and call submit once, at the end."
)
SERVE = "dapwright serve --http --port {port} --token-file {file} --workspace /testbed --gate {gate}"


def token() -> str:
    """A bearer token that debug-gym's `-p name=value` can carry too."""
    return secrets.token_hex(24)


def setup(arm: str, port: int, key: str) -> list[str]:
    """What a container runs before the agent begins: the server lives where the program does."""
    if arm == "none":
        return []
    file = "/root/.dapwright-token"
    serve = SERVE.format(port=port, file=file, gate=ARMS[arm][1])
    return [
        "pip install -q uv && uv tool install -q --python 3.11 'dapwright[full]'",
        f"install -m 600 /dev/null {file} && printf %s {key} > {file}",
        f"(PATH=$HOME/.local/bin:$PATH nohup {serve} > /tmp/dapwright.log 2>&1 &)",
        f"for i in $(seq 100); do (exec 3<>/dev/tcp/127.0.0.1/{port}) 2>/dev/null && break; sleep 0.2; done",
    ]


def configuration(
    arm: str, *, model: str, problems: list[str] | str, terminal: str, port: int, key: str, out: Path
) -> dict[str, Any]:
    """debug-gym's configuration of one arm over SWE-bench Verified."""
    tools, _ = ARMS[arm]
    made: dict[str, Any] = {
        "task_name": f"swebench-{arm}",
        "output_path": str(out / arm),
        "llm": {"name": model},
        "tools": ["bash", "view", "edit", "submit"],
        "env": {"run_timeout": 300},
        "dataset": {"type": "swebench", "problems": problems, "dataset_id": "SWE-bench/SWE-bench_Verified"},
        "terminal": {"type": terminal},
        "agent": {"type": "froggy", "max_steps": 50, "system_prompt": PROMPT},
    }
    if terminal == "docker" and arm != "none":
        made["terminal"]["setup_commands"] = setup(arm, port, key)
    if tools:
        server = {"url": f"http://127.0.0.1:{port}/mcp", "transport": "streamable_http", "tool_prefix": PREFIX}
        server |= {"headers": {"Authorization": f"Bearer {key}"}, "tools": list(tools), "timeout": 60}
        made["mcp_servers"] = {"dapwright": server}
    return made
