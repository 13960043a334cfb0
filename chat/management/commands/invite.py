"""Makes an invitation to a workspace, and prints its link once."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from chat.invitation_links import invitation_path, send_invitation
from sessions_app.errors import HoldfastError
from sessions_app.management.finding import workspace_called
from sessions_app.models import Invitation, Role
from sessions_app.models.invitation import INVITED_AS
from sessions_app.services.invitations import MOST_DAYS, USUAL_DAYS, invite


class Command(BaseCommand):
    help = (
        "Makes an invitation to a workspace. Its link stands alone on the last line and is never shown again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("workspace", metavar="WORKSPACE", help="its slug, as in its address")
        parser.add_argument("--role", choices=[str(role) for role in INVITED_AS], default=Role.MEMBER.value)
        parser.add_argument(
            "--days",
            type=int,
            default=USUAL_DAYS,
            help=f"how long it is good, 1 to {MOST_DAYS} ({USUAL_DAYS})",
        )
        parser.add_argument("--uses", type=int, help="how many people it lets in (any number)")
        parser.add_argument("--email", default="", help="send it there, and let in only whose account has it")
        parser.add_argument("--address", default="http://localhost:8000", help="where people find this site")

    def handle(self, *args: Any, **options: Any) -> None:
        workspace = workspace_called(options["workspace"])
        wish = {name: options[name] for name in ("role", "days", "uses", "email")}
        try:
            made, token = invite(workspace, by=None, **wish)
        except HoldfastError as refusal:
            raise CommandError(str(refusal)) from refusal
        link = options["address"].rstrip("/") + invitation_path(token)
        self.stdout.write(
            f"Whoever opens this joins {workspace.name} as {made.role}, until {made.expires_at:%Y-%m-%d %H:%M} UTC"
            f"{self._mailed(made, link)}. It is not kept and cannot be shown again:"
        )
        self.stdout.write(link)

    def _mailed(self, made: Invitation, link: str) -> str:
        if not made.email:
            return ""
        return f"; sent to {made.email}" if send_invitation(made, link) else f"; not sent to {made.email}"
