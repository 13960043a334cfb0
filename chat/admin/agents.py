"""Agents in the admin: operators set them up; a key can be entered and never read."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from chat.catalogue import CATALOGUE
from chat.origins import origin_of
from chat.providers.registry import PROVIDERS
from chat.turns.tools import TOOLS
from sessions_app.errors import HoldfastError
from sessions_app.models import Agent, ToolServer, Trigger
from sessions_app.services.access import OPERATE
from sessions_app.services.agent_checks import CHECKS
from sessions_app.services.agent_fields import AgentFields, set_fields
from sessions_app.services.agents import change_agent, create_agent


class AgentForm(forms.ModelForm):  # type: ignore[type-arg]
    """The key's field is always empty: what is typed replaces the key, nothing typed leaves it."""

    provider = forms.ChoiceField(choices=[(entry.name, entry.title) for entry in PROVIDERS.values()])
    key = forms.CharField(
        required=False,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text="Kept encrypted and never shown. Leave it empty to keep the present one.",
    )
    clear_key = forms.BooleanField(required=False, label="Forget the key")
    has_every_tool = forms.BooleanField(
        required=False, label="May call every tool", help_text="Also those of later versions."
    )
    tools = forms.MultipleChoiceField(
        required=False,
        label="Or only these tools",
        choices=[(tool.name, tool.name) for tool in TOOLS.values()],
        widget=forms.CheckboxSelectMultiple,
    )

    # Not by the name of the relation, which Django would then set itself, past the service.
    lent_by = forms.MultipleChoiceField(
        required=False,
        label="And the tools of these tool servers",
        widget=forms.CheckboxSelectMultiple,
        help_text="Of its workspace, once the agent is there.",
    )

    class Meta:
        model = Agent
        fields = ("workspace", *(name for name in CHECKS if name != "tools"))

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["has_every_tool"] = self.instance.tools is None
        self.initial["tools"] = self.instance.tools or []
        self.initial["lent_by"] = self._chosen_servers()
        self.fields["lent_by"].choices = self._servers()  # type: ignore[attr-defined]

    def _servers(self) -> list[tuple[str, str]]:
        servers = ToolServer.objects.filter(workspace_id=self.instance.workspace_id).order_by("name")
        return [(server.name, server.name) for server in servers]

    def _chosen_servers(self) -> list[str]:
        if self.instance.pk is None:
            return []
        return list(self.instance.tool_servers.values_list("name", flat=True))

    @property
    def new_key(self) -> str | None:
        """What the service is told: a key, "" to clear it, None to leave it."""
        typed: str = self.cleaned_data.get("key", "")
        return typed or ("" if self.cleaned_data.get("clear_key") else None)

    @property
    def agent_fields(self) -> AgentFields:
        fields: Any = {name: value for name, value in self.cleaned_data.items() if name in CHECKS}
        every: AgentFields = {"tools": None}
        return {**fields, **every} if self.cleaned_data["has_every_tool"] else fields

    def clean(self) -> dict[str, Any] | None:
        """Asks the service's own checks, on a copy, so that their sentence stands above the form."""
        cleaned = super().clean()
        if not self.errors:
            copy = Agent.objects.filter(pk=self.instance.pk).first() or Agent()
            try:
                set_fields(copy, self.agent_fields, key=self.new_key, catalogue=CATALOGUE)
            except HoldfastError as refusal:
                raise forms.ValidationError(str(refusal)) from refusal
        return cleaned


@admin.register(Agent)
class AgentAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Agents are switched off, never deleted, because the log names them."""

    form = AgentForm
    list_display = ("name", "handle", "workspace", "provider", "model", "has_a_key", "is_active")
    list_filter = ("workspace", "provider", "is_active")
    list_select_related = ("workspace",)
    search_fields = ("name", "handle", "model")

    @admin.display(boolean=True, description="key")
    def has_a_key(self, agent: Agent) -> bool:
        return agent.has_key

    def get_readonly_fields(self, request: HttpRequest, obj: Agent | None = None) -> tuple[str, ...]:
        return () if obj is None else ("workspace", "has_a_key")

    def save_model(self, request: HttpRequest, obj: Agent, form: AgentForm, change: bool) -> None:
        """The services save; Django's copy of the row is only shown."""
        origin = origin_of(request, Trigger.ADMIN)
        who: dict[str, Any] = {"by": request.user, "origin": origin, "catalogue": CATALOGUE}
        who["tool_servers"] = form.cleaned_data["lent_by"]
        if change:
            change_agent(obj, key=form.new_key, **who, **form.agent_fields)
        else:
            created = create_agent(obj.workspace, key=form.new_key or "", **who, **form.agent_fields)
            obj.pk = created.pk

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """What a service refuses after the form was found right is said, not raised: somebody else was first."""
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except HoldfastError as refusal:
            self.message_user(request, str(refusal), messages.ERROR)
            return HttpResponseRedirect(request.path)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(OPERATE)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(OPERATE)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(OPERATE)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(OPERATE)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
