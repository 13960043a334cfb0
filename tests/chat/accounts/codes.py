"""The codes of an authenticator, as RFC 6238 makes them."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import struct
import time

from django.test import Client

STEP_SECONDS = 30


def code_of(secret: str, *, steps_ahead: int = 0) -> str:
    counter = int(time.time()) // STEP_SECONDS + steps_ahead
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", counter), hashlib.sha1).digest()
    start = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[start : start + 4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


def add_authenticator(client: Client) -> str:
    """The secret that the page shows, after a code of it was typed."""
    page = client.get("/account/second-factor/authenticator/").content.decode()
    found = re.search(r'<code class="key">([A-Z2-7]+)</code>', page)
    assert found, page
    answer = client.post("/account/second-factor/authenticator/", {"code": code_of(found[1])})
    assert answer.status_code == 302, answer.content.decode()
    return found[1]


def recovery_codes(client: Client) -> list[str]:
    page = client.get("/account/second-factor/recovery-codes/").content.decode()
    return re.findall(r"<li><code>(\d{8})</code></li>", page)
