"""What operators narrow lists down by, where a column alone does not say it."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from sessions_app.models import Action, AuditEntry, SecurityEvent, Trigger, TurnState, Workspace
from sessions_app.services.audit import INSTANCE_CHAIN

Choices = list[tuple[str, str]]
SECURITY = "security"


class ArchivedFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        return [("active", "active"), ("archived", "archived")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() in ("active", "archived"):
            return queryset.filter(archived_at__isnull=self.value() == "active")
        return queryset


class DeletedFilter(ArchivedFilter):
    """Conversations: a deleted one is not merely archived."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        return [*super().lookups(request, model_admin), ("deleted", "deleted")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == "deleted":
            return queryset.exclude(deleted_at=None)
        found = super().queryset(request, queryset)
        return found.filter(deleted_at=None) if self.value() else found


class ArchivedThroughFilter(admin.SimpleListFilter):
    """Sessions: through which door they were put away, as the audit log tells it."""

    title = "archived through"
    parameter_name = "through"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        return [(value, str(label)) for value, label in Trigger.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() not in Trigger.values:
            return queryset
        entries = AuditEntry.objects.filter(trigger=self.value(), old_session_id__isnull=False)
        return queryset.filter(pk__in=entries.values("old_session_id"))


class OutcomeFilter(admin.SimpleListFilter):
    """Messages: how the turn ended that wrote them."""

    title = "outcome"
    parameter_name = "outcome"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        return [(value, str(label)) for value, label in TurnState.choices]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(turn__state=self.value()) if self.value() in TurnState.values else queryset


class ActionFilter(admin.SimpleListFilter):
    title = "action"
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        named = [*Action.choices, *SecurityEvent.choices]
        return [(SECURITY, "any security event"), *((value, str(label)) for value, label in named)]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        if self.value() == SECURITY:
            return queryset.filter(chain=INSTANCE_CHAIN).exclude(action__in=Action.values)
        known = {*Action.values, *SecurityEvent.values}
        return queryset.filter(action=self.value()) if self.value() in known else queryset


class PlainWorkspaceFilter(admin.SimpleListFilter):
    """Audit entries name their workspace by a plain id, because they outlive it."""

    title = "workspace"
    parameter_name = "workspace"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Choices:
        return [(str(pk), name) for pk, name in Workspace.objects.order_by("name").values_list("pk", "name")]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        chosen = self.value() or ""
        return (
            queryset.filter(workspace_id=int(chosen)) if chosen.isascii() and chosen.isdigit() else queryset
        )
