"""The admin site: Django's own, with the operators' recovery pages and an Undo after every move."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, URLResolver, path, reverse

from chat.recovery import acts, dashboard, resets, transcripts, turns
from chat.recovery.operators import UNDO, is_operator


class OperatorsSite(AdminSite):
    site_header = "Holdfast"
    site_title = "Holdfast"
    index_title = "Administration"

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [*self._recovery(), *super().get_urls()]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """At the site's own door, which asks for the second factor too; who may not operate is told so."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        return redirect_to_login(request.GET.get("next") or reverse("admin:index"))

    def password_change(  # type: ignore[override]
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """On the site's own page, which tells the audit log."""
        return redirect("account_change_password")

    def _recovery(self) -> list[URLPattern | URLResolver]:
        return [
            path(f"recovery/{route}", self.admin_view(view), name=name)
            for route, view, name in (
                ("", dashboard.dashboard, "recovery"),
                ("sessions/<uuid:public_id>/restore/", acts.restore_session, "restore_session"),
                ("sessions/<uuid:public_id>/transcript/", transcripts.transcript, "transcript"),
                ("checkpoints/<uuid:public_id>/restore/", acts.restore_checkpoint, "restore_checkpoint"),
                ("entries/<int:entry_id>/undo/", acts.undo, "undo"),
                ("conversations/<uuid:public_id>/reset/", resets.reset, "reset"),
                ("conversations/<uuid:public_id>/undelete/", acts.undelete, "undelete"),
                ("turns/<uuid:public_id>/release/", turns.release, "release_turn"),
            )
        ]

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        return {**super().each_context(request), "undo_entry": request.session.pop(UNDO, None)}

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """With the dashboard first, for those who may see it."""
        apps: list[Any] = super().get_app_list(request, app_label)
        return apps if app_label or not is_operator(request) else [_recovery_app(), *apps]


def _recovery_app() -> dict[str, Any]:
    address = reverse("admin:recovery")
    page = {
        "name": "Recovery dashboard",
        "object_name": "Dashboard",
        "admin_url": address,
        "add_url": None,
        "view_only": True,
        "perms": {"view": True, "add": False, "change": False, "delete": False},
    }
    return {
        "name": "Recovery",
        "app_label": "recovery",
        "app_url": address,
        "has_module_perms": True,
        "models": [page],
    }
