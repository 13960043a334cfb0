"""People write, agents answer, processes die and others go on."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.utils import timezone
from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from sessions_app.canonical import canonical_json
from sessions_app.models import Message, Turn, TurnState
from sessions_app.services import ending, journal, recovery, requeue, transcript, turn_lease, withdraw
from tests.sessions_app.acting import append_texts
from tests.sessions_app.interleaving.stage import Stage, choice, crash_at, people

TEXTS = ["hello", "/new", "／RESET now", "a\x00b", "\ud800 lone", "x" * 70_000, "", "@echo tell me"]  # noqa: RUF001
EVENTS: dict[str, dict[str, Any]] = {
    "text": {"text": "a word\ud83d "},
    "tool_call": {"id": "1", "name": "mail", "arguments": "{}"},
    "tool_result": {"id": "1", "status": "ok", "output": "x", "duration_ms": 1},
}


class Talking(Stage):
    def __init__(self) -> None:
        super().__init__()
        self.sent: dict[tuple[int, str, str], Message] = {}

    @rule(
        name=people,
        number=choice,
        text=st.sampled_from(["plain words"] * 8 + TEXTS),
        client=st.sampled_from("abcdefgh"),
        at=crash_at,
    )
    def post(self, name: str, number: int, text: str, client: str, at: int | None) -> None:
        """P5: one client id is one message, for ever. P3: no message moves a pointer."""
        if conversation := self.conversation(number):
            before, sender = self.pointers(), self.people[name]
            posted = self.attempt(
                at, transcript.post_message, conversation, by=sender, text=text, client_id=client
            )
            assert self.pointers() == before
            if posted is not None:
                assert not transcript.COMMAND.match(text)
                first = self.sent.setdefault((conversation.pk, name, client), posted.message)
                assert posted.message == first

    @rule(number=choice, state=st.sampled_from(ending.OWNERS_ENDS))
    def answer(self, number: int, state: TurnState) -> None:
        """A whole turn at once, so that there is something to fork, supersede and continue."""
        if (turn := self.pick(Turn.objects.filter(state="queued"), number)) and (
            lease := self.attempt(None, turn_lease.claim_turn, turn, owner="swift")
        ):
            append_texts(lease, "an ", "answer")
            ending.finish_turn(turn, state, epoch=lease.epoch, reason="because")

    @rule(number=choice, at=crash_at)
    def claim(self, number: int, at: int | None) -> None:
        turn = self.pick(Turn.objects.filter(state="queued"), number)
        if turn and (lease := self.attempt(at, turn_lease.claim_turn, turn, owner=f"owner-{number % 3}")):
            self.leases.append(lease)

    @precondition(lambda self: self.leases)
    @rule(number=choice, kind=st.sampled_from(sorted(EVENTS)), at=crash_at)
    def stream(self, number: int, kind: str, at: int | None) -> None:
        """P6: several turns at once, also with leases lost long ago: only the holder of the epoch is accepted."""
        leases = {lease.turn_id: lease for lease in self.leases[number % len(self.leases) :]}
        appends = [journal.Append(lease, [(kind, canonical_json(EVENTS[kind]))]) for lease in leases.values()]
        held = {lease.turn_id for lease in leases.values() if self.holds(lease)}
        batch = self.attempt(at, journal.append_batch, appends)
        assert batch is None or (batch.first_seqs.keys(), batch.refused) == (held, leases.keys() - held)

    @precondition(lambda self: self.leases)
    @rule(number=choice, lets_go=st.booleans(), at=crash_at)
    def keep_or_let_go(self, number: int, lets_go: bool, at: int | None) -> None:
        lease = self.leases[number % len(self.leases)]
        held = self.holds(lease)
        if lets_go:
            assert self.attempt(at, turn_lease.release_lease, lease) in (held, None)
            return
        renewed = self.attempt(at, turn_lease.renew_leases, [lease])
        assert renewed is None or renewed == ({lease.turn_id} if held else set())

    @precondition(lambda self: self.leases)
    @rule(number=choice, state=st.sampled_from(ending.OWNERS_ENDS), at=crash_at)
    def finish(self, number: int, state: TurnState, at: int | None) -> None:
        lease = self.leases[number % len(self.leases)]
        if turn := Turn.objects.filter(pk=lease.turn_id).first():
            self.attempt(at, ending.finish_turn, turn, state, epoch=lease.epoch, reason="because")

    @rule(name=people, number=choice, at=crash_at)
    def stop(self, name: str, number: int, at: int | None) -> None:
        if turn := self.pick(Turn.objects.all(), number):
            self.attempt(at, ending.stop_turn, turn, by=self.people[name])

    @rule(name=people, number=choice, at=crash_at)
    def take_back(self, name: str, number: int, at: int | None) -> None:
        if turn := self.pick(Turn.objects.all(), number):
            self.attempt(at, withdraw.withdraw_turn, turn, by=self.people[name])

    @rule(number=choice, can_continue=st.booleans(), at=crash_at)
    def recover(self, number: int, can_continue: bool, at: int | None) -> None:
        """P8: recovery ends or hands on turns and moves no pointer."""
        before = self.pointers()
        if turn := self.pick(Turn.objects.filter(state="running"), number):
            turn.lease_until = timezone.now() - timedelta(seconds=1)
            turn.save(update_fields=["lease_until"])
            lease = self.attempt(at, recovery.settle_orphan, turn, new_owner="new", can_continue=can_continue)
            if lease:
                self.leases.append(lease)
        assert self.pointers() == before

    @rule(name=people, number=choice, regenerates=st.booleans(), at=crash_at)
    def ask_again(self, name: str, number: int, regenerates: bool, at: int | None) -> None:
        service = requeue.regenerate_reply if regenerates else requeue.continue_reply
        if message := self.pick(Message.objects.filter(sealed_seq__isnull=False), number):
            self.attempt(at, service, message, by=self.people[name])

    def holds(self, lease: turn_lease.Lease) -> bool:
        return Turn.objects.filter(pk=lease.turn_id, epoch=lease.epoch, state="running").exists()
