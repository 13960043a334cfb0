"""People and teams in the admin: for administrators, who hold Django's own permissions."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.http import HttpRequest

from chat.admin.records import RecordAdmin
from chat.broadcast.announcing import announce_access
from chat.origins import origin_of
from sessions_app.models import Invitation, Membership, Trigger, User, Workspace
from sessions_app.services.succession import hand_over_control


@admin.register(User)
class PersonAdmin(UserAdmin):  # type: ignore[type-arg]
    """People are deactivated, never deleted, because the log names them."""

    fieldsets = (*(UserAdmin.fieldsets or ()), ("Shown as", {"fields": ("display_name",)}))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Who was deactivated is shown out at once, and leaves no private conversation to nobody."""
        assert isinstance(request.user, User)
        super().save_model(request, obj, form, change)
        if not obj.is_active:
            hand_over_control(obj, by=request.user, origin=origin_of(request, Trigger.ADMIN))
        announce_access()


class MembershipInline(admin.TabularInline):  # type: ignore[type-arg]
    """To read: roles change through the services, which hold the rules and write the audit log."""

    model = Membership
    fields = readonly_fields = ("user", "role", "joined_at")
    extra = 0

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Workspace)
class WorkspaceAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "slug", "created_at")
    search_fields = ("name", "slug")
    inlines = (MembershipInline,)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """One made here would have no owner: people make them on the page, an operator with `create_owner`."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Membership)
class MembershipAdmin(RecordAdmin):
    """For operators, to read."""

    list_display = ("user", "workspace", "role", "joined_at")
    list_filter = ("workspace", "role", "joined_at")
    search_fields = ("user__username", "user__display_name", "workspace__name", "workspace__slug")
    list_select_related = ("user", "workspace")


@admin.register(Invitation)
class InvitationAdmin(RecordAdmin):
    """For operators, to read; its token is kept nowhere."""

    exclude = ("digest",)
    list_display = (
        "workspace", "role", "email", "uses", "most_uses", "invited_by", "invited_at", "expires_at", "revoked_at",
    )  # fmt: skip
    list_filter = ("workspace", "role", "invited_at")
    search_fields = ("email", "workspace__name", "invited_by__username", "public_id")
    list_select_related = ("workspace", "invited_by")
