"""An OpenID provider of our own: discovery, keys, codes that count once, PKCE. It can be told to misbehave."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT_ID, CLIENT_SECRET = "holdfast", "between us"
PERSON = {
    "sub": "248289761001",
    "email": "mia@example.org",
    "email_verified": True,
    "preferred_username": "mia",
    "name": "Mia Kelp",
}


class Provider:
    """`person` is who is signed in there; what it does wrong is named in `wrong`."""

    def __init__(self) -> None:
        self.address = ""
        self.person: dict[str, Any] = dict(PERSON)
        self.wrong: set[str] = set()
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.other_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self._codes: dict[str, dict[str, str]] = {}
        self._tokens: set[str] = set()

    def answer(self, path: str, query: dict[str, str]) -> tuple[int, dict[str, Any] | str]:
        """For GET: a document, or the address somebody is sent to."""
        match path:
            case "/.well-known/openid-configuration":
                return (503, {}) if "down" in self.wrong else (200, self._discovery())
            case "/keys":
                return 200, {"keys": [self._public_key()]}
            case "/authorize":
                return 302, self._authorized(query)
            case "/person":
                person = {
                    **self.person,
                    **({"sub": "somebody else"} if "another person" in self.wrong else {}),
                }
                return 200, person
        return 404, {}

    def token(self, sent: dict[str, str]) -> tuple[int, dict[str, Any]]:
        asked = self._codes.pop(sent.get("code", ""), None)
        proof = base64.urlsafe_b64encode(hashlib.sha256(sent.get("code_verifier", "").encode()).digest())
        if (
            asked is None
            or sent.get("client_id") != CLIENT_ID
            or sent.get("client_secret") != CLIENT_SECRET
            or sent.get("redirect_uri") != asked["redirect_uri"]
            or proof.rstrip(b"=").decode() != asked["code_challenge"]
        ):
            return 400, {"error": "invalid_grant"}
        return 200, {
            "access_token": secrets.token_hex(8),
            "token_type": "Bearer",
            "id_token": self._identity(),
        }

    def _authorized(self, query: dict[str, str]) -> str:
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        assert query["client_id"] == CLIENT_ID
        if "says no" in self.wrong:
            back = {"error": "access_denied", "state": query["state"]}
        else:
            code = secrets.token_hex(8)
            self._codes[code] = query
            back = {"code": code, "state": query["state"]}
        return f"{query['redirect_uri']}?{urlencode(back)}"

    def _discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "userinfo_endpoint": f"{self.address}/person",
            "jwks_uri": f"{self.address}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
        }

    def _public_key(self) -> dict[str, Any]:
        key: dict[str, Any] = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {**key, "kid": "1", "alg": "RS256", "use": "sig"}

    def _identity(self) -> str:
        now = int(time.time())
        claims = {
            **self.person,
            "iss": "https://evil.example" if "another issuer" in self.wrong else self.address,
            "aud": "another site" if "another audience" in self.wrong else CLIENT_ID,
            "iat": now,
            "exp": now - 60 if "too old" in self.wrong else now + 300,
        }
        key = self.other_key if "another key" in self.wrong else self.key
        return jwt.encode(claims, key, algorithm="RS256", headers={"kid": "1"})


def handler_of(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            self._send(*provider.answer(parts.path, _flat(parts.query)))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._send(*provider.token(_flat(body)))

        def _send(self, status: int, told: dict[str, Any] | str) -> None:
            self.send_response(status)
            if isinstance(told, str):
                self.send_header("Location", told)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b"" if isinstance(told, str) else json.dumps(told).encode())

        def log_message(self, *_: Any) -> None:
            """Nothing is printed."""

    return Handler


def _flat(text: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(text).items()}


@contextmanager
def running_provider() -> Iterator[Provider]:
    provider = Provider()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(provider))
    provider.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, name="provider")
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
