"""Makes invitations to a workspace, revokes them, and lets in who brings one that is still good."""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import timedelta

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db.models import F, QuerySet
from django.utils import timezone

from sessions_app.errors import Invalid, InvitationClosed, NotAllowed, NotFound
from sessions_app.models import Invitation, Membership, Removal, Role, SecurityEvent, User, Workspace
from sessions_app.models.invitation import INVITED_AS
from sessions_app.services.access import Act, may_in_workspace, require_in_workspace
from sessions_app.services.audit import COMMAND, Origin
from sessions_app.services.security_events import record_security_event
from sessions_app.services.transactions import one_transaction
from sessions_app.services.workspaces import lock_workspace

MOST_DAYS = 30
USUAL_DAYS = 7
MOST_USES = 1000
MOST_PENDING = 100
LONGEST_EMAIL = 254
TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")


@one_transaction
def invite(
    workspace: Workspace,
    *,
    by: User | None,
    role: Role = Role.MEMBER,
    days: int = USUAL_DAYS,
    email: str = "",
    uses: int | None = None,
    origin: Origin = COMMAND,
) -> tuple[Invitation, str]:
    """The invitation and its token, which nobody can read again. `uses` limits how many it lets in; one with an
    e-mail address lets in one person, whose account has this address."""
    workspace, email = lock_workspace(workspace), _checked_email(email)
    require_in_workspace(by, workspace.pk, Act.MEMBERS)
    uses = 1 if email else uses
    _check(workspace, role, days, uses)
    token, now = secrets.token_urlsafe(24), timezone.now()
    invitation = Invitation.objects.create(
        workspace=workspace,
        role=role,
        digest=_digest(token),
        email=email,
        most_uses=uses,
        invited_by=by,
        invited_at=now,
        expires_at=now + timedelta(days=days),
    )
    _record(SecurityEvent.INVITED, invitation, _about(invitation), by=by, origin=origin)
    return invitation, token


@one_transaction
def revoke_invitation(invitation: Invitation, *, by: User | None, origin: Origin = COMMAND) -> Invitation:
    """Afterwards it lets nobody in; who is in stays. Twice is once."""
    workspace = lock_workspace(invitation.workspace)
    require_in_workspace(by, workspace.pk, Act.MEMBERS)
    invitation = Invitation.objects.select_related("workspace").get(pk=invitation.pk)
    if not invitation.is_revoked:
        invitation.revoked_at, invitation.revoked_by = timezone.now(), by
        invitation.save(update_fields=["revoked_at", "revoked_by"])
        _record(SecurityEvent.INVITATION_REVOKED, invitation, _about(invitation), by=by, origin=origin)
    return invitation


def pending_invitations(workspace: Workspace, *, by: User) -> QuerySet[Invitation]:
    """What can still be used or revoked, the newest first, for those who may invite."""
    require_in_workspace(by, workspace.pk, Act.MEMBERS)
    rows = workspace.invitations.pending().select_related("invited_by", "workspace")
    return rows.order_by("-invited_at", "-pk")


def find_invitation(token: str) -> Invitation | None:
    """The invitation of this token, good or not."""
    if not TOKEN.fullmatch(token):
        return None
    rows = Invitation.objects.select_related("workspace", "invited_by")
    return rows.filter(digest=_digest(token)).first()


def open_invitation(token: str) -> Invitation | None:
    """The same, only where it still lets somebody in."""
    found = find_invitation(token)
    return found if found is not None and not why_closed(found) else None


def why_closed(invitation: Invitation) -> str:
    """Why it lets nobody in, as a sentence; empty while it does. It is as good as its maker's right to invite."""
    if invitation.is_revoked:
        return "This invitation was revoked."
    if invitation.is_expired:
        return "This invitation has expired."
    if invitation.is_used_up:
        return "This invitation was used already."
    if not may_in_workspace(invitation.invited_by, invitation.workspace_id, Act.MEMBERS):
        return "Whoever made this invitation may no longer invite people."
    return ""


@one_transaction
def accept_invitation(token: str, *, by: User, origin: Origin = COMMAND) -> Membership:
    """Afterwards `by` is in the workspace. Who is in already keeps their role, and nothing is used up."""
    found = find_invitation(token)
    if found is None or not by.is_active:
        raise NotFound("There is no such invitation; nothing was changed.")
    workspace = lock_workspace(found.workspace)
    invitation = Invitation.objects.select_related("workspace", "invited_by").get(pk=found.pk)
    member = workspace.memberships.filter(user=by).first()
    if member is not None:
        return member
    _require_good_for(by, invitation)
    Invitation.objects.filter(pk=invitation.pk).update(uses=F("uses") + 1)
    member = Membership.objects.create(workspace=workspace, user=by, role=invitation.role)
    about = f"{by.username}: {invitation.role}, {_about(invitation)}"
    _record(SecurityEvent.MEMBER_JOINED, invitation, about, by=by, origin=origin)
    return member


def _require_good_for(user: User, invitation: Invitation) -> None:
    if reason := why_closed(invitation):
        raise InvitationClosed(f"{reason} Nothing was changed. Ask for a new one.")
    if invitation.email and invitation.email.casefold() != user.email.casefold():
        raise NotAllowed(
            "This invitation was sent to another e-mail address than your account's; nothing was changed."
        )
    removals = Removal.objects.filter(workspace=invitation.workspace_id, user=user)
    if removals.filter(at__gte=invitation.invited_at).exists():
        raise InvitationClosed(
            "You were removed from this workspace after this invitation was made; nothing was changed. "
            "Ask for a new one."
        )


def _check(workspace: Workspace, role: str, days: int, uses: int | None) -> None:
    if role not in INVITED_AS:
        raise Invalid(f"People are invited as {', '.join(INVITED_AS)}; nothing was made.")
    if not 1 <= days <= MOST_DAYS:
        raise Invalid(f"An invitation is good for 1 to {MOST_DAYS} days; nothing was made.")
    if uses is not None and not 1 <= uses <= MOST_USES:
        raise Invalid(f"An invitation lets in 1 to {MOST_USES} people; nothing was made.")
    if workspace.invitations.pending().count() >= MOST_PENDING:
        raise Invalid(f"{MOST_PENDING} invitations are pending already; revoke one first. Nothing was made.")


def _checked_email(email: str) -> str:
    email = email.strip()
    if not email:
        return ""
    try:
        validate_email(email)
    except ValidationError as error:
        raise Invalid("This is no e-mail address; nothing was made.") from error
    if len(email) > LONGEST_EMAIL:
        raise Invalid(f"An e-mail address has at most {LONGEST_EMAIL} characters; nothing was made.")
    return email


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def _about(invitation: Invitation) -> str:
    """Which one it is, without its token."""
    whom = invitation.email or "a link"
    return f"{whom} as {invitation.role}, invitation {invitation.public_id}"


def _record(
    kind: SecurityEvent, invitation: Invitation, about: str, *, by: User | None, origin: Origin
) -> None:
    record_security_event(kind, by=by, workspace=invitation.workspace, about=about, origin=origin)
