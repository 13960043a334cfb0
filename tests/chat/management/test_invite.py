"""At a shell: an invitation that opens, and a role where nobody in the workspace can change it."""

from __future__ import annotations

import io
import re

import pytest
from django.core import mail
from django.core.management import CommandError, call_command

from sessions_app.models import Invitation, Membership, Role, User
from sessions_app.services.invitations import accept_invitation
from tests.chat.recovery.cast import alice, olga

__all__ = ["alice", "olga"]

ADDRESS = "https://chat.example.org/"


def said(*words: str) -> str:
    heard = io.StringIO()
    call_command(*words, stdout=heard)
    return heard.getvalue()


@pytest.mark.usefixtures("olga")
def test_the_link_stands_alone_on_the_last_line_and_opens() -> None:
    told = said("invite", "demo", "--role", "viewer", "--days", "3", "--uses", "1", "--address", ADDRESS)
    link = re.fullmatch(r"https://chat\.example\.org/invitations/([\w-]{32})/", told.splitlines()[-1])
    assert link is not None
    bob = User.objects.create_user("bob")
    assert accept_invitation(link[1], by=bob).role == Role.VIEWER
    assert (Invitation.objects.get().invited_by, "Demo team as viewer" in told) == (None, True)


@pytest.mark.usefixtures("olga")
def test_one_with_an_address_is_sent() -> None:
    told = said("invite", "demo", "--email", "ben@example.org")
    assert "sent to ben@example.org" in told
    assert told.splitlines()[-1] in mail.outbox[-1].body


@pytest.mark.usefixtures("olga")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("invite", "nowhere"), "no workspace nowhere"),
        (("invite", "demo", "--days", "31"), "1 to 30 days"),
        (("invite", "demo", "--email", "nobody"), "no e-mail address"),
        (("change_role", "nowhere", "mia", "owner"), "no workspace nowhere"),
        (("change_role", "demo", "bob", "owner"), "bob is not in demo"),
        (("change_role", "demo", "alice", "member"), "never without an owner"),
    ],
)
def test_what_cannot_be_done_is_refused_in_a_sentence(words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        said(*words)
    assert not Invitation.objects.exists()


def test_a_new_owner_is_made_where_the_only_one_is_gone(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert said("change_role", "demo", "mia", "owner") == "mia is owner in demo.\n"
    said("change_role", "demo", "alice", "viewer")
    assert dict(Membership.objects.values_list("user__username", "role"))["mia"] == Role.OWNER
