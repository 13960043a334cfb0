"""The list of conversations as one person sees it."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from sessions_app.models import Agent, Conversation, User, Workspace
from sessions_app.services.conversation_list import listed_conversations
from sessions_app.services.conversations import archive_conversation, pin_conversation, start_conversation
from sessions_app.services.personal import keep_draft, mark_read
from tests.sessions_app.conftest import PAGE, Exchange, Say


@pytest.fixture
def other(team: Workspace, alice: User, echo: Agent) -> Conversation:
    return start_conversation(team, by=alice, title="Other", agent=echo, origin=PAGE)


def titles(team: Workspace, user: User, **how: bool) -> list[str]:
    return [row.title for row in listed_conversations(team, user=user, **how)]


def test_pinned_ones_come_first_then_the_last_touched(
    team: Workspace, alice: User, mia: User, conversation: Conversation, other: Conversation
) -> None:
    assert titles(team, alice) == ["Other", "General"]
    pin_conversation(conversation, by=alice, pinned=True)
    assert titles(team, alice) == ["General", "Other"]
    assert titles(team, mia) == ["Other", "General"]


def test_archived_ones_are_in_a_list_of_their_own(
    team: Workspace, alice: User, conversation: Conversation, other: Conversation
) -> None:
    archive_conversation(other, by=alice, origin=PAGE)
    assert titles(team, alice) == ["General"]
    assert titles(team, alice, archived=True) == ["Other"]


def test_it_is_unread_until_read_and_ones_own_words_are_not_news(
    team: Workspace, alice: User, mia: User, conversation: Conversation, say: Say
) -> None:
    say("hello", by=mia)
    [row] = listed_conversations(team, user=alice)
    assert row.is_unread  # type: ignore[attr-defined]
    [row] = listed_conversations(team, user=mia)
    assert not row.is_unread  # type: ignore[attr-defined]
    session = conversation.active_session
    session.refresh_from_db()
    mark_read(session, by=alice, seq=session.last_seq)
    [row] = listed_conversations(team, user=alice)
    assert not row.is_unread  # type: ignore[attr-defined]


def test_an_agents_reply_is_news_to_everybody(
    team: Workspace, alice: User, conversation: Conversation, exchange: Exchange
) -> None:
    exchange()
    [row] = listed_conversations(team, user=alice)
    assert row.is_unread  # type: ignore[attr-defined]


def test_a_stranger_has_an_empty_list(team: Workspace, bob: User, conversation: Conversation) -> None:
    assert titles(team, bob) == []


def test_it_costs_one_query_however_many_there_are(
    team: Workspace, alice: User, conversation: Conversation, other: Conversation
) -> None:
    keep_draft(other, by=alice, text="later")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        rows = listed_conversations(team, user=alice)
        assert [row.draft for row in rows] == ["later", None]  # type: ignore[attr-defined]
        assert [row.agent and row.agent.name for row in rows] == ["Echo", "Echo"]
    assert len(queries) == 1
