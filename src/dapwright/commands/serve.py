"""Serve the debugger to an agent, over standard input and output, or over HTTP."""

import argparse
import gc
import os
import sys
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from dapwright.core.errors import UsageError
from dapwright.core.secrets import marks
from dapwright.policy.settings import READERS, TOOLSETS, Settings, read_settings, variable

HELP = {
    "addressing": "how breakpoints are placed: content (default), assert or line",
    "redact": "hide what looks like a secret: 1 (default) or 0",
    "variables": "open (default), or explicit: values only by name",
    "gate": "always (default), after-failures[:N] or off",
    "roots": "the folders that may be debugged, separated as in PATH",
    "approve": "rules for command lines: `allow|ask|deny: pattern`, one a line",
    "trust": "workspace: take adapter commands from its own .dapwright.toml",
    "toolset": "the tool list: " + ", ".join(TOOLSETS),
    "languages": "only these languages",
    "timeout": "the limit of a debugger's answer, in milliseconds",
    "lease": "over HTTP: the seconds that sessions wait for a client that has gone (600)",
    "mirror_evaluate": "whether a mirrored IDE may evaluate: 1 (default) or 0",
    "clean_env": "hand only a few variables of ours on to what is started: 1 or 0 (default)",
}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add a flag for each setting; it wins over the environment variable."""
    for name in READERS:
        flag = "--" + name.replace("_", "-")
        switch: dict[str, Any] = {"nargs": "?", "const": "1"} if name == "clean_env" else {}
        parser.add_argument(flag, dest=name, metavar="VALUE", help=f"{HELP[name]} [{variable(name)}]", **switch)
    parser.add_argument("--workspace", metavar="FOLDER", help="the folder that is debugged; this one by default")
    web = parser.add_argument_group("HTTP")
    web.add_argument("--http", action="store_true", help="serve Streamable HTTP instead of standard input and output")
    web.add_argument("--port", type=int, default=3001, help="the public port, shared by all workspaces (3001)")
    web.add_argument("--token-file", metavar="FILE", default="", help="keep a copy of the bearer token here")
    web.add_argument("--stateless", action="store_true", help="keep no MCP sessions: for gateways")
    web.add_argument("--host", default="127.0.0.1", help="the interface; another one takes --allow-remote")
    web.add_argument("--allow-remote", action="store_true", help="serve beyond this machine")
    web.add_argument("--tls-certificate", metavar="FILE", default="", help="certificate chain, PEM")
    web.add_argument("--tls-key", metavar="FILE", default="", help="its private key, PEM")
    web.add_argument("--behind-proxy", action="store_true", help="a proxy in front of us does the TLS")
    web.add_argument("--public-name", action="append", default=[], help="a host name that requests may use")


def run(arguments: argparse.Namespace) -> int:
    """Serve until the input ends."""
    flags = {name: getattr(arguments, name) for name in READERS}
    try:
        settings = read_settings(os.environ, flags, separator=os.pathsep)
    except UsageError as wrong:
        print(f"dapwright: {wrong}\n{wrong.hint}", file=sys.stderr)
        return 2
    marks.configure(salt=os.urandom(32), enabled=settings.redact)
    if arguments.http:
        gc.enable()
        return _serve_http(arguments, settings)
    if sys.stdin.isatty():
        print("dapwright: waiting for an MCP client on standard input; `dapwright --help` tells more", file=sys.stderr)
    _import_asyncio_without_tls()
    from dapwright.server.stdio import serve

    gc.freeze()
    gc.enable()
    return serve(lambda: _sessions(settings, arguments.workspace or ""), settings, prepare=_read_modules)


def _read_modules() -> None:
    """Import what calls need, while the client reads the list of tools."""
    gc.disable()  # see __main__.py
    for name in ("dapwright.sessions", "dapwright.tools.answers", "dapwright.core.redact"):
        import_module(name)
    import_module("dapwright.tools.registry").load()
    gc.freeze()
    gc.enable()


def _sessions(settings: Settings, workspace: str) -> Any:
    from dapwright.sessions import Sessions

    return Sessions(settings, workspace=workspace)


def _import_asyncio_without_tls() -> None:
    """Import asyncio as on an interpreter without `ssl`, which it allows for: a tenth of the start is saved.

    Nothing on stdio speaks TLS; whoever imports `ssl` afterwards gets it.
    """
    if "asyncio" in sys.modules or "ssl" in sys.modules:
        return
    sys.modules["ssl"] = None  # type: ignore[assignment]
    try:
        import asyncio  # noqa: F401
    finally:
        del sys.modules["ssl"]


def _refusal(arguments: argparse.Namespace) -> str:
    """Why HTTP is not served so, "" where it is."""
    certificate, key = arguments.tls_certificate, arguments.tls_key
    remote = arguments.host not in ("127.0.0.1", "::1", "localhost")
    if remote and not arguments.allow_remote:
        return f"`--host {arguments.host}` serves beyond this machine; add `--allow-remote` if you mean it"
    if bool(certificate) != bool(key):
        return "`--tls-certificate` and `--tls-key` go together; one of them is missing"
    if remote and not certificate and not arguments.behind_proxy:
        return "beyond this machine it takes `--tls-certificate` and `--tls-key`, or `--behind-proxy`"
    if not 0 < arguments.port < 65536:
        return f"`--port {arguments.port}` is no port; pass one from 1 to 65535"
    if arguments.workspace and not os.path.isdir(arguments.workspace):
        return f"the workspace `{arguments.workspace}` is no folder"
    if find_spec("mcp") is None or find_spec("uvicorn") is None:
        return "HTTP needs more packages: pip install 'dapwright[full]'"
    return _unreadable(certificate, key) if certificate else ""


def _unreadable(certificate: str, key: str) -> str:
    """Why a certificate and its key cannot be served with, "" where they can."""
    import ssl  # late: only TLS pays for it

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(certificate, key)
    except (OSError, ValueError) as wrong:  # ssl.SSLError is an OSError
        said = wrong.strerror or wrong if isinstance(wrong, OSError) else wrong
        return f"`{certificate}` and `{key}` are no certificate with its key: {said}"
    return ""


def _serve_http(arguments: argparse.Namespace, settings: Settings) -> int:
    if refusal := _refusal(arguments):
        print(f"dapwright: {refusal}", file=sys.stderr)
        return 2
    from dapwright.server.port import Where, serve

    where = Where(
        port=arguments.port,
        host=arguments.host,
        folder=arguments.workspace or os.getcwd(),
        named=bool(arguments.workspace),
        token_file=arguments.token_file,
        stateless=arguments.stateless,
        certificate=arguments.tls_certificate,
        key=arguments.tls_key,
        public_names=tuple(arguments.public_name),
    )
    return serve(where, settings)
