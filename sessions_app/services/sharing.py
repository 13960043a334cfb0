"""Says to whom a conversation is open and who is named in it, on the record and in the transcript."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from sessions_app.errors import Invalid, NobodyControls
from sessions_app.models import (
    Action,
    Conversation,
    Grant,
    Level,
    Membership,
    Openness,
    Role,
    User,
)
from sessions_app.services.access import Act, require
from sessions_app.services.audit import COMMAND, Origin, write_entry
from sessions_app.services.conversations import known_openness, lock_for, log_settings
from sessions_app.services.levels import CEILING, reaches
from sessions_app.services.log import lock_conversation
from sessions_app.services.transactions import one_transaction

CONTROLLING_ROLES = [role for role in Role if reaches(CEILING[role], Level.CONTROL)]


@one_transaction
def change_openness(
    conversation: Conversation, *, by: User | None, openness: str, origin: Origin = COMMAND
) -> Conversation:
    """Who started what is closed stays in it, and so does who makes it private. Twice is once."""
    openness = known_openness(openness)
    conversation = lock_for(conversation, by, Act.SHARE)
    before, now = conversation.openness, timezone.now()
    if before == openness:
        return conversation
    conversation.openness = openness
    conversation.save(update_fields=["openness"])
    if openness != Openness.OPEN and conversation.started_by is not None:
        _keep_in(conversation, conversation.started_by, by=by, at=now)
    if openness == Openness.PRIVATE and by is not None:
        _keep_in(conversation, by, by=by, at=now, level_at_least=Level.CONTROL)
    _require_controller(conversation)
    changed = {"openness": {"from": before, "to": str(openness)}}
    _tell(conversation, Action.CHANGE_OPENNESS, changed, by=by, origin=origin, at=now)
    return conversation


@one_transaction
def grant_access(
    conversation: Conversation, *, by: User | None, to: User, level: str, origin: Origin = COMMAND
) -> Grant:
    """Names a member of the workspace, or changes how far they reach. Twice is once."""
    conversation = lock_for(conversation, by, Act.SHARE)
    level = _fitting_level(conversation, to, level)
    grant = conversation.grants.filter(user=to).first()
    if grant is not None and grant.level == level:
        return grant
    grant = name_and_tell(conversation, to, level, by=by, origin=origin, at=timezone.now())
    _require_controller(conversation)
    return grant


@one_transaction
def revoke_access(conversation: Conversation, *, by: User | None, of: User, origin: Origin = COMMAND) -> None:
    """Afterwards they are not named. Everybody may take themselves out of what is closed; in what is open to be
    named can only lower, so that this is for those who share it. Twice is once."""
    conversation = lock_conversation(conversation)
    is_leaving = by == of and not conversation.is_open
    require(by, conversation, Act.READ if is_leaving else Act.SHARE)
    grant, now = conversation.grants.filter(user=of).first(), timezone.now()
    if grant is None:
        return
    grant.delete()
    _require_controller(conversation)
    changed = {"person": _person(of), "level": {"from": grant.level, "to": None}}
    _tell(conversation, Action.REVOKE_ACCESS, changed, by=by, origin=origin, at=now)


def name_and_tell(
    conversation: Conversation, user: User, level: Level, *, by: User | None, origin: Origin, at: datetime
) -> Grant:
    """Inside the caller's lock."""
    before = conversation.grants.filter(user=user).values_list("level", flat=True).first()
    grant = _named(conversation, user, level, by=by, at=at)
    changed = {"person": _person(user), "level": {"from": before, "to": str(level)}}
    _tell(conversation, Action.GRANT_ACCESS, changed, by=by, origin=origin, at=at)
    return grant


def controllers(conversation: Conversation) -> QuerySet[Grant]:
    """Who is named with control, and may use it."""
    return effective_grants(conversation).filter(level=Level.CONTROL)


def effective_grants(conversation: Conversation) -> QuerySet[Grant]:
    """Of those who could control it, were they named so."""
    return Grant.objects.filter(
        conversation=conversation,
        user__is_active=True,
        user__memberships__workspace=conversation.workspace_id,
        user__memberships__role__in=CONTROLLING_ROLES,
    )


def _require_controller(conversation: Conversation) -> None:
    """What is not private is controlled by those who manage the workspace too."""
    if conversation.openness == Openness.PRIVATE and not controllers(conversation).exists():
        raise NobodyControls


def _fitting_level(conversation: Conversation, user: User, level: str) -> Level:
    if level not in Level.values:
        raise Invalid("Somebody may view, write or control; nothing was changed.")
    members = Membership.objects.filter(workspace=conversation.workspace_id, user=user, user__is_active=True)
    role = members.values_list("role", flat=True).first()
    if role is None:
        raise Invalid("Only active members of the workspace can be named; nothing was changed.")
    if not reaches(CEILING[Role(role)], Level(level)):
        raise Invalid("A viewer of the workspace can be named to view alone; nothing was changed.")
    return Level(level)


def _keep_in(
    conversation: Conversation,
    user: User,
    *,
    by: User | None,
    at: datetime,
    level_at_least: Level | None = None,
) -> None:
    grant = conversation.grants.filter(user=user).first()
    if grant is None or (level_at_least is not None and not reaches(grant.level, level_at_least)):
        _named(conversation, user, Level.CONTROL, by=by, at=at)


def _named(conversation: Conversation, user: User, level: Level, *, by: User | None, at: datetime) -> Grant:
    told = {"level": level, "given_by": by, "given_at": at}
    grant, _ = Grant.objects.update_or_create(conversation=conversation, user=user, defaults=told)
    return grant


def _tell(
    conversation: Conversation,
    action: Action,
    changed: dict[str, Any],
    *,
    by: User | None,
    origin: Origin,
    at: datetime,
) -> None:
    log_settings(conversation, {"access": changed}, by=by, at=at)
    write_entry(conversation, action, by=by, origin=origin, at=at, changed=changed)


def _person(user: User) -> dict[str, str]:
    return {"id": str(user.public_id), "name": user.name}
