"""The audit log in the admin: filtered, searched, exported, and verified before the operator's eyes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import URLPattern, path
from django.utils import timezone

from chat.admin.filters import ActionFilter, PlainWorkspaceFilter
from chat.admin.records import RecordAdmin
from chat.recovery.operators import is_operator, who
from sessions_app.models import AuditEntry
from sessions_app.services.audit_check import verify_chains
from sessions_app.services.audit_export import CHUNK, as_csv, as_jsonl
from sessions_app.services.oversight import record_export

Writer = Callable[[Iterable[AuditEntry]], Iterator[str]]
FORMS: dict[str, tuple[Writer, str]] = {
    "csv": (as_csv, "text/csv; charset=utf-8"),
    "jsonl": (as_jsonl, "application/jsonl; charset=utf-8"),
}


@admin.register(AuditEntry)
class AuditEntryAdmin(RecordAdmin):
    change_list_template = "admin/recovery/audit_list.html"
    change_form_template = "admin/recovery/audit_entry.html"
    list_display = ("at", "action", "trigger", "key", "actor", "moved", "reason", "address", "number")
    list_filter = (ActionFilter, "trigger", "at", PlainWorkspaceFilter)
    search_fields = ("facts", "chain", "idempotency_key", "action")
    search_help_text = "A key, an id, a person, a reason, an address: anything that an entry says."
    date_hierarchy = "at"
    ordering = ("-at", "-pk")

    @admin.display(description="conversation")
    def key(self, entry: AuditEntry) -> str:
        return entry.told.get("key") or "none"

    @admin.display(description="by")
    def actor(self, entry: AuditEntry) -> str:
        return str(entry.told.get("actor_name", ""))

    @admin.display(description="session")
    def moved(self, entry: AuditEntry) -> str:
        old, new = entry.told.get("old_session"), entry.told.get("new_session")
        if not new:
            return ""
        return f"{old['number']} ({old['messages']}) → {new['number']}" if old else f"→ {new['number']}"

    @admin.display(description="reason")
    def reason(self, entry: AuditEntry) -> str:
        return str(entry.told.get("reason", ""))[:80]

    @admin.display(description="address")
    def address(self, entry: AuditEntry) -> str:
        return str(entry.told.get("address", ""))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.export)
        return [path("export/<str:form>/", view, name="audit_export"), *super().get_urls()]

    def export(self, request: HttpRequest, form: str) -> HttpResponse | StreamingHttpResponse:
        """What the list shows with the same filters, all of it, and on the record."""
        if not is_operator(request) or form not in FORMS:
            raise PermissionDenied
        entries = self.get_changelist_instance(request).get_queryset(request).order_by("chain", "number")
        record_export(form=form, entries=entries.count(), chosen=request.GET.urlencode(), **who(request))
        write, kind = FORMS[form]
        name = f"holdfast-audit-{timezone.now():%Y%m%d-%H%M%S}.{form}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return StreamingHttpResponse(write(entries.iterator(CHUNK)), content_type=kind, headers=headers)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The chains of what is shown are verified when it is shown."""
        answer = super().changelist_view(request, extra_context)
        listed = getattr(answer, "context_data", {}).get("cl")
        if listed is not None:
            answer.context_data["chains"] = verify_chains(entry.chain for entry in listed.result_list)  # type: ignore[attr-defined]
        return answer

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        entry = self.get_object(request, object_id)
        told = {"entry": entry, "chains": verify_chains([entry.chain])} if entry else {}
        return super().change_view(request, object_id, form_url, {**(extra_context or {}), **told})
