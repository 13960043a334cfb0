"""A team: its members and what each may do."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from sessions_app.models.user import User


class Role(models.TextChoices):
    OWNER = "owner"
    ADMIN = "admin"
    MEMBER = "member"
    VIEWER = "viewer"


# They manage the workspace: its agents, its members, and whatever is not private in it.
MANAGERS = (Role.OWNER, Role.ADMIN)


class WorkspaceQuerySet(models.QuerySet["Workspace"]):
    def visible_to(self, user: User) -> WorkspaceQuerySet:
        """The teams this person is in; none at all for somebody deactivated."""
        if not user.is_active:
            return self.none()
        return self.filter(pk__in=Membership.objects.filter(user_id=user.pk).values("workspace_id"))


class Workspace(models.Model):
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=100)
    slug = models.SlugField(max_length=60, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = WorkspaceQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_workspace"

    def __str__(self) -> str:
        return self.name


class MembershipQuerySet(models.QuerySet["Membership"]):
    def visible_to(self, user: User) -> MembershipQuerySet:
        return self.filter(workspace__in=Workspace.objects.visible_to(user))

    def managing(self) -> MembershipQuerySet:
        return self.filter(role__in=MANAGERS)


class Membership(models.Model):
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="memberships")
    user = models.ForeignKey("sessions_app.User", models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(auto_now_add=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_membership"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user"], name="one_membership_per_person"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} in {self.workspace} as {self.role}"


class RemovalQuerySet(models.QuerySet["Removal"]):
    def visible_to(self, user: User) -> RemovalQuerySet:
        return self.filter(workspace__in=Workspace.objects.visible_to(user))


class Removal(models.Model):
    """Somebody was removed, the last time then: invitations made before no longer let them in."""

    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="removals")
    user = models.ForeignKey("sessions_app.User", models.PROTECT, related_name="+")
    at = models.DateTimeField()

    objects = RemovalQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_removal"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "user"], name="one_removal_per_person"),
        ]

    def __str__(self) -> str:
        return f"{self.user} out of {self.workspace}"
