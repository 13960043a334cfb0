"""Bodies of every length and kind at the server itself: small ones are read, large ones kept nowhere."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from chat import bodies
from chat.api.base import LARGEST_BODY
from tests.browser.site import Site
from tests.served.conftest import token_of

POSTS = "/api/v1/conversations/team:general/messages"
PIECE = b"x" * 65536


@pytest.fixture(scope="session")
def alices(served: Site) -> str:
    return token_of(served, "alice", "write")


@dataclass
class Answer:
    status: int
    content_type: str | None
    json: Any


def post(site: Site, token: str, body: bytes | Iterable[bytes]) -> Answer:
    """A body without a known length is sent in chunks."""
    head = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with contextlib.closing(HTTPConnection("localhost", site.port, timeout=60)) as connection:
        connection.request("POST", POSTS, body, head)
        with connection.getresponse() as response:
            return Answer(response.status, response.headers["Content-Type"], json.load(response))


def pieces(length: int) -> Iterable[bytes]:
    return (PIECE for _ in range(length // len(PIECE)))


def send_without_end(raw: socket.socket) -> None:
    while True:
        raw.sendall(b"%x\r\n%b\r\n" % (len(PIECE), PIECE))


def peak_memory(site: Site) -> int:
    """The most that the server's process ever held, in bytes."""
    status = Path(f"/proc/{site.process_id}/status").read_text(encoding="ascii")
    [line] = [line for line in status.splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


def test_a_body_in_chunks_is_read_like_any_other(served: Site, alices: str) -> None:
    body = json.dumps({"text": "echo in pieces"}).encode()
    answer = post(served, alices, iter([body[:7], body[7:]]))
    assert answer.status == 201
    assert answer.json["message"]["text"] == "echo in pieces"


@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_doors_own_limit_holds_however_a_body_comes(served: Site, alices: str, is_chunked: bool) -> None:
    length = LARGEST_BODY + len(PIECE)
    body = pieces(length) if is_chunked else b"".join(pieces(length))
    answer = post(served, alices, body)
    assert (answer.status, answer.json["code"]) == (413, "too_large")


@pytest.mark.parametrize("is_chunked", [False, True])
def test_more_than_any_door_takes_is_refused_and_kept_nowhere(
    served: Site, alices: str, is_chunked: bool
) -> None:
    before, length = peak_memory(served), 6 * bodies.LARGEST
    body = pieces(length) if is_chunked else b"".join(pieces(length))
    answer = post(served, alices, body)
    assert (answer.status, answer.json["code"]) == (413, "too_large")
    assert answer.content_type == "application/problem+json"
    assert peak_memory(served) - before < 2 * bodies.LARGEST


def test_who_sends_without_end_is_cut_off(served: Site, alices: str) -> None:
    with socket.create_connection(("localhost", served.port), timeout=60) as raw:
        raw.sendall(
            f"POST {POSTS} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        with pytest.raises(ConnectionError):
            send_without_end(raw)
    assert post(served, alices, b'{"text": "echo still here"}').status == 201
