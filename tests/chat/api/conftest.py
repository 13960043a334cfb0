"""Callers of the API: each with a token of their own, on a server's loop, with the cast of the live tests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from django.test import AsyncClient

from chat.database_threads import write
from chat.models import Scope
from chat.tokens import create_token
from sessions_app.models import User
from tests.chat.live import Live


@dataclass
class Answered:
    status: int
    json: Any
    headers: Any
    response: Any


class Caller:
    """Somebody who asks with a token; None asks without one."""

    def __init__(self, token: str | None) -> None:
        self._token = token
        self._client = AsyncClient()

    async def get(self, path: str, **headers: str) -> Answered:
        return await self.call("GET", path, **headers)

    async def post(self, path: str, body: Any = None, **headers: str) -> Answered:
        return await self.call("POST", path, body, **headers)

    async def call(self, method: str, path: str, body: Any = None, **headers: str) -> Answered:
        address = path if path.startswith("/") else f"/api/v1/{path}"
        return answered(await self.fetch(address, method, body, **headers))

    async def fetch(self, address: str, method: str = "GET", body: Any = None, **headers: str) -> Any:
        """The answer as it is, whatever it is of."""
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        return await self._client.generic(
            method,
            address,
            body if isinstance(body, (str, bytes)) else "" if body is None else json.dumps(body),
            content_type="application/json",
            headers={name.replace("_", "-"): value for name, value in headers.items()},
        )


def answered(response: Any) -> Answered:
    if response.streaming:
        return Answered(response.status_code, None, response.headers, response)
    found = json.loads(response.content) if response.content else None
    return Answered(response.status_code, found, response.headers, response)


async def caller_of(user: User, scope: Scope = Scope.ADMIN, **limits: Any) -> Caller:
    _, token = await write(create_token, user, name="test", scope=scope, **limits)
    return Caller(token)


@pytest.fixture
async def alice(live: Live) -> Caller:
    """alice's script, with a token for everything."""
    return await caller_of(live.cast.alice)
