"""An invitation lets in whom it is for, as often and as long as it says, and never as more than it says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from sessions_app.errors import Invalid, InvitationClosed, NotAllowed, NotFound
from sessions_app.models import AuditEntry, Invitation, Membership, Role, SecurityEvent, User, Workspace
from sessions_app.services import invitations
from sessions_app.services.access import role_in
from sessions_app.services.audit import Origin
from sessions_app.services.invitations import (
    accept_invitation,
    find_invitation,
    invite,
    open_invitation,
    pending_invitations,
    revoke_invitation,
    why_closed,
)
from sessions_app.services.members import change_role, leave_workspace, remove_member
from tests.sessions_app.services.test_members import place_of, told_at_once


@pytest.fixture
def carl(db: None) -> User:
    return User.objects.create_user("carl", email="Carl@Example.org")


def expire() -> None:
    Invitation.objects.update(expires_at=timezone.now() - timedelta(seconds=1))


def test_a_link_lets_in_everybody_who_has_it_as_what_it_says(
    team: Workspace, alice: User, bob: User, carl: User, origin: Origin
) -> None:
    invitation, token = invite(team, by=alice, role=Role.VIEWER, origin=origin)
    for person in (bob, carl):
        assert accept_invitation(token, by=person, origin=origin).role == Role.VIEWER
    invitation.refresh_from_db()
    assert invitation.uses == 2
    joined = AuditEntry.objects.filter(action=SecurityEvent.MEMBER_JOINED, actor_id=bob.pk).get()
    assert joined.workspace_id == team.pk
    assert joined.told["about"].startswith("bob: viewer, a link as viewer")


def test_the_token_is_kept_nowhere(team: Workspace, alice: User, bob: User) -> None:
    _, token = invite(team, by=alice)
    accept_invitation(token, by=bob)
    rows = [*Invitation.objects.values_list(), *AuditEntry.objects.values_list()]
    assert token not in str(rows)
    assert len(token) == 32


def test_accepting_twice_is_once(team: Workspace, alice: User, bob: User) -> None:
    invitation, token = invite(team, by=alice, uses=1)
    first = accept_invitation(token, by=bob)
    assert accept_invitation(token, by=bob) == first
    invitation.refresh_from_db()
    assert invitation.uses == 1


def test_who_is_in_keeps_their_role(team: Workspace, alice: User, vera: User) -> None:
    invitation, token = invite(team, by=alice, role=Role.ADMIN)
    assert accept_invitation(token, by=vera).role == Role.VIEWER
    invitation.refresh_from_db()
    assert invitation.uses == 0


def test_a_link_for_one_is_used_up(team: Workspace, alice: User, bob: User, carl: User) -> None:
    invitation, token = invite(team, by=alice, uses=1)
    accept_invitation(token, by=bob)
    assert open_invitation(token) is None
    assert find_invitation(token) == invitation
    with pytest.raises(InvitationClosed, match="used already"):
        accept_invitation(token, by=carl)


@pytest.mark.django_db(transaction=True)
def test_of_two_who_use_a_link_for_one_at_once_one_gets_in(
    team: Workspace, alice: User, bob: User, carl: User
) -> None:
    _, token = invite(team, by=alice, uses=1)
    told = told_at_once(lambda: accept_invitation(token, by=bob), lambda: accept_invitation(token, by=carl))
    assert told == ["done", "invitation_closed"]
    assert team.memberships.count() == 2


def test_an_expired_one_lets_nobody_in(team: Workspace, alice: User, bob: User) -> None:
    invitation, token = invite(team, by=alice, days=1)
    assert invitation.expires_at - invitation.invited_at == timedelta(days=1)
    assert open_invitation(token) == invitation
    expire()
    assert open_invitation(token) is None
    with pytest.raises(InvitationClosed, match="expired"):
        accept_invitation(token, by=bob)
    assert role_in(bob, team.pk) is None


def test_a_revoked_one_lets_nobody_in_and_who_is_in_stays(
    team: Workspace, alice: User, ada: User, bob: User, carl: User, origin: Origin
) -> None:
    invitation, token = invite(team, by=alice)
    accept_invitation(token, by=bob)
    for _ in range(2):
        assert revoke_invitation(invitation, by=ada, origin=origin).revoked_by == ada
    with pytest.raises(InvitationClosed, match="revoked"):
        accept_invitation(token, by=carl)
    assert role_in(bob, team.pk) == Role.MEMBER
    assert AuditEntry.objects.filter(action=SecurityEvent.INVITATION_REVOKED).count() == 1


def test_one_by_mail_is_for_whose_address_it_is(team: Workspace, alice: User, bob: User, carl: User) -> None:
    invitation, token = invite(team, by=alice, email=" carl@example.org ", uses=9)
    assert (invitation.email, invitation.most_uses) == ("carl@example.org", 1)
    with pytest.raises(NotAllowed, match="another e-mail address"):
        accept_invitation(token, by=bob)
    assert accept_invitation(token, by=carl).role == Role.MEMBER


def test_who_was_removed_needs_a_new_one(team: Workspace, alice: User, bob: User) -> None:
    """Else a link that is still good would make every removal worthless."""
    _, old = invite(team, by=alice)
    accept_invitation(old, by=bob)
    remove_member(place_of(bob), by=alice)
    with pytest.raises(InvitationClosed, match="You were removed"):
        accept_invitation(old, by=bob)
    _, new = invite(team, by=alice)
    assert accept_invitation(new, by=bob).role == Role.MEMBER


def test_who_left_may_come_back_by_the_same_link(team: Workspace, alice: User, bob: User) -> None:
    _, token = invite(team, by=alice)
    accept_invitation(token, by=bob)
    leave_workspace(team, by=bob)
    assert accept_invitation(token, by=bob).role == Role.MEMBER


@pytest.mark.parametrize("how", ["demoted", "removed", "deactivated"])
def test_it_is_as_good_as_its_makers_right_to_invite(
    team: Workspace, alice: User, ada: User, bob: User, how: str
) -> None:
    _, token = invite(team, by=ada)
    match how:
        case "demoted":
            change_role(place_of(ada), to=Role.MEMBER, by=alice)
        case "removed":
            remove_member(place_of(ada), by=alice)
        case _:
            User.objects.filter(pk=ada.pk).update(is_active=False)
    assert open_invitation(token) is None
    with pytest.raises(InvitationClosed, match="may no longer invite"):
        accept_invitation(token, by=bob)


def test_the_operators_own_is_good_without_a_member(team: Workspace, bob: User) -> None:
    invitation, token = invite(team, by=None, role=Role.ADMIN)
    assert why_closed(invitation) == ""
    assert accept_invitation(token, by=bob).role == Role.ADMIN


def test_only_those_who_manage_members_invite_list_and_revoke(
    team: Workspace, alice: User, ada: User, mia: User, vera: User, bob: User
) -> None:
    invitation, _ = invite(team, by=ada)
    assert list(pending_invitations(team, by=alice)) == [invitation]
    for person in (mia, vera, bob):
        for act in (
            lambda person=person: invite(team, by=person),
            lambda person=person: pending_invitations(team, by=person),
            lambda person=person: revoke_invitation(invitation, by=person),
        ):
            with pytest.raises(NotAllowed):
                act()
    assert not Invitation.objects.exclude(revoked_at=None).exists()


def test_what_can_no_longer_be_used_is_not_pending(team: Workspace, alice: User, bob: User) -> None:
    _, token = invite(team, by=alice, uses=1)
    accept_invitation(token, by=bob)
    revoked, _ = invite(team, by=alice)
    revoke_invitation(revoked, by=alice)
    assert list(pending_invitations(team, by=alice)) == []
    first, _ = invite(team, by=alice)
    second, _ = invite(team, by=alice)
    assert list(pending_invitations(team, by=alice)) == [second, first]
    expire()
    assert list(pending_invitations(team, by=alice)) == []


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({"role": Role.OWNER}, "invited as admin, member, viewer"),
        ({"role": "emperor"}, "invited as"),
        ({"days": 0}, "1 to 30 days"),
        ({"days": 31}, "1 to 30 days"),
        ({"uses": 0}, "1 to 1000 people"),
        ({"uses": 1001}, "1 to 1000 people"),
        ({"email": "nobody"}, "no e-mail address"),
        ({"email": "a@b.example\nBcc: c@d.example"}, "no e-mail address"),
        ({"email": "a@b.example\x00"}, "no e-mail address"),
        ({"email": "\ud800@b.example"}, "no e-mail address"),
    ],
)
def test_nonsense_is_refused(team: Workspace, alice: User, wish: dict[str, object], sentence: str) -> None:
    with pytest.raises(Invalid, match=sentence):
        invite(team, by=alice, **wish)  # type: ignore[arg-type]
    assert not Invitation.objects.exists()


def test_there_are_never_too_many_pending(
    team: Workspace, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(invitations, "MOST_PENDING", 1)
    invite(team, by=alice)
    with pytest.raises(Invalid, match="pending already"):
        invite(team, by=alice)


@pytest.mark.parametrize("token", ["", "x" * 32, "é" * 32, "a" * 31, "a" * 5000, "\x00" * 32, "\ud800" * 32])
def test_a_token_that_opens_nothing_is_not_found(bob: User, token: str) -> None:
    assert (find_invitation(token), open_invitation(token)) == (None, None)
    with pytest.raises(NotFound):
        accept_invitation(token, by=bob)


def test_somebody_deactivated_is_not_let_in(team: Workspace, alice: User, bob: User) -> None:
    _, token = invite(team, by=alice)
    bob.is_active = False
    with pytest.raises(NotFound):
        accept_invitation(token, by=bob)
    assert not Membership.objects.filter(user=bob).exists()
