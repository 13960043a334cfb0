from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission

from sessions_app.errors import NotAllowed, StaleEpoch, TurnUnavailable
from sessions_app.models import AuditEntry, Conversation, Trigger, Turn, TurnState, User
from sessions_app.services.audit import Origin
from sessions_app.services.audit_check import verify_chains
from sessions_app.services.ending import finish_turn, stop_turn
from sessions_app.services.oversight import record_export, record_opening, release_turn
from sessions_app.services.recovery import orphaned_turns
from sessions_app.services.turn_lease import claim_turn
from tests.sessions_app.conftest import Say

ADMIN = Origin(Trigger.ADMIN, address="192.0.2.7", client="test")


@pytest.fixture
def olga(db: None) -> User:
    olga = User.objects.create_user("olga", is_staff=True)
    olga.user_permissions.add(Permission.objects.get(codename="operate"))
    return User.objects.get(pk=olga.pk)


@pytest.fixture
def running(say: Say) -> Turn:
    turn = say().turn
    assert turn is not None
    claim_turn(turn, owner="stuck")
    turn.refresh_from_db()
    return turn


def test_reading_a_transcript_is_on_the_record(conversation: Conversation, olga: User) -> None:
    entry = record_opening(conversation.active_session, by=olga, origin=ADMIN)
    assert (entry.action, entry.trigger, entry.actor_id) == ("open_transcript", "admin", olga.pk)
    assert entry.told["session"]["number"] == 1
    assert (entry.old_session_id, entry.new_session_id) == (None, None)


def test_a_released_turn_is_an_orphan_and_its_owner_is_fenced_off(running: Turn, olga: User) -> None:
    epoch = running.epoch
    entry = release_turn(running, by=olga, epoch=epoch, origin=ADMIN, reason="it hangs")
    assert entry.told["turn"] == {"id": str(running.public_id), "owner": "stuck"}
    assert orphaned_turns() == [running]
    with pytest.raises(StaleEpoch):
        finish_turn(running, TurnState.COMPLETED, epoch=epoch)


def test_a_turn_that_went_on_since_is_not_released(running: Turn, olga: User) -> None:
    with pytest.raises(TurnUnavailable):
        release_turn(running, by=olga, epoch=running.epoch - 1, origin=ADMIN)
    stop_turn(running, by=None)
    with pytest.raises(TurnUnavailable):
        release_turn(running, by=olga, epoch=running.epoch, origin=ADMIN)
    assert not AuditEntry.objects.filter(action="release_turn").exists()


def test_an_export_is_told_in_the_instances_own_chain(olga: User) -> None:
    for form in ("csv", "jsonl"):
        entry = record_export(by=olga, origin=ADMIN, form=form, entries=3, chosen="action=reset")
    assert (entry.chain, entry.number, entry.told["entries"]) == ("instance", 2, 3)
    assert verify_chains(["instance"]).is_sound


def test_only_operators_may(conversation: Conversation, alice: User, running: Turn) -> None:
    for person in (alice, User.objects.create_user("sam", is_staff=True)):
        with pytest.raises(NotAllowed):
            record_opening(conversation.active_session, by=person, origin=ADMIN)
        with pytest.raises(NotAllowed):
            release_turn(running, by=person, epoch=running.epoch, origin=ADMIN)
        with pytest.raises(NotAllowed):
            record_export(by=person, origin=ADMIN, form="csv", entries=0, chosen="")
