"""What the commands that move a pointer share: a dry run unless told otherwise, and one way to tell."""

from __future__ import annotations

import getpass
import json
import socket
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from sessions_app.errors import HoldfastError
from sessions_app.models import AuditEntry, Session, Trigger
from sessions_app.services.audit import Origin


class MovingCommand(BaseCommand):
    """Without --yes it only says what would happen."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--yes", action="store_true", help="do it; without this nothing is changed")
        parser.add_argument("--reason", default="", help="why, for everybody in the conversation to read")
        parser.add_argument("--json", action="store_true", help="one JSON document instead of sentences")

    def move(
        self,
        active: Session,
        becomes: dict[str, Any],
        act: Callable[[], AuditEntry],
        *,
        yes: bool,
        as_json: bool,
    ) -> None:
        plan = {"conversation": active.conversation.key, "archives": told(active), "activates": becomes}
        entry = self._do(act) if yes else None
        if as_json:
            done = {"done": yes, **plan, "entry": entry.told if entry else None}
            self.stdout.write(json.dumps(done, indent=2, default=str, ensure_ascii=False))
        else:
            self.stdout.write(sentence(plan, is_done=yes))

    def _do(self, act: Callable[[], AuditEntry]) -> AuditEntry:
        try:
            return act()
        except HoldfastError as refusal:
            raise CommandError(str(refusal)) from refusal


def shell_origin(command: str) -> Origin:
    """Who sits at the machine, as far as the machine knows."""
    return Origin(
        Trigger.COMMAND, address=socket.gethostname(), client=f"manage.py {command} ({getpass.getuser()})"
    )


def told(session: Session) -> dict[str, Any]:
    return {
        "session": str(session.public_id),
        "number": session.number,
        "messages": session.message_count,
    }


def sentence(plan: dict[str, Any], *, is_done: bool) -> str:
    old, new = plan["archives"], plan["activates"]
    would = "" if is_done else "would be "
    is_now = "is active now" if is_done else "would be active"
    return (
        f"{plan['conversation']}: {new['what']} with {new['messages']} messages {is_now}; session "
        f"{old['number']} with {old['messages']} messages {would or 'was '}archived."
        + ("" if is_done else "\nNothing was changed. Say --yes to do it.")
    )
