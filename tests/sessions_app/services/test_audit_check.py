from __future__ import annotations

from django.db import connection

from sessions_app.models import AuditChain, AuditEntry, Conversation, User
from sessions_app.services.audit import Origin, chain_of
from sessions_app.services.audit_check import verify_chains, verify_conversation_chain
from sessions_app.services.reset import reset_conversation
from tests.sessions_app.guards_lifted import lifted_guards


def test_a_whole_chain_is_sound(conversation: Conversation, alice: User, origin: Origin) -> None:
    reset_conversation(conversation, by=alice, expected_session=conversation.active_session, origin=origin)
    report = verify_conversation_chain(conversation)
    assert (report.is_sound, report.chains, report.entries) == (True, 1, 2)


def test_a_changed_entry_is_found(conversation: Conversation) -> None:
    with lifted_guards(connection):
        AuditEntry.objects.update(facts='{"actor":null,"key":"forged"}')
    report = verify_conversation_chain(conversation)
    assert [finding.where for finding in report.findings][:1] == [chain_of(conversation)]


def test_a_cut_off_end_is_found(conversation: Conversation) -> None:
    with lifted_guards(connection):
        AuditChain.objects.update(length=2)
    assert "not the head it remembers" in verify_conversation_chain(conversation).findings[0].says


def test_a_chain_without_entries_is_found(db: None) -> None:
    assert verify_chains(["conversation:nowhere"]).findings[0].says == "it has no entry"
