"""The history of a database as rows, to compare before and after."""

from __future__ import annotations

from sessions_app.models import (
    Conversation,
    Session,
    Turn,
)
from tests.sessions_app.guards.scene import Rows, rows_of_guarded_tables


def all_about(conversation: Conversation) -> Rows:
    """The history as rows; what a title or a reading time says about it is not history."""
    rows = rows_of_guarded_tables()
    return {table: rows[table] for table in ("holdfast_event", "holdfast_message")} | {
        "pointers": list(Conversation.objects.values_list("pk", "active_session", "active_entry")),
        "ends": list(
            Session.objects.order_by("pk").values_list("pk", "last_seq", "head_digest", "sealed_count")
        ),
        "turns": list(Turn.objects.order_by("pk").values_list("pk", "state", "reply", "epoch")),
    }
