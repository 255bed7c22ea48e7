"""Write debug-gym's configuration of an arm, or prove that the arm's server hands out its tools.

python -m evals.debug_gym ARM [--model NAME] [--problem NAME]... [--terminal docker|local] [--port N] [--out FOLDER]
python -m evals.debug_gym ARM --check [--port N]
"""

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from evals.debug_gym.arms import ARMS, configuration, token

SECONDS = 60


@contextlib.contextmanager
def serving(arm: str, port: int, key: str, folder: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The server of an arm on this machine, from its start to its end."""
    file = folder / "token"
    file.touch(mode=0o600)
    file.write_text(key, encoding="utf-8")
    words = ["serve", "--http", "--port", str(port), "--token-file", str(file), "--gate", ARMS[arm][1]]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen([sys.executable, "-m", "dapwright", *words], cwd=folder, stderr=log)
    try:
        yield server
    finally:
        server.terminate()
        server.wait(30)


async def listed(url: str, key: str) -> list[str]:
    """The tools that a client finds over Streamable HTTP, as debug-gym's does."""
    import httpx2
    from mcp import ClientSession
    from mcp.client.streamable_http import streamable_http_client

    async with (
        httpx2.AsyncClient(headers={"Authorization": f"Bearer {key}"}, timeout=SECONDS) as http,
        streamable_http_client(url, http_client=http) as streams,
        ClientSession(streams[0], streams[1]) as session,
    ):
        await session.initialize()
        return [tool.name for tool in (await session.list_tools()).tools]


def check(arm: str, port: int) -> list[str]:
    """The tools of an arm that its server does not hand out; none where all is well."""
    if arm == "none":
        return []
    until, key = time.monotonic() + SECONDS, token()
    with tempfile.TemporaryDirectory() as folder, serving(arm, port, key, Path(folder)) as server:
        while True:
            try:
                found = asyncio.run(listed(f"http://127.0.0.1:{port}/mcp", key))
                return [name for name in ARMS[arm][0] if name not in found]
            except Exception:
                if time.monotonic() > until or server.poll() is not None:
                    raise
                time.sleep(0.2)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write, or check; 1 where a tool is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("arm", choices=ARMS)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--model", default="gpt-4o", help="a name in debug-gym's llm.yaml")
    parser.add_argument("--problem", action="append", help="instead of all")
    parser.add_argument("--terminal", choices=("docker", "local"), default="docker")
    parser.add_argument("--port", type=int, default=3001)
    parser.add_argument("--out", type=Path, default=Path("debug-gym-results"))
    asked = parser.parse_args(arguments)
    if asked.check:
        missing = check(asked.arm, asked.port)
        print(f"{asked.arm}: " + (f"missing {', '.join(missing)}" if missing else "every tool is handed out"))
        return min(len(missing), 1)
    made = configuration(
        asked.arm,
        model=asked.model,
        problems=asked.problem or "all",
        terminal=asked.terminal,
        port=asked.port,
        key=token(),
        out=asked.out,
    )
    asked.out.mkdir(parents=True, exist_ok=True)
    path = asked.out / f"{asked.arm}.yaml"
    path.touch(mode=0o600)  # it holds the token
    path.write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    print(path)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
