"""People and teams in the admin: for administrators, who hold Django's own permissions."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from sessions_app.models import Membership, User, Workspace


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    """People are deactivated, never deleted, because the log names them."""

    fieldsets = (*(UserAdmin.fieldsets or ()), ("Shown as", {"fields": ("display_name",)}))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    model = Membership
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Workspace)
class WorkspaceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "slug", "created_at")
    search_fields = ("name", "slug")
    inlines = (MembershipInline,)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
