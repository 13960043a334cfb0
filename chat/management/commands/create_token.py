"""Makes a token for a script, and prints it once."""

from __future__ import annotations

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.api.shapes.tokens import TokenShape
from chat.models import Scope
from chat.tokens import USUAL_DAYS, create_token
from sessions_app.errors import HoldfastError
from sessions_app.management.finding import conversation_called
from sessions_app.models import Conversation, User, Workspace


class Command(BaseCommand):
    help = "Makes a token for somebody's script. It stands alone on the last line and is never shown again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", metavar="USERNAME", help="whose token it is")
        parser.add_argument("--name", required=True, help="what it is for, as its owner reads it in the list")
        parser.add_argument("--scope", choices=Scope.values, default=Scope.READ.value, help="what it may do")
        parser.add_argument("--workspace", metavar="SLUG", help="good for this workspace only")
        parser.add_argument(
            "--conversation", metavar="KEY", help="good for this conversation only (key or id)"
        )
        parser.add_argument(
            "--days", type=int, default=USUAL_DAYS, help=f"how long it is good ({USUAL_DAYS})"
        )
        parser.add_argument("--json", action="store_true", help="one JSON document instead")

    def handle(self, *args: Any, **options: Any) -> None:
        user = person_called(options["username"])
        try:
            row, token = create_token(
                user,
                name=options["name"],
                scope=Scope(options["scope"]),
                days=options["days"],
                workspace=workspace_of(user, options["workspace"]),
                conversation=conversation_of(user, options["conversation"], options["workspace"]),
            )
        except HoldfastError as refusal:
            raise CommandError(str(refusal)) from refusal
        if options["json"]:
            facts = {**TokenShape(row).data, "token": token}
            self.stdout.write(json.dumps(facts, indent=2, ensure_ascii=False, default=str))
            return
        self.stdout.write(
            f"“{row.name}” of {user.username}: {Scope(row.scope).label}, until {row.expiry:%Y-%m-%d %H:%M} UTC."
        )
        self.stdout.write("This is its token; it is not kept and cannot be shown again:")
        self.stdout.write(token)


def person_called(username: str) -> User:
    found = User.objects.filter(username=username, is_active=True).first()
    if found is None:
        raise CommandError(f"There is nobody called {username} who may log in; nothing was made.")
    return found


def workspace_of(user: User, slug: str | None) -> Workspace | None:
    if slug is None:
        return None
    found = Workspace.objects.visible_to(user).filter(slug=slug).first()
    if found is None:
        raise CommandError(f"{user.username} is in no workspace called {slug}; nothing was made.")
    return found


def conversation_of(user: User, name: str | None, workspace: str | None) -> Conversation | None:
    """A token opens only what its person may see: one for something else would be good for nothing."""
    if name is None:
        return None
    found = conversation_called(name, workspace=workspace)
    if not Conversation.objects.visible_to(user).filter(pk=found.pk).exists():
        raise CommandError(f"{user.username} cannot see the conversation {name}; nothing was made.")
    return found
