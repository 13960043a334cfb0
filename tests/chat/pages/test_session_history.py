from __future__ import annotations

import re

from django.test import Client
from django.urls import reverse

from chat.pages.session_history import WORDS
from sessions_app.models import Action, Conversation, Session, User
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.restore import restore_session
from tests.chat.recovery.cast import alice, conversation, lost, olga
from tests.sessions_app.conftest import PAGE

__all__ = ["alice", "conversation", "lost", "olga"]


def drawer(client: Client, conversation: Conversation, name: str = "alice", **query: str) -> str:
    client.force_login(User.objects.get(username=name))
    address = reverse("session_history", args=[conversation.public_id])
    return client.get(address, query_params=query).content.decode()


def test_it_tells_who_did_what_and_why(client: Client, conversation: Conversation, lost: Session) -> None:
    html = drawer(client, conversation)
    assert "Alice started session 2" in html
    assert "by mistake" in html
    assert "session 1 with 2 messages went to the history" in html
    assert "Alice started the conversation" in html
    assert "2 audit entries verified" in html


def test_every_session_but_the_present_one_is_offered_for_restoring(
    client: Client, conversation: Conversation, lost: Session, alice: User
) -> None:
    html = drawer(client, conversation)
    assert f'data-restores="{reverse("session_restores", args=[lost.public_id])}"' in html
    restore_session(lost, by=alice, origin=PAGE)
    second = conversation.sessions.get(number=2)
    html = drawer(client, conversation)
    assert f'data-restores="{reverse("session_restores", args=[second.public_id])}"' in html
    assert reverse("session_restores", args=[lost.public_id]) not in html
    assert reverse("session", args=[second.public_id]) in html


def test_viewers_may_look_and_are_offered_nothing_else(
    client: Client, conversation: Conversation, lost: Session
) -> None:
    html = drawer(client, conversation, "vera")
    assert reverse("session", args=[lost.public_id]) in html
    assert "data-restores" not in html


def test_it_is_drawn_with_a_lane_for_each_session(
    client: Client, conversation: Conversation, lost: Session
) -> None:
    html = drawer(client, conversation)
    assert re.findall(r'<text class="lane-number"[^>]*>(\d)</text>', html) == ["2", "1"]
    assert html.count("lane-move") == 1


def test_it_comes_in_pages(client: Client, conversation: Conversation, alice: User) -> None:
    for number in range(60):
        take_checkpoint(conversation, by=alice, name=f"mark {number:02}")
    first = drawer(client, conversation)
    older = re.search(r'data-older-history="([^"]+)"', first)
    assert older
    second = drawer(client, conversation, before=older[1])
    marks = re.findall(r"“(mark \d\d)”", first + second)
    assert marks == [f"mark {number:02}" for number in range(59, -1, -1)]
    assert "Alice started the conversation" in second


def test_every_act_on_a_conversation_has_words() -> None:
    of_none = {
        Action.PURGE,
        Action.EXPORT_AUDIT,
        Action.CREATE_AGENT,
        Action.CHANGE_AGENT,
        Action.ROTATE_KEYS,
        Action.CREATE_TOOL_SERVER,
        Action.CHANGE_TOOL_SERVER,
        Action.LIST_TOOLS,
    }
    assert set(Action) - of_none == set(WORDS)
