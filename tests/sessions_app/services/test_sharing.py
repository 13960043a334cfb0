"""Open, restricted, private: who is named keeps their way in, nobody is left without, and all of it is told."""

from __future__ import annotations

import pytest

from sessions_app.errors import Invalid, NobodyControls, NotAllowed
from sessions_app.models import (
    Action,
    Agent,
    AuditEntry,
    Conversation,
    EventKind,
    Grant,
    Level,
    Membership,
    Openness,
    Role,
    SessionEvent,
    User,
    Workspace,
)
from sessions_app.services.access import Act, may
from sessions_app.services.audit import Origin
from sessions_app.services.conversations import start_conversation
from sessions_app.services.reset import reset_conversation
from sessions_app.services.sharing import change_openness, grant_access, revoke_access
from sessions_app.services.succession import hand_over_control
from sessions_app.services.transcript import post_message
from sessions_app.services.verify import verify
from tests.sessions_app.conftest import member_of


@pytest.fixture
def adam(team: Workspace) -> User:
    return member_of(team, "adam", Role.ADMIN)


@pytest.fixture
def diary(team: Workspace, mia: User, alice: User, vera: User, adam: User, echo: Agent) -> Conversation:
    """mia's own: nobody else is named."""
    return start_conversation(team, by=mia, title="Diary", agent=echo, openness=Openness.PRIVATE)


def sees(user: User, conversation: Conversation) -> bool:
    return Conversation.objects.visible_to(user).filter(pk=conversation.pk).exists()


def test_what_is_private_exists_for_its_starter_alone(
    diary: Conversation, mia: User, alice: User, adam: User, vera: User, bob: User
) -> None:
    assert sees(mia, diary)
    assert may(mia, diary, Act.CONTROL)
    for other in (alice, adam, vera, bob):
        assert not sees(other, diary)
        assert not any(may(other, diary, act) for act in (Act.READ, Act.WRITE, Act.CONTROL, Act.PURGE))


def test_what_is_restricted_is_seen_by_those_who_manage_the_workspace(
    diary: Conversation, mia: User, alice: User, adam: User, vera: User
) -> None:
    change_openness(diary, by=mia, openness=Openness.RESTRICTED)
    assert [sees(user, diary) for user in (mia, alice, adam, vera)] == [True, True, True, False]


def test_a_named_person_gets_in_as_far_as_their_level_and_out_again(
    diary: Conversation, mia: User, adam: User, origin: Origin
) -> None:
    grant_access(diary, by=mia, to=adam, level=Level.WRITE)
    post_message(diary, by=adam, text="hello", client_id="1")
    with pytest.raises(NotAllowed):
        reset_conversation(diary, by=adam, expected_session=diary.active_session, origin=origin)
    with pytest.raises(NotAllowed):
        grant_access(diary, by=adam, to=adam, level=Level.CONTROL)
    grant_access(diary, by=mia, to=adam, level=Level.VIEW)
    with pytest.raises(NotAllowed):
        post_message(diary, by=adam, text="hello again", client_id="2")
    revoke_access(diary, by=mia, of=adam)
    assert not sees(adam, diary)


def test_the_role_is_the_ceiling(diary: Conversation, mia: User, vera: User, bob: User) -> None:
    with pytest.raises(Invalid, match="viewer of the workspace"):
        grant_access(diary, by=mia, to=vera, level=Level.WRITE)
    with pytest.raises(Invalid, match="active members"):
        grant_access(diary, by=mia, to=bob, level=Level.VIEW)
    with pytest.raises(Invalid, match="view, write or control"):
        grant_access(diary, by=mia, to=vera, level="rule")
    grant_access(diary, by=mia, to=vera, level=Level.VIEW)
    Membership.objects.filter(user=mia).update(role=Role.VIEWER)
    assert sees(mia, diary)
    assert not may(mia, diary, Act.WRITE)


def test_a_name_counts_while_its_person_is_an_active_member(diary: Conversation, mia: User) -> None:
    Membership.objects.filter(user=mia).delete()
    assert not sees(mia, diary)
    assert not may(mia, diary, Act.READ)
    Membership.objects.create(workspace=diary.workspace, user=mia, role=Role.MEMBER)
    assert sees(mia, diary)
    User.objects.filter(pk=mia.pk).update(is_active=False)
    assert not sees(User.objects.get(pk=mia.pk), diary)
    assert not may(mia, diary, Act.READ)


def test_in_what_is_open_a_name_only_lowers(conversation: Conversation, alice: User, mia: User) -> None:
    grant_access(conversation, by=alice, to=mia, level=Level.VIEW)
    assert sees(mia, conversation)
    assert not may(mia, conversation, Act.WRITE)
    with pytest.raises(NotAllowed):
        revoke_access(conversation, by=mia, of=mia)
    grant_access(conversation, by=alice, to=alice, level=Level.VIEW)
    assert may(alice, conversation, Act.CONTROL)


def test_a_member_cannot_take_a_teams_conversation_away(conversation: Conversation, mia: User) -> None:
    assert may(mia, conversation, Act.CONTROL)
    for openness in (Openness.PRIVATE, Openness.RESTRICTED):
        with pytest.raises(NotAllowed):
            change_openness(conversation, by=mia, openness=openness)
    with pytest.raises(NotAllowed):
        grant_access(conversation, by=mia, to=mia, level=Level.CONTROL)


def test_who_closes_a_conversation_and_who_started_it_stay_in_it(
    team: Workspace, mia: User, adam: User, alice: User
) -> None:
    conversation = start_conversation(team, by=mia)
    change_openness(conversation, by=adam, openness=Openness.PRIVATE)
    assert [sees(user, conversation) for user in (mia, adam, alice)] == [True, True, False]
    assert may(mia, conversation, Act.SHARE)
    assert may(adam, conversation, Act.SHARE)


def test_what_is_private_is_never_left_to_nobody(diary: Conversation, mia: User, adam: User) -> None:
    grant_access(diary, by=mia, to=adam, level=Level.WRITE)
    for leave in (
        lambda: revoke_access(diary, by=mia, of=mia),
        lambda: grant_access(diary, by=mia, to=mia, level=Level.VIEW),
    ):
        with pytest.raises(NobodyControls):
            leave()
    grant_access(diary, by=mia, to=adam, level=Level.CONTROL)
    revoke_access(diary, by=mia, of=mia)
    assert not sees(mia, diary)
    assert may(adam, diary, Act.SHARE)


def test_everybody_may_take_themselves_out_of_what_is_closed(
    diary: Conversation, mia: User, vera: User
) -> None:
    grant_access(diary, by=mia, to=vera, level=Level.VIEW)
    revoke_access(diary, by=vera, of=vera)
    assert not sees(vera, diary)
    with pytest.raises(NotAllowed):
        revoke_access(diary, by=vera, of=mia)


def test_who_is_named_highest_controls_it_when_its_person_leaves(
    diary: Conversation, mia: User, alice: User, vera: User, adam: User
) -> None:
    for user, level in ((vera, Level.VIEW), (alice, Level.VIEW), (adam, Level.WRITE)):
        grant_access(diary, by=mia, to=user, level=level)
    assert hand_over_control(mia, by=alice) == []
    Membership.objects.filter(user=mia).update(role=Role.VIEWER)
    assert hand_over_control(mia, by=alice) == [diary]
    assert hand_over_control(mia, by=alice) == []
    assert may(adam, diary, Act.SHARE)
    assert not may(alice, diary, Act.WRITE)


def test_where_nobody_else_is_named_it_waits_for_its_person(
    diary: Conversation, mia: User, alice: User
) -> None:
    Membership.objects.filter(user=mia).delete()
    assert hand_over_control(mia, by=alice) == []
    assert not sees(alice, diary)


def test_each_change_is_told_once_in_the_chain_and_in_the_transcript(
    diary: Conversation, mia: User, adam: User, origin: Origin
) -> None:
    for _ in range(2):
        change_openness(diary, by=mia, openness=Openness.RESTRICTED, origin=origin)
        grant_access(diary, by=mia, to=adam, level=Level.VIEW, origin=origin)
    for _ in range(2):
        revoke_access(diary, by=mia, of=adam, origin=origin)
    entries = AuditEntry.objects.filter(conversation_id=diary.pk).order_by("number")
    assert [(entry.action, entry.new_session_id is None) for entry in entries] == [
        (Action.START, False),
        (Action.CHANGE_OPENNESS, True),
        (Action.GRANT_ACCESS, True),
        (Action.REVOKE_ACCESS, True),
    ]
    assert entries[0].told["openness"] == Openness.PRIVATE
    assert entries[1].told["changed"] == {"openness": {"from": "private", "to": "restricted"}}
    assert entries[3].trigger == origin.trigger
    told = SessionEvent.objects.filter(session=diary.active_session, kind=EventKind.SETTINGS_CHANGED)
    assert [event.content["changed"]["access"] for event in told.order_by("seq")] == [
        entry.told["changed"] for entry in entries[1:]
    ]
    assert verify().is_clean


def test_bad_words_are_refused(diary: Conversation, team: Workspace, mia: User) -> None:
    with pytest.raises(Invalid, match="open, restricted or private"):
        change_openness(diary, by=mia, openness="ajar")
    with pytest.raises(Invalid, match="open, restricted or private"):
        start_conversation(team, by=mia, openness="ajar")


def test_the_machines_operator_may_name_somebody_but_leave_it_to_nobody(
    diary: Conversation, mia: User, alice: User
) -> None:
    grant_access(diary, by=None, to=alice, level=Level.CONTROL)
    assert sees(alice, diary)
    revoke_access(diary, by=None, of=alice)
    with pytest.raises(NobodyControls):
        revoke_access(diary, by=None, of=mia)
    assert Grant.objects.get(conversation=diary).user == mia
