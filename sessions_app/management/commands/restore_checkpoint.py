"""Goes on from a checkpoint, in a new session."""

from typing import Any

from django.core.management.base import CommandParser

from sessions_app.management.finding import checkpoint_called
from sessions_app.management.moving import MovingCommand, shell_origin
from sessions_app.services.restore import restore_checkpoint


class Command(MovingCommand):
    help = "Makes a new session active that goes on from a checkpoint. Without --yes it only looks."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("checkpoint", metavar="CHECKPOINT", help="its id, as list_sessions tells it")
        super().add_arguments(parser)

    def handle(self, *args: Any, checkpoint: str, **options: Any) -> None:
        found = checkpoint_called(checkpoint)
        active = found.session.conversation.active_session
        self.move(
            active,
            {
                "checkpoint": str(found.public_id),
                "messages": found.message_count,
                "what": f"a new session from “{found.name}”",
            },
            lambda: restore_checkpoint(
                found,
                by=None,
                origin=shell_origin("restore_checkpoint"),
                expected_session=active,
                reason=options["reason"],
            ),
            yes=options["yes"],
            as_json=options["json"],
        )
