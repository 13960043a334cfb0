"""Roles change only as far as one's own goes, and a workspace always has an owner who can sign in."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from sessions_app.errors import HoldfastError, Invalid, LastOwner, NotAllowed, NotFound
from sessions_app.models import (
    AuditEntry,
    Conversation,
    Membership,
    Message,
    PersonalState,
    Role,
    SecurityEvent,
    TurnState,
    User,
    Workspace,
)
from sessions_app.services.access import role_in
from sessions_app.services.audit import Origin
from sessions_app.services.invitations import accept_invitation, invite
from sessions_app.services.members import (
    change_role,
    hand_over_ownership,
    leave_workspace,
    remove_member,
)
from sessions_app.services.personal import keep_draft
from tests.sessions_app.conftest import Say, member_of
from tests.sessions_app.threads import in_threads, wait_for

ROUNDS = 5


def place_of(user: User) -> Membership:
    return Membership.objects.select_related("workspace").get(user=user)


@pytest.fixture
def owen(team: Workspace) -> User:
    """A second owner."""
    return member_of(team, "owen", Role.OWNER)


def test_a_role_is_changed_and_on_the_record(team: Workspace, alice: User, mia: User, origin: Origin) -> None:
    for _ in range(2):
        assert change_role(place_of(mia), to=Role.VIEWER, by=alice, origin=origin).role == Role.VIEWER
    entry = AuditEntry.objects.get(action=SecurityEvent.ROLE_CHANGED)
    assert (entry.workspace_id, entry.told["about"]) == (team.pk, "mia: member → viewer")
    assert (entry.told["actor_name"], entry.told["address"]) == ("alice", origin.address)


@pytest.mark.parametrize(
    ("by", "about", "to", "is_allowed"),
    [
        ("ada", "mia", Role.ADMIN, True),
        ("ada", "mia", Role.VIEWER, True),
        ("ada", "ada", Role.MEMBER, True),
        ("ada", "ada", Role.OWNER, False),
        ("ada", "mia", Role.OWNER, False),
        ("ada", "alice", Role.MEMBER, False),
        ("ada", "alice", Role.OWNER, False),
        ("alice", "mia", Role.OWNER, True),
        ("mia", "mia", Role.ADMIN, False),
        ("mia", "vera", Role.MEMBER, False),
        ("vera", "vera", Role.MEMBER, False),
        ("bob", "mia", Role.VIEWER, False),
    ],
)
def test_who_may_make_whom_what(
    alice: User, ada: User, mia: User, vera: User, bob: User, by: str, about: str, to: Role, is_allowed: bool
) -> None:
    cast = {person.username: person for person in (alice, ada, mia, vera, bob)}
    before = place_of(cast[about]).role
    try:
        change_role(place_of(cast[about]), to=to, by=cast[by])
    except NotAllowed:
        assert not is_allowed
        assert place_of(cast[about]).role == before
    else:
        assert is_allowed
        assert place_of(cast[about]).role == to


def test_a_role_nobody_knows_is_refused(alice: User, mia: User) -> None:
    with pytest.raises(Invalid, match="owner, admin, member, viewer"):
        change_role(place_of(mia), to="emperor", by=alice)  # type: ignore[arg-type]


def test_the_last_owner_can_neither_step_down_nor_leave(team: Workspace, alice: User) -> None:
    with pytest.raises(LastOwner):
        change_role(place_of(alice), to=Role.ADMIN, by=alice)
    with pytest.raises(LastOwner):
        leave_workspace(team, by=alice)
    assert role_in(alice, team.pk) == Role.OWNER


def test_an_owner_who_cannot_sign_in_does_not_count(team: Workspace, alice: User, owen: User) -> None:
    User.objects.filter(pk=owen.pk).update(is_active=False)
    with pytest.raises(LastOwner):
        leave_workspace(team, by=alice)
    change_role(place_of(owen), to=Role.MEMBER, by=alice)


def test_the_operator_at_the_shell_may_change_everything_but_take_the_last_owner(
    alice: User, mia: User
) -> None:
    with pytest.raises(LastOwner):
        remove_member(place_of(alice), by=None)
    change_role(place_of(mia), to=Role.OWNER, by=None)
    change_role(place_of(alice), to=Role.VIEWER, by=None)
    assert (place_of(mia).role, place_of(alice).role) == (Role.OWNER, Role.VIEWER)


def test_ownership_is_handed_over_in_one_step(
    team: Workspace, alice: User, mia: User, origin: Origin
) -> None:
    assert hand_over_ownership(team, by=alice, to=mia, origin=origin).role == Role.OWNER
    assert (role_in(mia, team.pk), role_in(alice, team.pk)) == (Role.OWNER, Role.ADMIN)
    entry = AuditEntry.objects.get(action=SecurityEvent.OWNERSHIP_HANDED_OVER)
    assert (entry.actor_id, entry.told["about"]) == (alice.pk, "to mia")
    with pytest.raises(NotAllowed):
        hand_over_ownership(team, by=alice, to=mia)


def test_ownership_goes_to_nobody_who_is_not_there(
    team: Workspace, alice: User, ada: User, mia: User, bob: User
) -> None:
    User.objects.filter(pk=mia.pk).update(is_active=False)
    for heir in (bob, mia):
        with pytest.raises(NotFound, match="Only somebody who is in the workspace"):
            hand_over_ownership(team, by=alice, to=heir)
    with pytest.raises(Invalid):
        hand_over_ownership(team, by=alice, to=alice)
    with pytest.raises(NotAllowed):
        hand_over_ownership(team, by=ada, to=ada)
    assert role_in(alice, team.pk) == Role.OWNER


def test_who_is_removed_sees_nothing_and_what_they_said_and_kept_stays(
    conversation: Conversation, alice: User, mia: User, say: Say, origin: Origin
) -> None:
    posted = say("before I go", by=mia)
    keep_draft(conversation, by=mia, text="not finished")
    remove_member(place_of(mia), by=alice, origin=origin)
    assert not Conversation.objects.visible_to(mia).exists()
    assert not PersonalState.objects.visible_to(mia).exists()
    assert Message.objects.visible_to(alice).get(pk=posted.message.pk).author == mia
    assert AuditEntry.objects.get(action=SecurityEvent.MEMBER_REMOVED).told["about"] == "mia: member"
    _, token = invite(conversation.workspace, by=alice)
    accept_invitation(token, by=mia)
    assert PersonalState.objects.visible_to(mia).get().draft == "not finished"


def test_a_question_that_waits_is_answered_although_who_asked_was_removed(
    alice: User, mia: User, say: Say
) -> None:
    """It belongs to the conversation; whoever stays can withdraw it."""
    turn = say("and this?", by=mia).turn
    assert turn is not None
    remove_member(place_of(mia), by=alice)
    turn.refresh_from_db()
    assert turn.state == TurnState.QUEUED


def test_removing_twice_is_refused_the_second_time(alice: User, mia: User) -> None:
    place = place_of(mia)
    remove_member(place, by=alice)
    with pytest.raises(NotFound):
        remove_member(place, by=alice)
    assert AuditEntry.objects.filter(action=SecurityEvent.MEMBER_REMOVED).count() == 1


def test_admins_remove_others_but_no_owner_and_not_themselves(
    alice: User, ada: User, mia: User, vera: User, bob: User
) -> None:
    remove_member(place_of(mia), by=ada)
    with pytest.raises(NotAllowed, match="Only an owner"):
        remove_member(place_of(alice), by=ada)
    with pytest.raises(Invalid, match="Leave the workspace"):
        remove_member(place_of(ada), by=ada)
    for person in (vera, bob, mia):
        with pytest.raises(NotAllowed):
            remove_member(place_of(ada), by=person)
    assert Membership.objects.count() == 3


def test_anybody_else_leaves_at_will(team: Workspace, alice: User, vera: User, origin: Origin) -> None:
    leave_workspace(team, by=vera, origin=origin)
    assert role_in(vera, team.pk) is None
    assert AuditEntry.objects.get(action=SecurityEvent.MEMBER_LEFT).told["about"] == "vera: viewer"
    with pytest.raises(NotFound):
        leave_workspace(team, by=vera)


def test_an_owner_leaves_where_another_stays(team: Workspace, alice: User, owen: User) -> None:
    leave_workspace(team, by=alice)
    assert list(team.memberships.values_list("user__username", "role")) == [("owen", Role.OWNER)]


def told_at_once(*acts: Callable[[], object]) -> list[str]:
    """What each was told when all began together: "done", or the code of the refusal."""
    told: list[str] = []
    together = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> None:
        together.wait(30)
        try:
            act()
            told.append("done")
        except HoldfastError as refusal:
            told.append(refusal.code)

    in_threads(*(lambda act=act: run(act) for act in acts))
    return sorted(told)


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_demote_each_other_at_once_one_is_told_no(
    team: Workspace, alice: User, owen: User
) -> None:
    for _ in range(ROUNDS):
        told = told_at_once(
            lambda: change_role(place_of(owen), to=Role.ADMIN, by=alice),
            lambda: change_role(place_of(alice), to=Role.ADMIN, by=owen),
        )
        assert told == ["done", "not_allowed"]
        assert team.memberships.filter(role=Role.OWNER).count() == 1
        team.memberships.update(role=Role.OWNER)


@pytest.mark.django_db(transaction=True)
def test_of_two_owners_who_leave_at_once_one_stays(team: Workspace, alice: User, owen: User) -> None:
    told = told_at_once(lambda: leave_workspace(team, by=alice), lambda: leave_workspace(team, by=owen))
    assert told == ["done", "last_owner"]
    assert team.memberships.get().role == Role.OWNER


@pytest.mark.django_db(transaction=True)
def test_of_an_owner_who_hands_over_to_two_at_once_one_gets_it(
    team: Workspace, alice: User, mia: User, vera: User
) -> None:
    told = told_at_once(
        lambda: hand_over_ownership(team, by=alice, to=mia),
        lambda: hand_over_ownership(team, by=alice, to=vera),
    )
    assert told == ["done", "not_allowed"]
    assert team.memberships.filter(role=Role.OWNER).count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_database_alone_keeps_an_owner_from_two_who_do_not_ask_us(
    team: Workspace, alice: User, owen: User
) -> None:
    """Neither sees what the other has not committed yet; the second waits, looks again and is refused."""
    demoted, refused = threading.Event(), []

    def first() -> None:
        with transaction.atomic():
            Membership.objects.filter(user=owen).update(role=Role.ADMIN)
            demoted.set()
            if connection.vendor == "postgresql":
                wait_for(somebody_waits_for_a_lock)

    def second() -> None:
        demoted.wait(30)
        try:
            Membership.objects.filter(user=alice).update(role=Role.ADMIN)
        except IntegrityError as error:
            refused.append(str(error))

    in_threads(first, second)
    assert "never left without an owner" in refused[0]
    assert team.memberships.get(role=Role.OWNER).user == alice


def somebody_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        [(count,)] = cursor.fetchall()
    return bool(count)
