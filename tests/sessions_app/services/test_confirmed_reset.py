from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from sessions_app.errors import (
    ConfirmationExpired,
    ConfirmationInvalid,
    ConversationArchived,
    NotAllowed,
    SessionChanged,
)
from sessions_app.models import AuditEntry, Conversation, TurnState, User, Workspace
from sessions_app.services.audit import Origin
from sessions_app.services.confirmation import GOOD_FOR_SECONDS, confirmation_for
from sessions_app.services.confirmed_reset import reset_as_confirmed, what_would_be_archived
from sessions_app.services.conversations import archive_conversation, start_conversation
from sessions_app.services.turn_lease import claim_turn
from tests.sessions_app.acting import OWNER, append_texts
from tests.sessions_app.conftest import Exchange, Say


def test_the_preview_says_what_where_and_how_many(
    conversation: Conversation, alice: User, exchange: Exchange
) -> None:
    exchange()
    seen = what_would_be_archived(conversation, by=alice)
    assert (seen.key, seen.session, seen.messages) == ("team:general", conversation.active_session, 2)
    assert seen.found_in == "the history of team:general, as session 1"
    assert (seen.running, seen.waiting) == (0, 0)


def test_it_counts_the_answer_that_is_being_written_and_those_that_wait(
    conversation: Conversation, alice: User, say: Say
) -> None:
    turn = say("one").turn
    say("two")
    assert turn is not None
    claim_turn(turn, owner=OWNER)
    seen = what_would_be_archived(conversation, by=alice)
    assert (seen.messages, seen.running, seen.waiting) == (3, 1, 1)


def test_looking_changes_nothing(conversation: Conversation, alice: User) -> None:
    before = AuditEntry.objects.count()
    what_would_be_archived(conversation, by=alice)
    assert AuditEntry.objects.count() == before


def test_a_confirmed_reset_archives_what_was_looked_at(
    conversation: Conversation, alice: User, exchange: Exchange, origin: Origin
) -> None:
    exchange()
    seen = what_would_be_archived(conversation, by=alice)
    entry = reset_as_confirmed(
        conversation, by=alice, confirmation=seen.confirmation, origin=origin, reason="a fresh start"
    )
    told = entry.told
    assert (entry.action, entry.trigger, told["actor_name"], told["reason"]) == (
        "reset", "page", "alice", "a fresh start",
    )  # fmt: skip
    assert (told["old_session"]["number"], told["old_session"]["messages"]) == (1, 2)
    assert (told["new_session"]["number"], told["first_message"], told["key"]) == (2, False, "team:general")
    assert (told["address"], told["client"]) == (origin.address, origin.client)


def test_the_same_confirmation_again_gives_the_same_entry(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    token = what_would_be_archived(conversation, by=alice).confirmation
    first = reset_as_confirmed(conversation, by=alice, confirmation=token, origin=origin)
    again = reset_as_confirmed(conversation, by=alice, confirmation=token, origin=origin)
    assert first == again
    assert conversation.sessions.count() == 2


def test_of_two_who_confirm_at_once_the_second_is_told(
    conversation: Conversation, alice: User, mia: User, origin: Origin
) -> None:
    tokens = {by: what_would_be_archived(conversation, by=by).confirmation for by in (alice, mia)}
    reset_as_confirmed(conversation, by=alice, confirmation=tokens[alice], origin=origin)
    with pytest.raises(SessionChanged):
        reset_as_confirmed(conversation, by=mia, confirmation=tokens[mia], origin=origin)
    assert conversation.sessions.count() == 2


def test_a_confirmation_is_good_for_one_person(
    conversation: Conversation, alice: User, mia: User, origin: Origin
) -> None:
    token = what_would_be_archived(conversation, by=alice).confirmation
    with pytest.raises(ConfirmationInvalid):
        reset_as_confirmed(conversation, by=mia, confirmation=token, origin=origin)


def test_a_confirmation_is_good_for_one_conversation(
    team: Workspace, conversation: Conversation, alice: User, origin: Origin
) -> None:
    token = what_would_be_archived(conversation, by=alice).confirmation
    other = start_conversation(team, by=alice, key="other")
    with pytest.raises(ConfirmationInvalid):
        reset_as_confirmed(other, by=alice, confirmation=token, origin=origin)


def test_a_confirmation_is_good_for_five_minutes(
    conversation: Conversation, alice: User, origin: Origin, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = what_would_be_archived(conversation, by=alice).confirmation
    later = timezone.now() + timedelta(seconds=GOOD_FOR_SECONDS + 1)
    monkeypatch.setattr(time, "time", later.timestamp)
    with pytest.raises(ConfirmationExpired):
        reset_as_confirmed(conversation, by=alice, confirmation=token, origin=origin)
    assert conversation.sessions.count() == 1


@pytest.mark.parametrize("token", ["", "x", "a:b:c", "\x00", "é" * 3000])
def test_nonsense_is_no_confirmation(
    conversation: Conversation, alice: User, origin: Origin, token: str
) -> None:
    with pytest.raises(ConfirmationInvalid):
        reset_as_confirmed(conversation, by=alice, confirmation=token, origin=origin)


def test_another_expected_session_is_refused(conversation: Conversation, alice: User, origin: Origin) -> None:
    token = confirmation_for(conversation.active_session, by=alice)
    first = conversation.active_session
    reset_as_confirmed(conversation, by=alice, confirmation=token, origin=origin)
    conversation.refresh_from_db()
    newer = confirmation_for(conversation.active_session, by=alice)
    with pytest.raises(SessionChanged):
        reset_as_confirmed(conversation, by=alice, confirmation=newer, origin=origin, expected_session=first)


def test_a_running_answer_is_stopped_and_its_text_is_kept(
    conversation: Conversation, alice: User, say: Say, origin: Origin
) -> None:
    turn = say().turn
    assert turn is not None
    lease = claim_turn(turn, owner=OWNER)
    append_texts(lease, "half of ")
    token = what_would_be_archived(conversation, by=alice).confirmation
    reset_as_confirmed(conversation, by=alice, confirmation=token, origin=origin)
    turn.refresh_from_db()
    assert (turn.state, turn.reply and turn.reply.folded["parts"][0]["text"]) == (
        TurnState.STOPPED, "half of ",
    )  # fmt: skip


def test_viewers_and_strangers_do_not_even_get_a_preview(
    conversation: Conversation, vera: User, bob: User
) -> None:
    for person in (vera, bob):
        with pytest.raises(NotAllowed):
            what_would_be_archived(conversation, by=person)


def test_an_archived_conversation_is_not_reset(conversation: Conversation, alice: User) -> None:
    archive_conversation(conversation, by=alice)
    with pytest.raises(ConversationArchived):
        what_would_be_archived(conversation, by=alice)
