"""Makes an archived session the active one again."""

from typing import Any

from django.core.management.base import CommandParser

from sessions_app.management.finding import session_called
from sessions_app.management.moving import MovingCommand, shell_origin, told
from sessions_app.services.restore import restore_session


class Command(MovingCommand):
    help = "Makes an archived session active again; the active one is archived. Without --yes it only looks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("session", metavar="SESSION", help="its id, or KEY#NUMBER as in team:general#1")
        parser.add_argument(
            "--workspace", metavar="SLUG", help="whose conversation, where several have the key"
        )
        super().add_arguments(parser)

    def handle(self, *args: Any, session: str, **options: Any) -> None:
        found = session_called(session, workspace=options["workspace"])
        active = found.conversation.active_session
        self.move(
            active,
            {**told(found), "what": f"session {found.number}"},
            lambda: restore_session(
                found,
                by=None,
                origin=shell_origin("restore_session"),
                expected_session=active,
                reason=options["reason"],
            ),
            yes=options["yes"],
            as_json=options["json"],
        )
