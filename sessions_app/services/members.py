"""Who is in a workspace, and as what: roles change, people leave or are removed, and an owner always stays."""

from __future__ import annotations

from django.utils import timezone

from sessions_app.errors import Invalid, LastOwner, NotAllowed, NotFound
from sessions_app.models import Membership, Removal, Role, SecurityEvent, User, Workspace
from sessions_app.services.access import ALLOWED, Act, require_in_workspace
from sessions_app.services.audit import COMMAND, Origin
from sessions_app.services.security_events import record_security_event
from sessions_app.services.succession import hand_over_control
from sessions_app.services.transactions import one_transaction
from sessions_app.services.workspaces import lock_workspace


@one_transaction
def change_role(member: Membership, *, to: Role, by: User | None, origin: Origin = COMMAND) -> Membership:
    """Afterwards the person has this role. Only owners make and demote owners; the last one stays."""
    if to not in Role.values:
        raise Invalid(f"A role is one of {', '.join(Role.values)}; nothing was changed.")
    workspace, member = _locked(member)
    _require_for(by, workspace, member.role, to)
    if member.role == to:
        return member
    if member.role == Role.OWNER:
        _require_another_owner(member)
    _set_role(member, to, by=by, origin=origin)
    return member


@one_transaction
def hand_over_ownership(workspace: Workspace, *, by: User, to: User, origin: Origin = COMMAND) -> Membership:
    """Afterwards `to` owns the workspace and `by` is an admin of it."""
    workspace = lock_workspace(workspace)
    require_in_workspace(by, workspace.pk, Act.OWNERS)
    if to.pk == by.pk:
        raise Invalid("You own this workspace already; nothing was changed.")
    heir = workspace.memberships.select_related("user").filter(user=to, user__is_active=True).first()
    if heir is None:
        raise NotFound("Only somebody who is in the workspace can be given it; nothing was changed.")
    # First the new owner: the database refuses to be without one in between.
    Membership.objects.filter(pk=heir.pk).update(role=Role.OWNER)
    workspace.memberships.filter(user=by).update(role=Role.ADMIN)
    heir.role = Role.OWNER
    _record(SecurityEvent.OWNERSHIP_HANDED_OVER, heir, about=f"to {to.username}", by=by, origin=origin)
    return heir


@one_transaction
def remove_member(member: Membership, *, by: User | None, origin: Origin = COMMAND) -> None:
    """Afterwards the person may see nothing of it, and no earlier invitation lets them in again. What they wrote
    stays, and so does what they kept for themselves, for the day they come back."""
    workspace, member = _locked(member)
    _require_for(by, workspace, member.role)
    if by is not None and member.user_id == by.pk:
        raise Invalid("You cannot remove yourself. Leave the workspace instead; nothing was changed.")
    _delete(member, by=by, origin=origin)
    Removal.objects.update_or_create(workspace=workspace, user=member.user, defaults={"at": timezone.now()})
    _record(SecurityEvent.MEMBER_REMOVED, member, about=_told(member), by=by, origin=origin)


@one_transaction
def leave_workspace(workspace: Workspace, *, by: User, origin: Origin = COMMAND) -> None:
    """Afterwards `by` is no longer in it. Whoever is its last owner hands it over first."""
    workspace = lock_workspace(workspace)
    member = workspace.memberships.select_related("user", "workspace").filter(user=by).first()
    if member is None:
        raise NotFound
    _delete(member, by=by, origin=origin)
    _record(SecurityEvent.MEMBER_LEFT, member, about=_told(member), by=by, origin=origin)


def roles_to_give(role: str | None, current: str) -> list[Role]:
    """What somebody of this role may make of somebody who is `current`; the same rule, for what pages offer."""
    if role not in ALLOWED[Act.MEMBERS] or (current == Role.OWNER and role not in ALLOWED[Act.OWNERS]):
        return []
    return [to for to in Role if to != Role.OWNER or role in ALLOWED[Act.OWNERS]]


def may_remove(role: str | None, current: str) -> bool:
    return role in ALLOWED[Act.OWNERS if current == Role.OWNER else Act.MEMBERS]


def _locked(member: Membership) -> tuple[Workspace, Membership]:
    """Under the workspace's lock, so that the role is the one that counts now."""
    workspace = lock_workspace(member.workspace)
    return workspace, Membership.objects.select_related("user", "workspace").get(pk=member.pk)


def _require_for(by: User | None, workspace: Workspace, *roles: str) -> None:
    """What concerns owners takes more than what concerns anybody else."""
    require_in_workspace(by, workspace.pk, Act.MEMBERS)
    if Role.OWNER in roles:
        try:
            require_in_workspace(by, workspace.pk, Act.OWNERS)
        except NotAllowed as error:
            raise NotAllowed(
                "Only an owner makes, demotes or removes owners; nothing was changed."
            ) from error


def _require_another_owner(member: Membership) -> None:
    """The database counts every owner; somebody who can no longer sign in is none to the people."""
    owners = Membership.objects.filter(workspace=member.workspace_id, role=Role.OWNER, user__is_active=True)
    if not owners.exclude(pk=member.pk).exists():
        raise LastOwner


def _set_role(member: Membership, to: Role, *, by: User | None, origin: Origin) -> None:
    about, member.role = f"{_told(member)} → {to}", to
    member.save(update_fields=["role"])
    hand_over_control(member.user, by=by, workspace=member.workspace, origin=origin)
    _record(SecurityEvent.ROLE_CHANGED, member, about=about, by=by, origin=origin)


def _delete(member: Membership, *, by: User | None, origin: Origin) -> None:
    if member.role == Role.OWNER:
        _require_another_owner(member)
    Membership.objects.filter(pk=member.pk).delete()
    hand_over_control(member.user, by=by, workspace=member.workspace, origin=origin)


def _told(member: Membership) -> str:
    return f"{member.user.username}: {member.role}"


def _record(kind: SecurityEvent, member: Membership, *, about: str, by: User | None, origin: Origin) -> None:
    record_security_event(kind, by=by, workspace=member.workspace, about=about, origin=origin)
