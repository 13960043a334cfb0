from __future__ import annotations

import pytest

from sessions_app.canonical import canonical_json
from sessions_app.models import SessionEvent, Turn
from sessions_app.services.journal import written_as
from sessions_app.services.recovery import settle_orphan
from sessions_app.services.turn_lease import Lease, claim_turn
from tests.sessions_app.acting import OWNER, append_texts
from tests.sessions_app.conftest import Say

WORDS = [("text", canonical_json({"text": "one"})), ("text", canonical_json({"text": "two"}))]


@pytest.fixture
def lease(say: Say) -> Lease:
    turn = say().turn
    assert turn is not None
    return claim_turn(turn, owner=OWNER)


def last_seq(lease: Lease) -> int:
    return SessionEvent.objects.filter(session_id=lease.session_id).count()


def test_events_whose_commit_was_not_answered_are_found_where_they_stand(lease: Lease) -> None:
    before = last_seq(lease)
    batch = append_texts(lease, "one", "two")
    assert written_as(lease, WORDS, after=before) == (before + 1, batch.at)


def test_events_that_were_not_written_are_not_found(lease: Lease) -> None:
    assert written_as(lease, WORDS, after=last_seq(lease)) is None


def test_what_another_owner_wrote_meanwhile_is_not_mistaken_for_ours(lease: Lease) -> None:
    before = last_seq(lease)
    orphan = Turn.objects.get(pk=lease.turn_id)
    taken = settle_orphan(orphan, new_owner="another", can_continue=True)
    assert taken is not None
    append_texts(taken, "one", "three")
    assert written_as(lease, WORDS, after=before) is None


def test_the_same_words_in_two_batches_are_not_ours(lease: Lease) -> None:
    """An agent that goes on after its exact words says what we would have said, in pieces of its own."""
    before = last_seq(lease)
    append_texts(lease, "one")
    append_texts(lease, "two")
    assert written_as(lease, WORDS, after=before) is None
