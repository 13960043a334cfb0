"""What the doors keep for themselves: the tokens with which scripts come in."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.db import models
from knox.models import AbstractAuthToken

from sessions_app.models import User


class Scope(models.TextChoices):
    """What a token may do at most, each with all that comes before it; its person's role is asked as well."""

    READ = "read", "read"
    WRITE = "write", "read and write"
    CONTROL = "control", "reset, restore and archive too"
    ADMIN = "admin", "manage agents and tokens too"

    def includes(self, wanted: Scope) -> bool:
        ranks = list(Scope)
        return ranks.index(wanted) <= ranks.index(self)


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def visible_to(self, user: User) -> ApiTokenQuerySet:
        """One's own, and nobody else's."""
        return self.filter(user=user, user__is_active=True)

    def within(self, token: ApiToken | None) -> ApiTokenQuerySet:
        """Those that open nothing which `token` does not; all of them for somebody who came without one."""
        found = self
        if token is not None and token.only_workspace:
            found = found.filter(only_workspace=token.only_workspace)
        if token is not None and token.only_conversation:
            found = found.filter(only_conversation=token.only_conversation)
        return found


class ApiToken(AbstractAuthToken):  # type: ignore[misc]
    """Only the digest is kept. Where it is good for one workspace or one conversation, their public ids say so:
    a token may outlive what it was made for, and then opens nothing."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(max_length=100)
    scope = models.CharField(max_length=10, choices=Scope.choices, default=Scope.READ)
    only_workspace = models.UUIDField(null=True, blank=True)
    only_conversation = models.UUIDField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_api_token"
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(scope__in=Scope.values), name="token_scope_known"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def prefix(self) -> str:
        """The beginning of the token, by which its owner knows it."""
        return str(self.token_key)

    def may(self, wanted: Scope) -> bool:
        return Scope(self.scope).includes(wanted)


class Exchange(models.Model):
    """A question that came through the OpenAI-compatible door: how its client's history is found again.

    `digest` covers the history as that client tells it, up to the question. Public ids, as above.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    key = models.CharField(max_length=100, null=True)  # noqa: DJ001 - null is "none", unique ignores it
    conversation = models.UUIDField()
    question = models.UUIDField()
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        db_table = "holdfast_exchange"
        indexes: ClassVar = [models.Index(fields=["user", "digest"], name="exchange_by_history")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "key"], name="one_exchange_per_key"),
        ]

    def __str__(self) -> str:
        return f"exchange in {self.conversation}"
