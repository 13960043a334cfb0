from __future__ import annotations

import pytest

from sessions_app.errors import Invalid
from sessions_app.models import AuditEntry, SecurityEvent, User, Workspace
from sessions_app.services.audit import INSTANCE_CHAIN, Origin
from sessions_app.services.audit_check import verify_chains
from sessions_app.services.security_events import record_security_event


def test_it_is_written_to_the_chain_of_the_instance(alice: User, team: Workspace, origin: Origin) -> None:
    entry = record_security_event("role_changed", by=alice, workspace=team, about="mia", origin=origin)
    assert (entry.chain, entry.number, entry.action, entry.actor_id) == (
        INSTANCE_CHAIN,
        1,
        "role_changed",
        alice.pk,
    )
    assert (entry.told["about"], entry.told["workspace"]["name"]) == ("mia", "Kelp")
    assert (entry.told["actor_name"], entry.told["address"]) == ("alice", "192.0.2.1")


def test_its_chain_is_verified(alice: User, origin: Origin) -> None:
    record_security_event(SecurityEvent.SIGNED_IN, by=alice, origin=origin)
    record_security_event(SecurityEvent.SIGN_IN_FAILED, by=None, about="alice", origin=origin)
    assert verify_chains([INSTANCE_CHAIN]).is_sound


def test_members_of_a_team_read_what_happened_in_it_and_nothing_else(
    alice: User, bob: User, team: Workspace, origin: Origin
) -> None:
    within = record_security_event("role_changed", by=alice, workspace=team, origin=origin)
    record_security_event(SecurityEvent.SIGNED_IN, by=alice, origin=origin)
    assert list(AuditEntry.objects.visible_to(alice)) == [within]
    assert not AuditEntry.objects.visible_to(bob).exists()


@pytest.mark.parametrize("kind", ["", "two words", "x" * 31])
def test_a_kind_that_is_no_word_is_refused(alice: User, kind: str) -> None:
    with pytest.raises(Invalid):
        record_security_event(kind, by=alice)
    assert not AuditEntry.objects.exists()
