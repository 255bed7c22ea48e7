"""HTTP beyond this machine, with real servers: TLS with a certificate made here, and behind a proxy."""

import asyncio
import contextlib
import datetime
import http.client
import ipaddress
import json
import os
import socket
import ssl
import subprocess
import sys
import threading

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from waits import until_blocking
from web_site import Site, free_port, program, stop_at

x509 = pytest.importorskip("cryptography.x509")
pytestmark = pytest.mark.timeout(120)
NAME = "debug.example"


def made(folder):
    """A self-made certificate for this machine and a public name; the paths of its chain and its key."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName(NAME), x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "chain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    none = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, none)
    (folder / "key.pem").write_bytes(private)
    return str(folder / "chain.pem"), str(folder / "key.pem")


def hello(site, connection, **headers):
    """An `initialize` over a connection; its status and its text."""
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    sent |= {"Authorization": f"Bearer {site.token()}", **headers}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params})
    connection.request("POST", "/mcp", body, {name: value for name, value in sent.items() if value})
    reply = connection.getresponse()
    return reply.status, reply.read().decode()


@pytest.fixture
def secure(tmp_path):
    chain, key = made(tmp_path)
    script = program(tmp_path / "work", "red")
    remote = ("--host", "0.0.0.0", "--allow-remote", "--public-name", NAME)
    flags = ("--tls-certificate", chain, "--tls-key", key)
    site = Site(tmp_path / "work", tmp_path / "run", free_port(), *remote, *flags)
    yield site, chain, script
    site.stop()


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
async def test_the_official_client_debugs_over_tls(secure, mode):
    site, chain, script = secure
    trust = ssl.create_default_context(cafile=chain)
    headers = {"Authorization": f"Bearer {site.token()}"}
    async with httpx2.AsyncClient(headers=headers, timeout=60, verify=trust) as web:
        transport = streamable_http_client(f"https://127.0.0.1:{site.port}/mcp", http_client=web)
        async with asyncio.timeout(60), Client(transport, mode=mode) as client:
            told = await client.call_tool("start_debugging", stop_at(script))
            session = told.structured_content["sessionId"]
            assert told.structured_content["state"] == "paused"
            named = {"sessionId": session, "expression": "colour"}
            assert (await client.call_tool("evaluate_expression", named)).structured_content["result"] == "'red'"
            await client.call_tool("close_debug_session", {"sessionId": session})


def test_tls_is_no_way_around_the_door(secure):
    site, chain, _ = secure

    def over_tls(**headers):
        trust = ssl.create_default_context(cafile=chain)
        connection = http.client.HTTPSConnection("127.0.0.1", site.port, timeout=20, context=trust)
        with contextlib.closing(connection):
            return hello(site, connection, **headers)[0]

    assert over_tls() == 200
    assert over_tls(Host=f"{NAME}:{site.port}", Origin=f"https://{NAME}:{site.port}") == 200
    assert over_tls(Host=NAME, Origin=f"https://{NAME}") == 200
    assert over_tls(Authorization=None) == 401
    assert over_tls(Host="evil.example") == 421
    assert over_tls(Origin=f"http://127.0.0.1:{site.port}") == 403, "a page without TLS is another origin"
    plain = http.client.HTTPConnection("127.0.0.1", site.port, timeout=20)
    with contextlib.closing(plain), pytest.raises((OSError, http.client.HTTPException)):
        hello(site, plain)
    stranger = http.client.HTTPSConnection("127.0.0.1", site.port, timeout=20, context=ssl.create_default_context())
    with contextlib.closing(stranger), pytest.raises(ssl.SSLCertVerificationError):
        hello(site, stranger)


def test_a_certificate_that_is_none_is_told_before_anything_is_served(tmp_path):
    chain, key = made(tmp_path)
    (tmp_path / "torn.pem").write_text("nonsense")
    for flags, said in (
        (("--tls-certificate", chain), "go together"),
        (("--tls-certificate", chain, "--tls-key", str(tmp_path / "none.pem")), "no certificate with its key"),
        (("--tls-certificate", str(tmp_path / "torn.pem"), "--tls-key", key), "no certificate with its key"),
        (("--host", "0.0.0.0", "--tls-certificate", chain, "--tls-key", key), "--allow-remote"),
        (("--host", "0.0.0.0", "--allow-remote"), "--behind-proxy"),
        (("--port", "0"), "no port"),
        (("--workspace", str(tmp_path / "nowhere")), "no folder"),
    ):
        command = [sys.executable, "-m", "dapwright", "serve", "--http", "--port", str(free_port()), *flags]
        env = {**os.environ, "DAPWRIGHT_RUNTIME": str(tmp_path / "run")}
        ran = subprocess.run(command, capture_output=True, text=True, timeout=30, env=env, check=False)
        assert ran.returncode == 2 and said in ran.stderr and "Traceback" not in ran.stderr, (flags, ran.stderr)


def forward(source, target):
    """Hand bytes on until one side ends."""
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for one in (source, target):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


def proxy(listener, context, port):
    """A proxy that does the TLS, one connection after the other, until its listener is closed."""
    while True:
        try:
            plain, _ = listener.accept()
        except OSError:
            return
        with (
            contextlib.suppress(OSError),
            context.wrap_socket(plain, server_side=True) as outer,
            socket.create_connection(("127.0.0.1", port)) as inner,
        ):
            back = threading.Thread(target=forward, args=(inner, outer))
            back.start()
            forward(outer, inner)
            back.join()


def test_behind_a_proxy_requests_use_the_public_name(tmp_path):
    chain, key = made(tmp_path)
    program(tmp_path / "work", "red")
    flags = ("--host", "0.0.0.0", "--allow-remote", "--behind-proxy", "--public-name", NAME)
    site = Site(tmp_path / "work", tmp_path / "run", free_port(), *flags)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        public = listener.getsockname()[1]
        proxying = threading.Thread(target=proxy, args=(listener, context, site.port))
        proxying.start()
        try:
            trust = ssl.create_default_context(cafile=chain)

            def through(**headers):
                connection = http.client.HTTPSConnection("127.0.0.1", public, timeout=20, context=trust)
                with contextlib.closing(connection):
                    return hello(site, connection, **headers)

            assert through(Host=NAME, Origin=f"https://{NAME}")[0] == 200
            assert through(Host=NAME, Authorization=None)[0] == 401
            assert through(Host="evil.example", X_Forwarded_Host=NAME)[0] == 421, "a header that anybody can send"
            assert through(Host=NAME, Origin="https://evil.example")[0] == 403
        finally:
            listener.shutdown(socket.SHUT_RDWR)
            proxying.join(20)
            site.stop()
    until_blocking(lambda: not site.listening(), 10)
