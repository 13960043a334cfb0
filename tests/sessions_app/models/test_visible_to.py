"""Every queryset knows what a person may see; a new model is covered by being there."""

from __future__ import annotations

from typing import Any

import pytest
from django.apps import apps
from django.db.models import Model

from sessions_app.models import (
    AuditChain,
    AuditEntry,
    Conversation,
    IndexedSession,
    IndexedTitle,
    Instance,
    Level,
    Membership,
    Openness,
    PurgePermit,
    Role,
    ToolServer,
    User,
    Workspace,
)
from sessions_app.services.checkpoints import take_checkpoint
from sessions_app.services.conversations import pin_conversation, start_conversation
from sessions_app.services.invitations import invite
from sessions_app.services.members import remove_member
from sessions_app.services.sharing import change_openness, grant_access
from sessions_app.services.tool_listings import record_listing
from tests.sessions_app.conftest import Exchange, member_of

# What no door ever shows: the inside of the audit log, of the installation and of the search index.
INTERNAL = {AuditChain, PurgePermit, Instance, IndexedSession, IndexedTitle}
# What hangs on one conversation, and nothing else of its workspace does.
OF_A_CONVERSATION = {
    "Conversation",
    "Grant",
    "Session",
    "Message",
    "SessionEvent",
    "Turn",
    "Checkpoint",
    "AuditEntry",
}
MODELS = [model for model in apps.get_app_config("sessions_app").get_models() if model not in INTERNAL]


def seen(model: type[Model], by: User) -> set[Any]:
    rows: Any = model._default_manager
    return set(rows.visible_to(by).values_list("pk", flat=True))


@pytest.fixture
def everything(conversation: Conversation, exchange: Exchange, alice: User) -> None:
    """At least one row of each model."""
    exchange()
    take_checkpoint(conversation, by=alice, name="here")
    invite(conversation.workspace, by=alice)
    remove_member(
        Membership.objects.get(user=member_of(conversation.workspace, "ben", Role.VIEWER)), by=alice
    )
    pin_conversation(conversation, by=alice, pinned=True)
    server = ToolServer.objects.create(workspace=conversation.workspace, name="kelp", address="https://kelp")
    record_listing(server, [], by=alice)
    grant_access(conversation, by=alice, to=alice, level=Level.CONTROL)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.usefixtures("everything")
def test_members_see_what_is_their_teams_and_strangers_nothing(
    model: type[Model], alice: User, bob: User
) -> None:
    itself = {bob.pk} if model is User else set()
    assert seen(model, alice)
    assert seen(model, bob) == itself
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert seen(model, User.objects.get(pk=alice.pk)) == set()


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.usefixtures("everything")
def test_two_teams_do_not_see_each_other(model: type[Model], alice: User) -> None:
    reef = Workspace.objects.create(name="Reef", slug="reef")
    rita = member_of(reef, "rita", Role.OWNER)
    start_conversation(reef, by=rita)
    assert not seen(model, alice) & seen(model, rita)


@pytest.mark.usefixtures("everything")
def test_what_somebody_keeps_about_a_conversation_is_theirs_alone(alice: User, vera: User) -> None:
    model = apps.get_model("sessions_app", "PersonalState")
    assert seen(model, alice)
    assert seen(model, vera) == set()


def test_people_see_whom_they_share_a_team_with(alice: User, vera: User, bob: User) -> None:
    assert seen(User, alice) == seen(User, vera) == {alice.pk, vera.pk}


@pytest.mark.parametrize("model", [model for model in MODELS if model.__name__ in OF_A_CONVERSATION])
@pytest.mark.usefixtures("everything")
def test_what_leads_to_a_private_conversation_is_seen_by_who_is_named_alone(
    model: type[Model], conversation: Conversation, team: Workspace, alice: User
) -> None:
    adam = member_of(team, "adam", Role.ADMIN)
    of_the_workspace = set(AuditEntry.objects.filter(conversation_id=None).values_list("pk", flat=True))
    others = of_the_workspace if model is AuditEntry else set()
    change_openness(conversation, by=alice, openness=Openness.PRIVATE)
    assert seen(model, alice) > others
    assert seen(model, adam) - others == set()
    change_openness(conversation, by=alice, openness=Openness.RESTRICTED)
    assert seen(model, adam) == seen(model, alice)
