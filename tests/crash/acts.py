"""Everything that moves a pointer or adds to the log, each giving the name of what it made."""

from __future__ import annotations

import random
import uuid

from sessions_app.models import Checkpoint, Conversation, Message, Session, Trigger, User
from sessions_app.services import checkpoints, compaction, fork, restore, transcript
from sessions_app.services.audit import Origin
from sessions_app.services.reset import reset_conversation

ORIGIN = Origin(Trigger.REST)


class Acts:
    NAMES = ("message", "checkpoint", "reset", "session", "restored", "fork", "compaction")

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.alice = User.objects.get(username="alice")

    def conversation(self) -> Conversation:
        return Conversation.objects.select_related("active_session").get(key="team:general")

    def message(self) -> object:
        posted = transcript.post_message(
            self.conversation(), by=self.alice, text="word", client_id=uuid.uuid4().hex
        )
        return posted.message.public_id

    def checkpoint(self) -> object:
        return checkpoints.take_checkpoint(self.conversation(), by=self.alice, name="here").public_id

    def reset(self) -> object:
        conversation = self.conversation()
        active = conversation.active_session
        return reset_conversation(conversation, by=self.alice, expected_session=active, origin=ORIGIN).number

    def session(self) -> object:
        archived = self.chance.choice(list(Session.objects.exclude(archived_at=None)))
        return restore.restore_session(archived, by=self.alice, origin=ORIGIN).number

    def restored(self) -> object:
        checkpoint = self.chance.choice(list(Checkpoint.objects.all()))
        return restore.restore_checkpoint(checkpoint, by=self.alice, origin=ORIGIN).number

    def fork(self) -> object:
        message = self.chance.choice(list(Message.objects.all()))
        return fork.fork_before(message, by=self.alice, origin=ORIGIN).number

    def compaction(self) -> object:
        session = self.conversation().active_session
        return compaction.record_compaction(session, summary="short", by=self.alice).public_id
