"""Prints, for each noun of the API's addresses, the name of something that the demo team has."""

from __future__ import annotations

import json
import os

import django


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()

    from chat.tokens import create_token
    from sessions_app.models import Agent, Conversation, Membership, Role, Turn, User, Workspace
    from sessions_app.services.conversations import start_conversation

    alice, agent = User.objects.get(username="alice"), Agent.objects.get(handle="demo")
    begun = start_conversation(
        agent.workspace, by=alice, key="team:described", title="Described", agent=agent
    )
    silent = start_conversation(agent.workspace, by=alice, key="team:silent", title="Silent", agent=agent)
    left = Workspace.objects.create(name="Left", slug="left")
    for name, role in (("alice", Role.OWNER), ("mia", Role.MEMBER), ("vera", Role.VIEWER)):
        Membership.objects.create(workspace=left, user=User.objects.get(username=name), role=role)
    spoken = Conversation.objects.get(key="team:general")
    known = {
        "workspaces": agent.workspace.slug,
        "agents": agent.public_id,
        "conversations": begun.key,
        "me": left.slug,  # whoever leaves the demo team could try nothing else there
        "compactions": silent.key,  # there is nothing to sum up: an agent that does takes seconds each time
        "sessions": spoken.active_session.public_id,
        "messages": spoken.messages.order_by("pk")[0].public_id,
        "turns": Turn.objects.order_by("pk")[0].public_id,
        "tokens": create_token(alice, name="to be revoked")[0].public_id,
    }
    os.write(1, json.dumps(known, default=str).encode())


if __name__ == "__main__":
    main()
