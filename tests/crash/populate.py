"""Fills a new site with people who are logged in and conversations with the demo agent; prints what it made."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import django


def main(people: int, conversations: int) -> None:
    django.setup()

    from sessions_app.models import Agent, Membership, Role, User, Workspace
    from sessions_app.services.conversations import start_conversation

    team = Workspace.objects.create(name="Crew", slug="crew")
    agent = Agent.objects.create(workspace=team, name="Demo", handle="demo", provider="demo")
    crew = [User.objects.create_user(f"person{number}") for number in range(people)]
    for person in crew:
        Membership.objects.create(workspace=team, user=person, role=Role.OWNER)
    started = [
        start_conversation(team, by=crew[0], key=f"crew:{number}", title=f"Number {number}", agent=agent)
        for number in range(conversations)
    ]
    made = {
        "cookies": [login_of(person) for person in crew],
        "conversations": [
            {"conversation": str(one.public_id), "session": str(one.active_session.public_id)}
            for one in started
        ],
    }
    os.write(1, json.dumps(made).encode())


def login_of(person: Any) -> str:
    """A login session as the login page makes it, without the second that checking a password takes."""
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    login = SessionStore()
    login[SESSION_KEY] = str(person.pk)
    login[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    login[HASH_SESSION_KEY] = person.get_session_auth_hash()
    login.create()
    return str(login.session_key)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
