"""Who may do what: one table of roles and acts, asked by every service, every time."""

from __future__ import annotations

from enum import Enum

from sessions_app.errors import NotAllowed
from sessions_app.models import Membership, Role, User

OPERATE = "sessions_app.operate"


class Act(Enum):
    READ = "read"
    WRITE = "write"  # start a conversation, post, stop, regenerate, rename, choose the agent
    CONTROL = "control"  # reset, restore, undo, fork, checkpoint, archive: each can be reversed
    MODERATE = "moderate"  # withdraw what somebody else wrote
    MEMBERS = "members"  # invite people, change their roles, remove them; rename the workspace
    OWNERS = "owners"  # make, demote and remove owners, hand the workspace over
    MANAGE = "manage"  # agents: what they are, where they ask and with which key
    PURGE = "purge"


ALLOWED = {
    Act.READ: (Role.OWNER, Role.ADMIN, Role.MEMBER, Role.VIEWER),
    Act.WRITE: (Role.OWNER, Role.ADMIN, Role.MEMBER),
    Act.CONTROL: (Role.OWNER, Role.ADMIN, Role.MEMBER),
    Act.MODERATE: (Role.OWNER, Role.ADMIN),
    Act.MEMBERS: (Role.OWNER, Role.ADMIN),
    Act.OWNERS: (Role.OWNER,),
    Act.MANAGE: (Role.OWNER, Role.ADMIN),
    Act.PURGE: (Role.OWNER,),
}
OPERATOR_MAY = (Act.READ, Act.CONTROL, Act.MANAGE)


def may(user: User | None, workspace_id: int, act: Act) -> bool:
    """None is the machine's operator at the command line, who may do everything but purge."""
    if user is None:
        return act is not Act.PURGE
    return role_in(user, workspace_id) in ALLOWED[act]


def require(user: User | None, workspace_id: int, act: Act) -> None:
    if not may(user, workspace_id, act) and not _operates(user, act):
        raise NotAllowed


def role_in(user: User, workspace_id: int) -> str | None:
    """Asked of the database each time: a role that was taken away a moment ago no longer counts."""
    memberships = Membership.objects.filter(user_id=user.pk, user__is_active=True, workspace_id=workspace_id)
    return memberships.values_list("role", flat=True).first()


def _operates(user: User | None, act: Act) -> bool:
    """Operators reset, restore and set up agents for all workspaces in the admin; they write and purge in none."""
    if user is None or act not in OPERATOR_MAY:
        return False
    return user.is_staff and user.has_perm(OPERATE)
