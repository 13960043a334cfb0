"""The cast of the accounts, and what they do in a browser without one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from sessions_app.models import AuditEntry, User
from sessions_app.services.audit import INSTANCE_CHAIN

PASSWORD = "a kelp forest at dusk"

Told = Callable[..., list[tuple[str, ...]]]


@pytest.fixture
def alice(db: None) -> User:
    return User.objects.create_user("alice", "alice@example.org", PASSWORD)


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("bob", "bob@example.com", PASSWORD)


@pytest.fixture
def inside(alice: User) -> Client:
    """Alice's browser, where she has signed in with the form and proved once more who she is."""
    client = Client(REMOTE_ADDR="192.0.2.1", headers={"user-agent": "Mozilla/5.0 (X11; Linux) Firefox/140.0"})
    sign_in(client)
    prove(client)
    return client


@pytest.fixture
def told() -> Told:
    """What the instance's own chain says, of each entry the named facts."""

    def read(*names: str) -> list[tuple[str, ...]]:
        entries = AuditEntry.objects.filter(chain=INSTANCE_CHAIN).order_by("number")
        return [
            tuple(str(entry.told.get(name, getattr(entry, name, ""))) for name in names) for entry in entries
        ]

    return read


def sign_in(client: Client, name: str = "alice", password: str = PASSWORD, **more: str) -> Any:
    return client.post("/login/", {"username": name, "password": password, **more})


def prove(client: Client, password: str = PASSWORD) -> Any:
    return client.post("/account/proof/password/", {"password": password})


def is_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def link_in(body: str, path: str) -> str:
    """The link of a mail, without the site's name."""
    found = re.search(rf"http://testserver({path}\S+)", body)
    assert found, body
    return found[1]
