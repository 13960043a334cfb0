"""Lists sessions with what an operator needs to bring one back."""

import json
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db.models import Prefetch, QuerySet

from sessions_app.management.finding import conversation_called
from sessions_app.models import Checkpoint, Session


class Command(BaseCommand):
    help = "Lists sessions and their checkpoints, the newest first; changes nothing."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "conversation", nargs="?", metavar="KEY", help="only of this conversation (key or id)"
        )
        parser.add_argument("--workspace", metavar="SLUG", help="only of this workspace")
        parser.add_argument("--archived", action="store_true", help="only archived ones")
        parser.add_argument("--limit", type=int, default=50, help="at most so many (50)")
        parser.add_argument("--json", action="store_true", help="one JSON document instead of a table")

    def handle(self, *args: Any, **options: Any) -> None:
        sessions = list(chosen(options)[: max(0, options["limit"])])
        if options["json"]:
            self.stdout.write(
                json.dumps([as_facts(session) for session in sessions], indent=2, ensure_ascii=False)
            )
            return
        for session in sessions:
            self.stdout.write(as_line(session))
            for checkpoint in session.checkpoints.all():
                count = checkpoint.message_count
                self.stdout.write(
                    f"    checkpoint {checkpoint.public_id}  {count} messages  {checkpoint.name}"
                )
        if not sessions:
            self.stdout.write("There is no such session.")


def chosen(options: dict[str, Any]) -> QuerySet[Session]:
    marks = Prefetch("checkpoints", Checkpoint.objects.order_by("-seq"))
    sessions = Session.objects.select_related("conversation__workspace").prefetch_related(marks)
    if options["conversation"]:
        wanted = conversation_called(options["conversation"], workspace=options["workspace"])
        sessions = sessions.filter(conversation=wanted)
    if options["workspace"]:
        sessions = sessions.filter(conversation__workspace__slug=options["workspace"])
    if options["archived"]:
        sessions = sessions.exclude(archived_at=None)
    return sessions.order_by("-pk")


def as_line(session: Session) -> str:
    state = "active" if session.archived_at is None else f"archived {session.archived_at:%Y-%m-%d %H:%M}"
    reason = f"  “{session.archived_reason}”" if session.archived_reason else ""
    return (
        f"{session.conversation.key}#{session.number}  {session.public_id}  {session.message_count} messages"
        f"  {state}{reason}"
    )


def as_facts(session: Session) -> dict[str, Any]:
    return {
        "session": str(session.public_id),
        "number": session.number,
        "conversation": session.conversation.key,
        "conversation_id": str(session.conversation.public_id),
        "workspace": session.conversation.workspace.slug,
        "messages": session.message_count,
        "active": session.is_active,
        "started_at": session.started_at.isoformat(),
        "archived_at": session.archived_at.isoformat() if session.archived_at else None,
        "archived_reason": session.archived_reason,
        "digest": session.head_digest,
        "checkpoints": [
            {
                "checkpoint": str(checkpoint.public_id),
                "name": checkpoint.name,
                "kind": checkpoint.kind,
                "messages": checkpoint.message_count,
                "taken_at": checkpoint.taken_at.isoformat(),
            }
            for checkpoint in session.checkpoints.all()
        ],
    }
