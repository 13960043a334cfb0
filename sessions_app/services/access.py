"""Who may do what, in a workspace and in a conversation: asked by every service, every time."""

from __future__ import annotations

from enum import Enum

from django.db.models import Subquery

from sessions_app.errors import NotAllowed
from sessions_app.models import Conversation, Grant, Level, Membership, Openness, Role, User
from sessions_app.services.levels import Standing, reaches

OPERATE = "sessions_app.operate"


class Act(Enum):
    READ = "read"
    WRITE = "write"  # start a conversation, post, stop, regenerate, rename, choose the agent
    CONTROL = "control"  # reset, restore, undo, fork, checkpoint, archive: each can be reversed
    SHARE = "share"  # a conversation's openness, and who is named in it
    MODERATE = "moderate"  # withdraw what somebody else wrote
    MEMBERS = "members"  # invite people, change their roles, remove them; rename the workspace
    OWNERS = "owners"  # make, demote and remove owners, hand the workspace over
    MANAGE = "manage"  # agents, tool servers: what they are, where they ask and with which key
    PURGE = "purge"


ALLOWED = {
    Act.READ: (Role.OWNER, Role.ADMIN, Role.MEMBER, Role.VIEWER),
    Act.WRITE: (Role.OWNER, Role.ADMIN, Role.MEMBER),
    Act.CONTROL: (Role.OWNER, Role.ADMIN, Role.MEMBER),
    Act.SHARE: (Role.OWNER, Role.ADMIN, Role.MEMBER),
    Act.MODERATE: (Role.OWNER, Role.ADMIN),
    Act.MEMBERS: (Role.OWNER, Role.ADMIN),
    Act.OWNERS: (Role.OWNER,),
    Act.MANAGE: (Role.OWNER, Role.ADMIN),
    Act.PURGE: (Role.OWNER,),
}
OPERATOR_MAY = (Act.READ, Act.CONTROL, Act.SHARE, Act.MANAGE)
# What an act in a conversation needs there, besides the role. What is not here is done in no conversation.
NEEDS = {
    Act.READ: Level.VIEW,
    Act.WRITE: Level.WRITE,
    Act.CONTROL: Level.CONTROL,
    Act.SHARE: Level.CONTROL,
    Act.MODERATE: Level.WRITE,
    Act.PURGE: Level.CONTROL,
}
NOBODY = (Openness.PRIVATE, None, None)


def may(user: User | None, conversation: Conversation, act: Act) -> bool:
    """None is the machine's operator at the command line, who may do everything but purge."""
    if user is None:
        return act is not Act.PURGE
    return allows(standing_in(user, conversation), act)


def require(user: User | None, conversation: Conversation, act: Act) -> None:
    """The one rule for what is done in a conversation; `visible_to` is the same rule for what is found."""
    if not may(user, conversation, act) and not _operates(user, act):
        raise NotAllowed


def allows(found: Standing, act: Act) -> bool:
    """The role and the level must both reach so far."""
    if found.role not in ALLOWED[act] or not reaches(found.level, NEEDS[act]):
        return False
    return act is not Act.SHARE or found.may_share


def may_in_workspace(user: User | None, workspace_id: int, act: Act) -> bool:
    """The same for what is done in no conversation in particular."""
    if user is None:
        return act is not Act.PURGE
    return role_in(user, workspace_id) in ALLOWED[act]


def require_in_workspace(user: User | None, workspace_id: int, act: Act) -> None:
    if not may_in_workspace(user, workspace_id, act) and not _operates(user, act):
        raise NotAllowed


def role_in(user: User, workspace_id: int) -> str | None:
    """Asked of the database each time: a role that was taken away a moment ago no longer counts."""
    memberships = Membership.objects.filter(user_id=user.pk, user__is_active=True, workspace_id=workspace_id)
    return memberships.values_list("role", flat=True).first()


def standing_in(user: User, conversation: Conversation) -> Standing:
    """Openness, role and name, asked anew in one query: a door may have read its row a moment ago."""
    named = Grant.objects.filter(conversation=conversation, user_id=user.pk).values("level")
    openness = Conversation.objects.filter(pk=conversation.pk).values("openness")
    memberships = Membership.objects.filter(
        user_id=user.pk, user__is_active=True, workspace_id=conversation.workspace_id
    )
    found = memberships.annotate(openness=Subquery(openness), named=Subquery(named))
    openness_now, role, named_to = found.values_list("openness", "role", "named").first() or NOBODY
    return Standing(openness_now, role, named_to, is_starter=conversation.started_by_id == user.pk)


def _operates(user: User | None, act: Act) -> bool:
    """Operators reset, restore, share and set up agents for all workspaces in the admin; they write and purge
    in none."""
    if user is None or act not in OPERATOR_MAY:
        return False
    return user.is_staff and user.has_perm(OPERATE)
