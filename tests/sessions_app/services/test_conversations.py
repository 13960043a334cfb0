from __future__ import annotations

import pytest

from sessions_app.errors import Invalid, KeyTaken, NotAllowed
from sessions_app.models import Agent, AuditEntry, Conversation, Session, SessionEvent, User, Workspace
from sessions_app.services.conversations import (
    archive_conversation,
    change_settings,
    pin_conversation,
    rename_conversation,
    start_conversation,
    title_automatically,
    unarchive_conversation,
)


def test_it_starts_with_an_active_session_by_an_audited_move(conversation: Conversation) -> None:
    session = conversation.active_session
    assert (session.number, session.archived_at) == (1, None)
    assert (conversation.active_entry.action, conversation.active_entry.number) == ("start", 1)


@pytest.mark.parametrize("key", ["Team", "a b", ":a", "a:", "a::b", "ä", "x" * 121, "a\n"])
def test_a_key_that_scripts_could_not_type_is_refused(team: Workspace, alice: User, key: str) -> None:
    with pytest.raises(Invalid):
        start_conversation(team, by=alice, key=key)


def test_a_taken_key_is_refused(team: Workspace, alice: User, conversation: Conversation) -> None:
    with pytest.raises(KeyTaken):
        start_conversation(team, by=alice, key=conversation.key)
    assert Conversation.objects.count() == 1


def test_strangers_and_viewers_start_nothing(team: Workspace, bob: User, vera: User) -> None:
    for person in (bob, vera):
        with pytest.raises(NotAllowed):
            start_conversation(team, by=person)
    assert not Session.objects.exists()


def test_an_agent_of_another_team_is_refused(team: Workspace, alice: User, bob: User) -> None:
    other = Workspace.objects.create(name="Other", slug="other")
    foreign = Agent.objects.create(workspace=other, name="X", handle="x", provider="demo")
    with pytest.raises(Invalid):
        start_conversation(team, by=alice, agent=foreign)


def test_a_manual_title_is_never_replaced_by_an_automatic_one(team: Workspace, alice: User) -> None:
    conversation = start_conversation(team, by=alice)
    assert title_automatically(conversation, title="Kelp prices").title == "Kelp prices"
    rename_conversation(conversation, by=alice, title="  Ours \n now ")
    assert title_automatically(conversation, title="Other").title == "Ours now"


@pytest.mark.parametrize("title", ["", "  ", "x" * 201])
def test_a_title_nobody_could_read_is_refused(conversation: Conversation, alice: User, title: str) -> None:
    with pytest.raises(Invalid):
        rename_conversation(conversation, by=alice, title=title)


def test_a_changed_setting_is_an_event_people_see(conversation: Conversation, alice: User) -> None:
    change_settings(conversation, by=alice, system_prompt="Be brief.")
    event = SessionEvent.objects.filter(kind="settings_changed").get()
    assert event.content["changed"] == {"system_prompt": "Be brief."}
    assert event.content["by_name"] == "alice"


def test_a_pin_is_one_persons_own(conversation: Conversation, alice: User, vera: User, bob: User) -> None:
    assert pin_conversation(conversation, by=vera, pinned=True).pinned_at
    assert pin_conversation(conversation, by=alice, pinned=False).pinned_at is None
    assert pin_conversation(conversation, by=vera, pinned=False).pinned_at is None
    with pytest.raises(NotAllowed):
        pin_conversation(conversation, by=bob, pinned=True)


def test_archiving_is_audited_reversible_and_twice_is_once(conversation: Conversation, alice: User) -> None:
    archive_conversation(conversation, by=alice)
    assert archive_conversation(conversation, by=alice).is_archived
    assert not unarchive_conversation(conversation, by=alice).is_archived
    actions = list(AuditEntry.objects.order_by("number").values_list("action", flat=True))
    assert actions == ["start", "archive", "unarchive"]
