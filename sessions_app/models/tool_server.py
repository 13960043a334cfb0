"""A server that lends its tools to a workspace's agents, and the lists of tools it has shown."""

from __future__ import annotations

import json
import uuid
from typing import TYPE_CHECKING, Any

from django.db import models

from sessions_app.models.workspace import Workspace

if TYPE_CHECKING:
    from sessions_app.models.user import User

NAME_LENGTH = 24


class ToolServerQuerySet(models.QuerySet["ToolServer"]):
    def visible_to(self, user: User) -> ToolServerQuerySet:
        return self.filter(workspace__in=Workspace.objects.visible_to(user))


class ToolServer(models.Model):
    """`name` begins the name of each of its tools, in the log too, and never changes. `encrypted_key` is written
    and never shown. `trusts_hints`: the server is believed when it says that a tool may be called again."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    workspace = models.ForeignKey(Workspace, models.PROTECT, related_name="tool_servers")
    name = models.CharField(max_length=NAME_LENGTH)
    address = models.CharField(max_length=500)
    encrypted_key = models.TextField(blank=True, editable=False)
    trusts_hints = models.BooleanField(default=False)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(null=True)

    objects = ToolServerQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_tool_server"
        constraints = [
            models.UniqueConstraint(fields=["workspace", "name"], name="one_tool_server_per_name"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def has_key(self) -> bool:
        return bool(self.encrypted_key)

    @property
    def listing(self) -> ToolListing | None:
        """The list of its tools as it was last seen."""
        return self.listings.order_by("-pk").first()

    @property
    def tools(self) -> list[dict[str, Any]]:
        """What models are told of: nothing before anybody has looked."""
        listing = self.listing
        return listing.told if listing else []


class ToolListingQuerySet(models.QuerySet["ToolListing"]):
    def visible_to(self, user: User) -> ToolListingQuerySet:
        return self.filter(server__in=ToolServer.objects.visible_to(user))


class ToolListing(models.Model):
    """What a server's list of tools said at one time. The log names the listings that a reply was begun with, so
    none is ever changed: a list that has become another one is a new row."""

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    server = models.ForeignKey(ToolServer, models.PROTECT, related_name="listings")
    tools = models.TextField()
    digest = models.CharField(max_length=64)
    taken_at = models.DateTimeField()

    objects = ToolListingQuerySet.as_manager()

    class Meta:
        db_table = "holdfast_tool_listing"

    def __str__(self) -> str:
        return f"{self.server} at {self.taken_at:%Y-%m-%d %H:%M}"

    @property
    def told(self) -> list[dict[str, Any]]:
        """Its tools, each with `name`, `remote_name`, `description`, `parameters` and `may_be_repeated`."""
        tools: list[dict[str, Any]] = json.loads(self.tools)
        return tools
