"""Sessions in the admin: found by whatever an operator knows, restored from their row or many at once."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.safestring import SafeString

from chat.admin.filters import ArchivedFilter, ArchivedThroughFilter
from chat.admin.records import RecordAdmin, row_acts
from chat.broadcast.announcing import announce
from chat.recovery.operators import who
from sessions_app.models import AuditEntry, Session
from sessions_app.services.access import OPERATE
from sessions_app.services.bulk_restore import MOST, Outcome, plan_restores, restore_planned


@admin.register(Session)
class SessionAdmin(RecordAdmin):
    list_display = (
        "conversation_key",
        "number",
        "acts",
        "message_count",
        "archived_at",
        "archived_reason",
        "started_at",
        "started_by",
    )
    list_display_links = ("conversation_key", "number")
    list_filter = (
        ArchivedFilter,
        ArchivedThroughFilter,
        "archived_at",
        "started_at",
        "conversation__workspace",
    )
    search_fields = (
        "conversation__key",
        "conversation__title",
        "conversation__public_id",
        "public_id",
        "started_by__username",
        "started_by__display_name",
        "archived_reason",
    )
    search_help_text = "A key, a title, an id, a person, a reason or an address: also of who archived it."
    list_select_related = ("conversation__workspace", "started_by")
    actions = ("restore_chosen",)
    ordering = ("-archived_at", "-pk")

    @admin.display(description="conversation", ordering="conversation__key")
    def conversation_key(self, session: Session) -> str:
        return session.conversation.key

    @admin.display(description="")
    def acts(self, session: Session) -> SafeString:
        return row_acts("session", session=session)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Session], search_term: str
    ) -> tuple[QuerySet[Session], bool]:
        """Also what the audit log tells of how they were archived."""
        found, may_repeat = super().get_search_results(request, queryset, search_term)
        if search_term.strip():
            told = AuditEntry.objects.filter(
                facts__icontains=search_term.strip(), old_session_id__isnull=False
            )
            found = found | queryset.filter(pk__in=told.values("old_session_id"))
        return found, may_repeat

    def has_operate_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(OPERATE)

    @admin.action(description="Restore the chosen sessions …", permissions=["operate"])
    def restore_chosen(self, request: HttpRequest, chosen: QuerySet[Session]) -> HttpResponse | None:
        """First a page that says what would happen to each, then the same action with its confirmation."""
        sessions = chosen.select_related("conversation__active_session", "conversation__workspace")[
            : MOST + 1
        ]
        if len(sessions) > MOST:
            self.message_user(request, f"At most {MOST} can be restored at once.", messages.WARNING)
            return None
        plans = plan_restores(sessions)
        if request.POST.get("confirmed") != "yes":
            return render(request, "admin/recovery/restore_many.html", self._context(request, plans))
        reason = request.POST.get("reason", "")
        self._tell(request, restore_planned(plans, reason=reason, **who(request)))
        return HttpResponseRedirect(request.get_full_path())

    def _context(self, request: HttpRequest, plans: Any) -> dict[str, Any]:
        good = [plan for plan in plans if not plan.problem]
        return {
            **self.admin_site.each_context(request),
            "title": "Restore these sessions?",
            "plans": plans,
            "good": good,
            "opts": self.opts,
            "media": self.media,
        }

    def _tell(self, request: HttpRequest, outcomes: list[Outcome]) -> None:
        done = [outcome for outcome in outcomes if outcome.entry]
        for outcome in done:
            announce(outcome.plan.session.conversation)
        if done:
            sessions = "1 session is" if len(done) == 1 else f"{len(done)} sessions are"
            keys = ", ".join(outcome.plan.session.conversation.key for outcome in done)
            self.message_user(request, f"{sessions} active again: {keys}.", messages.SUCCESS)
        for outcome in outcomes:
            if outcome.problem:
                key = outcome.plan.session.conversation.key
                self.message_user(request, f"{key}: {outcome.problem}", messages.WARNING)
