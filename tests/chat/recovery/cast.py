"""The operators' cast: olga operates; sam is staff without the permission; alice owns the demo team."""

from __future__ import annotations

import pytest
from django.test import Client

from sessions_app.models import Conversation, Session, Trigger, User
from sessions_app.services.audit import Origin
from sessions_app.services.demo_team import create_demo_team
from sessions_app.services.reset import reset_conversation


@pytest.fixture
def olga(db: None) -> User:
    create_demo_team(password="correct horse")
    return User.objects.get(username="olga")


@pytest.fixture
def sam(olga: User) -> User:
    return User.objects.create_user("sam", is_staff=True)


@pytest.fixture
def alice(olga: User) -> User:
    return User.objects.get(username="alice")


@pytest.fixture
def operator(olga: User) -> Client:
    """olga's browser, checked for forged requests where a test sends none of the page's own forms."""
    client = Client(headers={"User-Agent": "olga's browser"})
    client.force_login(olga)
    return client


@pytest.fixture
def conversation(olga: User) -> Conversation:
    return Conversation.objects.get(key="team:general")


@pytest.fixture
def lost(conversation: Conversation, alice: User) -> Session:
    """The session that alice has reset away: what olga is asked for."""
    session = conversation.active_session
    reset_conversation(
        conversation,
        by=alice,
        expected_session=session,
        origin=Origin(Trigger.PAGE, address="192.0.2.9"),
        reason="by mistake",
    )
    conversation.refresh_from_db()
    session.refresh_from_db()
    return session
