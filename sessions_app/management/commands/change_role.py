"""Changes what somebody is in a workspace, where nobody in it can."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.errors import HoldfastError
from sessions_app.management.finding import workspace_called
from sessions_app.models import Role
from sessions_app.services.members import change_role


class Command(BaseCommand):
    help = (
        "Changes the role of somebody in a workspace: the way out where its only owner can no longer sign in."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("workspace", metavar="WORKSPACE", help="its slug, as in its address")
        parser.add_argument("username", metavar="USERNAME")
        parser.add_argument("role", choices=Role.values)

    def handle(self, *args: Any, **options: Any) -> None:
        workspace = workspace_called(options["workspace"])
        rows = workspace.memberships.select_related("workspace")
        member = rows.filter(user__username=options["username"]).first()
        if member is None:
            raise CommandError(f"{options['username']} is not in {workspace.slug}; nothing was changed.")
        try:
            changed = change_role(member, to=Role(options["role"]), by=None)
        except HoldfastError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{options['username']} is {changed.role} in {workspace.slug}.")
