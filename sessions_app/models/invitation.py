"""An invitation lets somebody into a workspace for a while. Only the digest of its token is kept."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from sessions_app.models.workspace import Role, Workspace

if TYPE_CHECKING:
    from sessions_app.models.user import User

# An owner is made by an owner, of somebody who is in already.
INVITED_AS = (Role.ADMIN, Role.MEMBER, Role.VIEWER)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def visible_to(self, user: User) -> InvitationQuerySet:
        """Those of the teams this person is in; who may list and revoke them, the services decide."""
        return self.filter(workspace__in=Workspace.objects.visible_to(user))

    def pending(self) -> InvitationQuerySet:
        """Neither revoked nor expired nor used up."""
        has_uses = Q(most_uses=None) | Q(uses__lt=F("most_uses"))
        return self.filter(has_uses, revoked_at=None, expires_at__gt=timezone.now())


class Invitation(models.Model):
    """A link for as many as `most_uses` says, or for any number; one with an e-mail address is for that person."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="invitations")
    role = models.CharField(max_length=10, choices=[(role.value, role.label) for role in INVITED_AS])
    digest = models.CharField(max_length=64, unique=True)
    email = models.EmailField(blank=True)
    most_uses = models.PositiveIntegerField(null=True)
    uses = models.PositiveIntegerField(default=0)
    invited_by = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")
    invited_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_by = models.ForeignKey("sessions_app.User", models.PROTECT, null=True, related_name="+")
    revoked_at = models.DateTimeField(null=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_invitation"
        constraints = [
            models.CheckConstraint(condition=Q(role__in=INVITED_AS), name="invitation_role_known"),
            models.CheckConstraint(
                condition=Q(most_uses=None) | Q(uses__lte=F("most_uses")), name="invitation_not_overused"
            ),
            models.CheckConstraint(
                condition=Q(email="") | Q(most_uses=1), name="invitation_by_mail_is_for_one"
            ),
        ]

    def __str__(self) -> str:
        return f"invitation to {self.workspace} as {self.role}"

    @property
    def is_revoked(self) -> bool:
        return self.revoked_at is not None

    @property
    def is_expired(self) -> bool:
        return self.expires_at <= timezone.now()

    @property
    def is_used_up(self) -> bool:
        return self.most_uses is not None and self.uses >= self.most_uses
