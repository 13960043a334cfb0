"""An agent of a workspace: who answers, through which provider and model."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from django.db import models

from sessions_app.models.tool_server import ToolServer
from sessions_app.models.workspace import Workspace

if TYPE_CHECKING:
    from sessions_app.models.user import User


class AgentQuerySet(models.QuerySet["Agent"]):
    def visible_to(self, user: User) -> AgentQuerySet:
        return self.filter(workspace__in=Workspace.objects.visible_to(user))


class AfterInterruption(models.TextChoices):
    """What happens to a reply that was cut off."""

    CONTINUE = "continue", "go on by itself, where the provider can"
    ASK = "ask", "end as interrupted, and ask"


class Agent(models.Model):
    """`encrypted_key` is written and never shown; only the runner reads it, through `agent_key`.

    `tools` names those of our own that the agent may call; None is every one there is. Of `tool_servers` it has
    those that were chosen for it.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="agents")
    name = models.CharField(max_length=60)
    handle = models.SlugField(max_length=60)
    description = models.TextField(blank=True)
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=200, blank=True)
    address = models.CharField(max_length=500, blank=True)
    encrypted_key = models.TextField(blank=True, editable=False)
    system_prompt = models.TextField(blank=True)
    context_limit = models.PositiveIntegerField(default=8192)
    most_output_tokens = models.PositiveIntegerField(default=4096)
    can_continue = models.BooleanField(default=False)
    after_interruption = models.CharField(
        max_length=10, choices=AfterInterruption.choices, default=AfterInterruption.CONTINUE
    )
    tools = models.JSONField(null=True, blank=True)
    tool_servers = models.ManyToManyField(
        ToolServer, related_name="agents", blank=True, db_table="holdfast_agent_tool_server"
    )
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects = AgentQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_agent"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "handle"], name="one_agent_per_handle"),
            models.CheckConstraint(
                condition=models.Q(after_interruption__in=AfterInterruption.values),
                name="agent_after_interruption_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_key(self) -> bool:
        return bool(self.encrypted_key)

    @property
    def tool_server_names(self) -> list[str]:
        return sorted(server.name for server in self.tool_servers.all())
