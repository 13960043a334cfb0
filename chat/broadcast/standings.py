"""Whether those who are being sent something may still be: looked up for many of them at once (P11)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.contrib.sessions.models import Session as LoginSession
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from sessions_app.models import Conversation, Level, Membership, User
from sessions_app.services.audience import levels


class Lost(StrEnum):
    """Why somebody is shown out."""

    SIGNED_OUT = "signed_out"
    PASSWORD_CHANGED = "password_changed"
    DEACTIVATED = "deactivated"
    TOKEN_ENDED = "token_ended"
    NOT_A_MEMBER = "not_a_member"
    NOT_VISIBLE = "not_visible"
    NOT_KNOWN = "not_known"

    @property
    def sentence(self) -> str:
        return SENTENCES[self]


SENTENCES = {
    Lost.SIGNED_OUT: "You are signed out.",
    Lost.PASSWORD_CHANGED: "Your password was changed; sign in with the new one.",
    Lost.DEACTIVATED: "Your account was deactivated.",
    Lost.TOKEN_ENDED: "This token was revoked, or its time is over.",
    Lost.NOT_A_MEMBER: "You are no longer a member of this workspace.",
    Lost.NOT_VISIBLE: "This conversation is no longer shown to you.",
    Lost.NOT_KNOWN: "The server cannot look up whether you may still read this; come back in a moment.",
}


@dataclass(frozen=True)
class Asked:
    user_id: int
    login_key: str | None
    conversation_id: int | None
    login_hash: str = ""  # changes with the password; empty for who came in without one


@dataclass(frozen=True)
class Standing:
    """What somebody may still do. `lost` is None for who may stay, `level` for who has nothing open."""

    lost: Lost | None
    level: Level | None
    workspace_ids: frozenset[int]


def standings(asked: Sequence[Asked]) -> list[Standing]:
    users = User.objects.filter(is_active=True).in_bulk({one.user_id for one in asked})
    keys = {one.login_key for one in asked if one.login_key}
    logins = LoginSession.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    living = set(logins.values_list("session_key", flat=True))
    opened = {(one.user_id, one.conversation_id) for one in asked if one.conversation_id is not None}
    reached, teams = levels(opened), _teams(users)
    workspaces = dict(
        Conversation.objects.filter(pk__in={place for _, place in opened}).values_list("pk", "workspace_id")
    )

    def standing(one: Asked) -> Standing:
        place, team = one.conversation_id or 0, frozenset(teams[one.user_id])
        level = reached.get((one.user_id, place))
        lost = _login_lost(one, users.get(one.user_id), living)
        if lost is None and place and level is None:
            lost = Lost.NOT_A_MEMBER if workspaces.get(place, 0) not in {0, *team} else Lost.NOT_VISIBLE
        return Standing(lost, level, team)

    return [standing(one) for one in asked]


def _login_lost(one: Asked, user: User | None, living: set[str]) -> Lost | None:
    if user is None:
        return Lost.DEACTIVATED
    if one.login_key is not None and one.login_key not in living:
        return Lost.SIGNED_OUT
    if one.login_hash and not constant_time_compare(one.login_hash, user.get_session_auth_hash()):
        return Lost.PASSWORD_CHANGED
    return None


def _teams(users: dict[int, User]) -> dict[int, set[int]]:
    teams: dict[int, set[int]] = defaultdict(set)
    members = Membership.objects.filter(user__in=users)
    for user_id, workspace_id in members.values_list("user_id", "workspace_id"):
        teams[user_id].add(workspace_id)
    return teams
