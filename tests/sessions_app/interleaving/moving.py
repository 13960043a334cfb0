"""People reset, restore, undo, fork, edit and compact."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from sessions_app.models import AuditEntry, Checkpoint, Message, Session
from sessions_app.services import checkpoints, compaction, fork, reset, restore
from sessions_app.services.history import history
from tests.sessions_app.interleaving.stage import PAGE, Stage, choice, crash_at, people


def sealed_history(session: Session) -> list[int]:
    return [message.pk for message in history(session, limit=10_000) if message.is_sealed]


class Moving(Stage):
    def __init__(self) -> None:
        super().__init__()
        self.at_checkpoint: dict[int, list[int]] = {}

    @invariant()
    def remember_checkpoints(self) -> None:
        """Nothing but the end of a session comes between a checkpoint and the end of the step that took it."""
        for checkpoint in Checkpoint.objects.exclude(pk__in=self.at_checkpoint):
            self.at_checkpoint[checkpoint.pk] = sealed_history(checkpoint.session)

    @rule(name=people, number=choice, other=choice, at=crash_at, key=st.sampled_from([None, "k1", "k2"]))
    def begin_new_session(self, name: str, number: int, other: int, at: int | None, key: str | None) -> None:
        if conversation := self.conversation(number):
            expected = self.pick(conversation.sessions, other)
            self.attempt(
                at,
                reset.reset_conversation,
                conversation,
                by=self.people[name],
                expected_session=expected,
                origin=PAGE,
                idempotency_key=key,
            )

    @rule(name=people, number=choice, at=crash_at)
    def bring_session_back(self, name: str, number: int, at: int | None) -> None:
        """P4: it is as it was."""
        if session := self.pick(Session.objects.all(), number):
            before = sealed_history(session)
            self.attempt(at, restore.restore_session, session, by=self.people[name], origin=PAGE)
            assert sealed_history(Session.objects.get(pk=session.pk)) == before

    @rule(name=people, number=choice, at=crash_at)
    def checkpoint(self, name: str, number: int, at: int | None) -> None:
        if conversation := self.conversation(number):
            self.attempt(at, checkpoints.take_checkpoint, conversation, by=self.people[name], name="here")

    @rule(name=people, number=choice, at=crash_at)
    def bring_checkpoint_back(self, name: str, number: int, at: int | None) -> None:
        """P4: it is as it was when the checkpoint was taken."""
        if found := self.pick(Checkpoint.objects.all(), number):
            entry = self.attempt(at, restore.restore_checkpoint, found, by=self.people[name], origin=PAGE)
            if entry:
                assert sealed_history(active_after(entry)) == self.at_checkpoint[found.pk]

    @rule(name=people, number=choice, at=crash_at)
    def undo(self, name: str, number: int, at: int | None) -> None:
        if (entry := self.pick(AuditEntry.objects.all(), number)) and (
            conversation := self.conversation(number)
        ):
            self.attempt(at, restore.undo_move, conversation, entry=entry, by=self.people[name], origin=PAGE)

    @rule(name=people, number=choice, at=crash_at)
    def branch(self, name: str, number: int, at: int | None) -> None:
        if message := self.pick(Message.objects.all(), number):
            entry = self.attempt(at, fork.fork_before, message, by=self.people[name], origin=PAGE)
            if entry:
                assert sealed_history(active_after(entry)) == sealed_before(message)

    @rule(name=people, number=choice, at=crash_at)
    def edit(self, name: str, number: int, at: int | None) -> None:
        if message := self.pick(Message.objects.all(), number):
            by, client_id = self.people[name], f"e{number}"
            posted = self.attempt(
                at, fork.edit_and_resend, message, by=by, text="edited", client_id=client_id, origin=PAGE
            )
            if posted and posted.is_new:
                assert sealed_history(posted.message.session) == [*sealed_before(message), posted.message.pk]

    @rule(number=choice, at=crash_at)
    def compact(self, number: int, at: int | None) -> None:
        if session := self.pick(Session.objects.all(), number):
            self.attempt(at, compaction.record_compaction, session, summary="short", by=None)


def active_after(entry: AuditEntry) -> Session:
    assert entry.new_session_id is not None
    return Session.objects.get(pk=entry.new_session_id)


def sealed_before(message: Message) -> list[int]:
    """What a fork before a message inherits: all that was sealed before it began."""
    everything = history(message.session, limit=10_000)
    return [
        found.pk
        for found in everything
        if found.session_id != message.session_id
        or (found.sealed_seq is not None and found.sealed_seq < message.first_seq)
    ]
