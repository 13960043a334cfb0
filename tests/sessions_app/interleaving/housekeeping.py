"""People start, name, pin, set, put away and delete conversations; an owner purges one."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from sessions_app.models import Answers, Conversation
from sessions_app.services import conversations, deletion, personal, purge
from tests.sessions_app.interleaving.stage import PAGE, Stage, choice, crash_at, people

PUT_AWAY = (
    conversations.archive_conversation,
    conversations.unarchive_conversation,
    deletion.delete_conversation,
    deletion.undelete_conversation,
)


class Housekeeping(Stage):
    @rule(name=people, at=crash_at)
    def start(self, name: str, at: int | None) -> None:
        if Conversation.objects.count() < 3:
            by = self.people[name]
            self.attempt(at, conversations.start_conversation, self.team, by=by, agent=self.agent)

    @rule(name=people, number=choice, service=st.sampled_from(PUT_AWAY), at=crash_at)
    def put_away_or_bring_back(self, name: str, number: int, service: object, at: int | None) -> None:
        assert callable(service)
        if conversation := self.conversation(number):
            self.attempt(at, service, conversation, by=self.people[name], origin=PAGE)

    @rule(name=people, number=choice, is_automatic=st.booleans(), at=crash_at)
    def give_a_title(self, name: str, number: int, is_automatic: bool, at: int | None) -> None:
        if conversation := self.conversation(number):
            if is_automatic:
                self.attempt(at, conversations.title_automatically, conversation, title="Proposed")
            else:
                by = self.people[name]
                self.attempt(at, conversations.rename_conversation, conversation, by=by, title="Chosen")

    @rule(name=people, number=choice, answers=st.sampled_from(Answers), at=crash_at)
    def change_settings(self, name: str, number: int, answers: Answers, at: int | None) -> None:
        if conversation := self.conversation(number):
            by = self.people[name]
            self.attempt(at, conversations.change_settings, conversation, by=by, answers=answers)

    @rule(name=people, number=choice, pinned=st.booleans(), at=crash_at)
    def keep_to_oneself(self, name: str, number: int, pinned: bool, at: int | None) -> None:
        if conversation := self.conversation(number):
            by, session = self.people[name], conversation.active_session
            self.attempt(at, conversations.pin_conversation, conversation, by=by, pinned=pinned)
            self.attempt(at, personal.mark_read, session, by=by, seq=number)
            self.attempt(at, personal.keep_draft, conversation, by=by, text="unsent")

    @precondition(lambda self: Conversation.objects.count() > 1)
    @rule(name=people, number=choice, at=crash_at)
    def purge_one(self, name: str, number: int, at: int | None) -> None:
        conversation = self.conversation(number)
        sessions = set(conversation.sessions.values_list("pk", flat=True))
        if self.attempt(
            at,
            purge.purge_conversation,
            conversation,
            by=self.people[name],
            confirmation=conversation.key,
            origin=PAGE,
        ):
            assert name == "alice"
            self.purged |= sessions
