"""Tool servers in the admin: operators see where agents may have tools run; workspaces set them up themselves."""

from typing import Any

from django.contrib import admin

from chat.admin.records import RecordAdmin
from sessions_app.models import ToolServer


@admin.register(ToolServer)
class ToolServerAdmin(RecordAdmin):
    list_display = (
        "name", "workspace", "address", "lent_to", "tool_count", "has_a_key", "trusts_hints", "is_active",
        "seen_at",
    )  # fmt: skip
    list_filter = ("workspace", "is_active", "trusts_hints")
    list_select_related = ("workspace",)
    search_fields = ("name", "address", "workspace__name")
    exclude = ("encrypted_key",)

    def get_queryset(self, request: Any) -> Any:
        return super().get_queryset(request).prefetch_related("agents")

    @admin.display(description="agents")
    def lent_to(self, server: ToolServer) -> str:
        return ", ".join(agent.name for agent in server.agents.all())

    @admin.display(description="tools")
    def tool_count(self, server: ToolServer) -> int:
        return len(server.tools)

    @admin.display(boolean=True, description="key")
    def has_a_key(self, server: ToolServer) -> bool:
        return server.has_key
