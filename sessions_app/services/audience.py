"""Who can see a conversation, and what each may do there and why: asked of many people at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q, QuerySet

from sessions_app.models import MANAGERS, Conversation, Grant, Level, Membership, User
from sessions_app.services.levels import level_of


@dataclass(frozen=True)
class Participant:
    """Somebody who can see it. Who is named and no longer an active member has no level, and sees nothing."""

    user: User
    role: str | None
    level: Level | None
    named: Level | None
    named_by: User | None
    is_starter: bool

    @property
    def is_kept_by_role(self) -> bool:
        """Whoever manages the workspace reaches what is not private without being named."""
        return self.role in MANAGERS


def audience(conversation: Conversation) -> list[Participant]:
    """Everybody who can see it, in the order of their names; those who would see it again come with them."""
    members = Membership.objects.filter(workspace=conversation.workspace_id, user__is_active=True)
    grants = {row.user_id: row for row in conversation.grants.select_related("user", "given_by")}
    people = {row.user_id: (row.user, row.role) for row in members.select_related("user")}
    dormant = {row.user_id: (row.user, None) for row in grants.values()}
    found = [
        _participant(conversation, user, role, grants.get(user.pk))
        for user, role in (dormant | people).values()
    ]
    seeing = (each for each in found if each.level or each.named)
    return sorted(seeing, key=lambda each: (each.level is None, each.user.name.casefold(), each.user.pk))


def people_near(conversation: Conversation) -> QuerySet[User]:
    """Whom it makes sense to name or to take out: members of its workspace, and who was one and is still named."""
    members = Membership.objects.filter(workspace=conversation.workspace_id).values("user_id")
    return User.objects.get_queryset().filter(
        Q(pk__in=members) | Q(pk__in=conversation.grants.values("user_id"))
    )


def levels(pairs: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Level]:
    """By person and conversation how far each reaches; who may not see it, or is deactivated, is not in it."""
    wanted = set(pairs)
    users, ids = {user for user, _ in wanted}, {place for _, place in wanted}
    places = Conversation.objects.in_bulk(ids)
    members = Membership.objects.filter(user__in=users, user__is_active=True)
    roles = _by_two(members.values_list("user_id", "workspace_id", "role"))
    grants = Grant.objects.filter(user__in=users, conversation__in=ids)
    named = _by_two(grants.values_list("user_id", "conversation_id", "level"))
    found = {
        (user, place): level_of(
            places[place].openness,
            roles.get((user, places[place].workspace_id)),
            named.get((user, place)),
        )
        for user, place in wanted
        if place in places
    }
    return {pair: level for pair, level in found.items() if level is not None}


def _by_two(rows: Iterable[tuple[int, int, str]]) -> dict[tuple[int, int], str]:
    return {(first, second): value for first, second, value in rows}


def _participant(
    conversation: Conversation, user: User, role: str | None, grant: Grant | None
) -> Participant:
    return Participant(
        user=user,
        role=role,
        level=level_of(conversation.openness, role, grant.level if grant else None),
        named=Level(grant.level) if grant else None,
        named_by=grant.given_by if grant else None,
        is_starter=conversation.started_by_id == user.pk,
    )
