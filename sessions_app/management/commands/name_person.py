"""Names somebody in a conversation, such as a private one that its people have left."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.errors import HoldfastError
from sessions_app.management.finding import conversation_called
from sessions_app.management.moving import shell_origin
from sessions_app.models import Level, User
from sessions_app.services.sharing import grant_access


class Command(BaseCommand):
    help = "Names a member of the workspace in a conversation: to view it, to write there, or to control it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("conversation", metavar="CONVERSATION", help="its key or its id")
        parser.add_argument("username", metavar="USERNAME")
        parser.add_argument("--level", choices=Level.values, default=Level.CONTROL)
        parser.add_argument(
            "--workspace", metavar="SLUG", help="whose conversation, where several have the key"
        )

    def handle(self, *args: Any, conversation: str, username: str, **options: Any) -> None:
        found = conversation_called(conversation, workspace=options["workspace"])
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is nobody called {username}; nothing was changed.")
        try:
            grant = grant_access(
                found, by=None, to=user, level=options["level"], origin=shell_origin("name_person")
            )
        except HoldfastError as refusal:
            raise CommandError(str(refusal)) from refusal
        self.stdout.write(f"{user.name} {grant.get_level_display()} in {found.key}.")
