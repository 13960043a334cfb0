"""Incident a: a row that was loaded in part, or long ago, is saved, and the history came back shortened."""

from __future__ import annotations

import contextlib

import pytest
from django.db import IntegrityError, models, transaction

from sessions_app.models import (
    Conversation,
    Message,
    Session,
    Turn,
    TurnState,
    User,
)
from sessions_app.services.audit import Origin
from sessions_app.services.ending import finish_turn
from sessions_app.services.reset import reset_conversation
from sessions_app.services.turn_lease import claim_turn
from tests.sessions_app.conftest import Exchange, Say
from tests.sessions_app.incidents.history import all_about


@pytest.mark.parametrize("model", [Conversation, Session, Message, Turn])
@pytest.mark.parametrize("how", ["only", "defer"])
def test_a_row_that_was_loaded_in_part_is_saved_and_the_history_is_unchanged(
    model: type[models.Model], how: str, conversation: Conversation, exchange: Exchange
) -> None:
    exchange()
    before = all_about(conversation)
    rows = model._default_manager.order_by("pk")
    row = (rows.only("public_id") if how == "only" else rows.defer(*deferrable(model))).first()
    assert row is not None
    assert row.get_deferred_fields()
    refused = pytest.raises(IntegrityError, match="never changed")
    with refused if model is Message else contextlib.nullcontext(), transaction.atomic():
        row.save()
    assert all_about(conversation) == before


def deferrable(model: type[models.Model]) -> list[str]:
    """What holds history, where a model has it."""
    names = {field.name for field in model._meta.concrete_fields}
    return sorted(
        names & {"content", "digest", "last_seq", "head_digest", "active_session", "reply", "title"}
    )


def test_a_sealed_message_is_refused_by_the_database_however_it_is_saved(
    conversation: Conversation, exchange: Exchange
) -> None:
    reply = exchange()
    before = all_about(conversation)
    reply.content = '{"parts":[]}'
    for arguments in ({}, {"update_fields": ["content"]}, {"force_update": True}):
        with pytest.raises(IntegrityError, match="a sealed message is never changed"), transaction.atomic():
            reply.save(**arguments)
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.bulk_update([reply], ["content"])
    with pytest.raises(IntegrityError), transaction.atomic():
        Message.objects.update_or_create(pk=reply.pk, defaults={"content": "{}"})
    assert all_about(conversation) == before


def test_a_stale_session_cannot_shorten_its_log(conversation: Conversation, exchange: Exchange) -> None:
    stale = Session.objects.get(pk=conversation.active_session_id)
    exchange()
    before = all_about(conversation)
    stale.archived_reason = "saved by an old tab"
    with (
        pytest.raises(IntegrityError, match="last_seq follows the log and never goes back"),
        transaction.atomic(),
    ):
        stale.save()
    assert all_about(conversation) == before


def test_a_stale_conversation_cannot_move_its_pointer_back(
    conversation: Conversation, exchange: Exchange, alice: User, origin: Origin
) -> None:
    exchange()
    stale = Conversation.objects.get(pk=conversation.pk)
    reset_conversation(conversation, by=alice, expected_session=stale.active_session, origin=origin)
    before = all_about(conversation)
    stale.title = "Saved by an old tab"
    with pytest.raises(IntegrityError, match="only with a new, matching audit entry"), transaction.atomic():
        stale.save()
    assert all_about(conversation) == before


def test_a_stale_turn_cannot_come_back_to_life(conversation: Conversation, say: Say) -> None:
    turn = say("hello").turn
    assert turn is not None
    lease = claim_turn(turn, owner="x")
    stale = Turn.objects.get(pk=turn.pk)
    finish_turn(turn, TurnState.COMPLETED, epoch=lease.epoch)
    before = all_about(conversation)
    with pytest.raises(IntegrityError, match="an ended turn stays ended"), transaction.atomic():
        stale.save()
    assert all_about(conversation) == before


def test_saving_what_is_said_about_a_conversation_touches_no_history(
    conversation: Conversation, exchange: Exchange
) -> None:
    exchange()
    before = all_about(conversation)
    row = Conversation.objects.only("title").get(pk=conversation.pk)
    row.title = "Renamed"
    row.save()
    assert all_about(conversation) == before
    assert Conversation.objects.get(pk=conversation.pk).title == "Renamed"
