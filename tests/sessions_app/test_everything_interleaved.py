"""Random interleavings of all services by several people, with crashes at any statement (P2-P6, P8)."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import invariant

from sessions_app.models import AuditEntry, Conversation, Message, Session, SessionEvent
from sessions_app.services.folding import fold
from sessions_app.services.log import message_events
from sessions_app.services.verify import verify
from tests.sessions_app.interleaving.housekeeping import Housekeeping
from tests.sessions_app.interleaving.moving import Moving, sealed_history
from tests.sessions_app.interleaving.sharing import Sharing
from tests.sessions_app.interleaving.talking import Talking


class Interleaving(Talking, Moving, Housekeeping, Sharing):
    """After every step, whatever it was, the promises hold."""

    def __init__(self) -> None:
        super().__init__()
        self.sealed: dict[int, tuple[str, str, int]] = {}
        self.events: dict[tuple[int, int], str] = {}
        self.last_seqs: dict[int, int] = {}

    @invariant()
    def history_only_grows(self) -> None:
        """P2: every event and every sealed message is as it was when it was first seen."""
        events = {(e.session_id, e.seq): e.payload for e in SessionEvent.objects.all()}
        for key, payload in self.events.items():
            assert key[0] in self.purged or events[key] == payload
        sealed = {
            m.pk: (m.content, m.digest, m.session_id)
            for m in Message.objects.filter(sealed_seq__isnull=False)
        }
        for pk, (content, digest, session_id) in self.sealed.items():
            assert session_id in self.purged or sealed[pk] == (content, digest, session_id)
        for session in Session.objects.all():
            assert session.last_seq >= self.last_seqs.get(session.pk, 0)
            self.last_seqs[session.pk] = session.last_seq
        self.events, self.sealed = self.events | events, self.sealed | sealed

    @invariant()
    def sealed_is_what_its_events_fold_to(self) -> None:
        for message in Message.objects.filter(sealed_seq__isnull=False):
            assert json.loads(message.content) == fold(message_events(message))

    @invariant()
    def every_move_has_its_entry(self) -> None:
        """P3: pointer moves = audit entries, and the pointer stands on the newest one."""
        for conversation in Conversation.objects.select_related("active_session"):
            moves = AuditEntry.objects.filter(conversation_id=conversation.pk).pointer_moves()
            newest = moves.order_by("-number").first()
            assert newest is not None
            assert newest.pk == conversation.active_entry_id
            assert newest.new_session_id == conversation.active_session_id
            activations = SessionEvent.objects.filter(session__conversation=conversation, kind="made_active")
            assert activations.count() == moves.count()

    @invariant()
    def counts_are_what_people_read(self) -> None:
        for session in Session.objects.all():
            assert len(sealed_history(session)) == session.message_count

    @invariant()
    def verify_is_clean(self) -> None:
        assert verify().findings == ()


@pytest.mark.django_db
def test_nothing_is_lost_whatever_people_do_and_wherever_it_crashes() -> None:
    Interleaving.TestCase.settings = settings(
        max_examples=30,
        stateful_step_count=40,
        deadline=None,
        phases=[
            Phase.explicit,
            Phase.reuse,
            Phase.generate,
        ],  # a failing history is readable without shrinking
        suppress_health_check=list(HealthCheck),
    )
    machine = Interleaving.TestCase()
    machine.runTest()
