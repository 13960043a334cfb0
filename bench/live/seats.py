"""Seats the readers: teams of ten, each with a person, an agent, a login and conversations to follow."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore

from bench.live.plan import Plan
from bench.live.sockets import Seat
from sessions_app.models import Agent, Conversation, Membership, Role, User, Workspace
from sessions_app.services.conversations import start_conversation
from sessions_app.services.transactions import write_transaction

# As many as work together; what one of them does is told to all of them.
TEAM = 10
NO_COMPACTION = 10_000_000
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


def seats_for(plan: Plan, *, emitter: str) -> list[Seat]:
    """New conversations, one for each stream of the plan, whose agents answer with it."""
    with write_transaction():
        return [
            seat
            for begin in range(0, plan.streams, TEAM)
            for seat in _team(plan, min(TEAM, plan.streams - begin), emitter)
        ]


def _team(plan: Plan, people: int, emitter: str) -> list[Seat]:
    name = f"team-{secrets.token_hex(6)}"
    team = Workspace.objects.create(name=name, slug=name)
    user = User.objects.create_user(name)
    Membership.objects.create(workspace=team, user=user, role=Role.OWNER)
    agent = Agent.objects.create(
        workspace=team,
        name="Emitter",
        handle="emitter",
        provider="openai_compatible",
        model=plan.model,
        address=f"http://{emitter}/v1",
        context_limit=NO_COMPACTION,
    )
    cookie = _cookie(user)
    titled = (start_conversation(team, by=user, title="Bench", agent=agent) for _ in range(people))
    return [_seat(conversation, cookie) for conversation in titled]


def _cookie(user: User) -> str:
    login = SessionStore()
    login[SESSION_KEY], login[BACKEND_SESSION_KEY] = str(user.pk), BACKEND
    login[HASH_SESSION_KEY] = user.get_session_auth_hash()
    login.create()
    return f"{settings.SESSION_COOKIE_NAME}={login.session_key}"


def _seat(conversation: Conversation, cookie: str) -> Seat:
    return Seat(cookie, str(conversation.public_id), str(conversation.active_session.public_id))
