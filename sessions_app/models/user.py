"""A person. People are deactivated, never deleted, because the log names them."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q

from sessions_app.models.workspace import Membership, Workspace


class UserQuerySet(models.QuerySet["User"]):
    def visible_to(self, user: User) -> UserQuerySet:
        """Oneself and everybody one shares a team with; nobody at all for somebody deactivated."""
        if not user.is_active:
            return self.none()
        shared = Membership.objects.filter(workspace__in=Workspace.objects.visible_to(user))
        return self.filter(Q(pk=user.pk) | Q(pk__in=shared.values("user_id")))


class PersonManager(UserManager["User"]):
    use_in_migrations = False

    def get_queryset(self) -> UserQuerySet:
        return UserQuerySet(self.model, using=self._db)

    def visible_to(self, user: User) -> UserQuerySet:
        return self.get_queryset().visible_to(user)


class User(AbstractUser):
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    display_name = models.CharField(max_length=100, blank=True)
    # Who has signed up by themselves comes in once an address of theirs is confirmed.
    must_confirm_email = models.BooleanField(default=False)

    objects: ClassVar[PersonManager] = PersonManager()

    class Meta:
        db_table = "holdfast_user"

    @property
    def name(self) -> str:
        return self.display_name or self.username
