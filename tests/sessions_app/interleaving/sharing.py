"""People open and close conversations, name each other and take each other out; some leave, and come back."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from sessions_app.models import Conversation, Level, Membership, Openness, Role
from sessions_app.services import members, sharing
from tests.sessions_app.interleaving.stage import PAGE, Stage, choice, crash_at, people


class Sharing(Stage):
    @rule(name=people, number=choice, openness=st.sampled_from(Openness), at=crash_at)
    def open_or_close(self, name: str, number: int, openness: Openness, at: int | None) -> None:
        if conversation := self.conversation(number):
            by = self.people[name]
            self.attempt(at, sharing.change_openness, conversation, by=by, openness=openness, origin=PAGE)

    @rule(name=people, other=people, number=choice, level=st.sampled_from([None, *Level]), at=crash_at)
    def name_or_take_out(
        self, name: str, other: str, number: int, level: Level | None, at: int | None
    ) -> None:
        if conversation := self.conversation(number):
            by, person = self.people[name], self.people[other]
            if level is None:
                self.attempt(at, sharing.revoke_access, conversation, by=by, of=person, origin=PAGE)
            else:
                self.attempt(
                    at, sharing.grant_access, conversation, by=by, to=person, level=level, origin=PAGE
                )

    @rule(role=st.sampled_from([None, Role.MEMBER, Role.VIEWER]), at=crash_at)
    def mia_goes_or_comes(self, role: Role | None, at: int | None) -> None:
        mia = self.people["mia"]
        member = Membership.objects.filter(user=mia).first()
        if member is None:
            Membership.objects.create(workspace=self.team, user=mia, role=role or Role.MEMBER)
        elif role is None:
            self.attempt(at, members.remove_member, member, by=self.people["alice"], origin=PAGE)
        else:
            self.attempt(at, members.change_role, member, to=role, by=self.people["alice"], origin=PAGE)

    @invariant()
    def somebody_controls_what_is_private_while_anybody_could(self) -> None:
        for conversation in Conversation.objects.filter(openness=Openness.PRIVATE):
            could = sharing.effective_grants(conversation)
            assert sharing.controllers(conversation).exists() or not could.exists()
