from __future__ import annotations

import pytest

from sessions_app.models import AuditEntry, Conversation, Session, User, Workspace
from sessions_app.services.audit import Origin
from sessions_app.services.bulk_restore import TWO_OF_ONE, plan_restores, restore_planned
from sessions_app.services.conversations import archive_conversation, start_conversation
from sessions_app.services.reset import reset_conversation
from sessions_app.services.restore import undo_move


@pytest.fixture
def lost(team: Workspace, alice: User, origin: Origin) -> list[Session]:
    """Three conversations that were reset: what they were before."""
    found: list[int] = []
    for number in range(3):
        conversation = start_conversation(team, by=alice, key=f"lost:{number}")
        entry = reset_conversation(
            conversation, by=alice, expected_session=conversation.active_session, origin=origin
        )
        found.append(entry.old_session_id or 0)
    return list(Session.objects.filter(pk__in=found).select_related("conversation").order_by("pk"))


def test_the_plan_says_what_becomes_active_and_what_is_archived(lost: list[Session]) -> None:
    plans = plan_restores(lost)
    assert [(plan.session.number, plan.active.number, plan.problem) for plan in plans] == [(1, 2, "")] * 3
    assert AuditEntry.objects.filter(action="restore_session").count() == 0


def test_all_of_them_come_back(lost: list[Session], alice: User, origin: Origin) -> None:
    outcomes = restore_planned(plan_restores(lost), by=alice, origin=origin, reason="incident")
    assert [outcome.problem for outcome in outcomes] == [""] * 3
    assert [Session.objects.get(pk=session.pk).is_active for session in lost] == [True] * 3


def test_one_that_is_refused_holds_up_no_other(lost: list[Session], alice: User, origin: Origin) -> None:
    archive_conversation(lost[0].conversation, by=alice)
    plans = plan_restores(lost)
    moved = lost[1].conversation
    moved.refresh_from_db()
    undo_move(moved, entry=moved.active_entry, by=alice, origin=origin)
    outcomes = restore_planned(plans, by=alice, origin=origin)
    assert [bool(outcome.problem) for outcome in outcomes] == [True, True, False]


def test_two_sessions_of_one_conversation_are_refused(
    conversation: Conversation, alice: User, origin: Origin
) -> None:
    for _ in range(2):
        conversation.refresh_from_db()
        reset_conversation(
            conversation, by=alice, expected_session=conversation.active_session, origin=origin
        )
    plans = plan_restores(conversation.sessions.filter(number__lt=3))
    assert [plan.problem for plan in plans] == [TWO_OF_ONE] * 2


def test_a_repetition_changes_nothing(lost: list[Session], alice: User, origin: Origin) -> None:
    plans = plan_restores(lost)
    first = restore_planned(plans, by=alice, origin=origin, key="once")
    again = restore_planned(plans, by=alice, origin=origin, key="once")
    assert [outcome.entry for outcome in first] == [outcome.entry for outcome in again]
    assert AuditEntry.objects.filter(action="restore_session").count() == 3
