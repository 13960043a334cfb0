from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from sessions_app.models import AuditEntry, Conversation, Turn, User
from sessions_app.services.recovery import orphaned_turns
from sessions_app.services.transcript import post_message
from sessions_app.services.turn_lease import claim_turn


@pytest.fixture
def running(conversation: Conversation, alice: User) -> Turn:
    turn = post_message(conversation, by=alice, text="go", client_id="go").turn
    assert turn is not None
    claim_turn(turn, owner="host-4711")
    turn.refresh_from_db()
    return turn


def test_a_turn_is_released_after_a_confirmation(operator: Client, olga: User, running: Turn) -> None:
    address = reverse("admin:release_turn", args=[running.public_id])
    page = operator.get(address).content.decode()
    assert "host-4711" in page
    assert f'name="epoch" value="{running.epoch}"' in page
    assert orphaned_turns() == []
    operator.post(address, {"epoch": running.epoch, "reason": "it hangs"})
    assert orphaned_turns() == [running]
    entry = AuditEntry.objects.get(action="release_turn")
    assert (entry.trigger, entry.actor_id, entry.told["reason"]) == ("admin", olga.pk, "it hangs")


@pytest.mark.parametrize("epoch", ["", "0", "-1", "x", "9" * 40, "\u0663"])
def test_another_epoch_than_the_one_looked_at_is_refused(operator: Client, running: Turn, epoch: str) -> None:
    address = reverse("admin:release_turn", args=[running.public_id])
    answer = operator.post(address, {"epoch": epoch}, follow=True)
    assert "This turn cannot be taken" in answer.content.decode()
    assert orphaned_turns() == []


def test_staff_without_the_permission_release_nothing(client: Client, running: Turn, sam: User) -> None:
    client.force_login(sam)
    address = reverse("admin:release_turn", args=[running.public_id])
    assert client.post(address, {"epoch": running.epoch}).status_code == 403
    assert orphaned_turns() == []
