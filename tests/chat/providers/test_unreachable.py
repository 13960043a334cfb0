"""A vendor that cannot be reached: each way has its own sentence, and none holds a secret."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from chat.events import Failed
from chat.providers.limits import Limits
from tests.chat.providers.hearing import KEY, QUICK, Heard, hear, provider_for
from tests.vendors.running import RunningVendor

pytestmark = pytest.mark.usefixtures("client_closed")

VENDORS = ["openai", "anthropic"]


def sentence(heard: Heard) -> str:
    assert [type(event) for event in heard.events] == [Failed]
    assert isinstance(heard.end, Failed)
    assert KEY not in heard.end.sentence
    return heard.end.sentence


@pytest.fixture
def nobodys_port() -> Iterator[int]:
    """A port that is taken, so that no other takes it, but on which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield taken.getsockname()[1]


@pytest.mark.parametrize("name", VENDORS)
async def test_a_refused_connection_is_named(nobodys_port: int, name: str) -> None:
    heard = await hear(provider_for(f"http://127.0.0.1:{nobodys_port}", name))
    assert sentence(heard) == f"Nothing answers at 127.0.0.1:{nobodys_port}; is the server running?"


@pytest.mark.parametrize("name", VENDORS)
async def test_a_name_that_nobody_has_is_named(name: str) -> None:
    heard = await hear(provider_for("http://no-such-host.invalid/v1", name))
    assert sentence(heard).startswith("There is no server called no-such-host.invalid")


@pytest.mark.parametrize("name", VENDORS)
async def test_a_server_without_encryption_gets_nothing_over_https(vendor: RunningVendor, name: str) -> None:
    heard = await hear(provider_for(f"https://127.0.0.1:{vendor.port}", name))
    assert "could not show a valid certificate" in sentence(heard)
    assert vendor.exchanges == []


async def test_a_certificate_nobody_vouches_for_is_not_accepted(tmp_path: Path) -> None:
    async with talking(b"", tls=self_signed(tmp_path)) as port:
        heard = await hear(provider_for(f"https://127.0.0.1:{port}", "openai"))
    assert "could not show a valid certificate" in sentence(heard)


async def test_a_server_that_speaks_otherwise_is_named() -> None:
    async with talking(b"220 mail.example.org ESMTP\r\n") as port:
        heard = await hear(provider_for(f"http://127.0.0.1:{port}", "openai"))
    assert "did not answer in the language of the web" in sentence(heard)


async def test_a_connection_that_is_not_taken_is_given_up() -> None:
    limits = Limits(connect_seconds=0.2, first_pause_seconds=0.01, most_tries=2)
    with full_backlog() as port:
        heard = await hear(provider_for(f"http://127.0.0.1:{port}", "openai", limits=limits))
    assert "did not take the connection within 0.2 seconds" in sentence(heard)


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize(
    "address",
    [
        "not an address",
        "ftp://example.org",
        "http://",
        "https://user:secret@example.org/v1",
        "http://[::1",
        "file:///",
    ],
)
async def test_an_address_that_is_none_is_refused_and_not_repeated(name: str, address: str) -> None:
    said = sentence(await hear(provider_for(address, name)))
    assert said.startswith("The agent's address is none that can be asked")
    assert "secret" not in said


@pytest.mark.parametrize("name", VENDORS)
@pytest.mark.parametrize("key", ["two words", "line\nbreak", "schlüssel", "nul\x00"])
async def test_a_key_that_can_be_none_is_refused_and_not_repeated(
    vendor: RunningVendor, name: str, key: str
) -> None:
    said = sentence(await hear(provider_for(vendor, name, limits=QUICK, key=key)))
    assert said == "The agent's key holds characters that no key has; enter it again."
    assert vendor.exchanges == []


@asynccontextmanager
async def talking(words: bytes, *, tls: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """A server that says these words to whoever comes, and hangs up."""

    async def talk(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(words)
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield server.sockets[0].getsockname()[1]


@contextmanager
def full_backlog() -> Iterator[int]:
    """A port whose queue of waiting connections is full: the next one is left in the dark."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        waiting = []
        try:
            for _ in range(4):
                client = socket.socket()
                client.setblocking(False)
                client.connect_ex(listener.getsockname())
                waiting.append(client)
            yield listener.getsockname()[1]
        finally:
            for client in waiting:
                client.close()


def self_signed(folder: Path) -> ssl.SSLContext:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    path = folder / "self-signed.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
