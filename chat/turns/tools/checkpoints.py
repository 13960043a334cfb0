"""The tool `list_checkpoints`: the points of this conversation that can be restored."""

from __future__ import annotations

from chat.turns.tools.base import ToolContext, tool
from sessions_app.models import Checkpoint

MOST_LISTED = 100


def list_checkpoints(context: ToolContext) -> str:
    checkpoints = Checkpoint.objects.filter(session__conversation=context.conversation)
    found = list(checkpoints.select_related("session", "taken_by").order_by("-pk")[: MOST_LISTED + 1])
    if not found:
        return "This conversation has no checkpoint yet."
    lines = [_line(checkpoint) for checkpoint in found[:MOST_LISTED]]
    if len(found) > MOST_LISTED:
        lines.append(f"These are the newest {MOST_LISTED}; there are more.")
    return "\n".join(lines)


def _line(checkpoint: Checkpoint) -> str:
    by = f", by {checkpoint.taken_by.name}" if checkpoint.taken_by else ""
    return (
        f"“{checkpoint.name}” ({checkpoint.get_kind_display()}): session {checkpoint.session.number}, "
        f"{checkpoint.message_count} messages, {checkpoint.taken_at:%Y-%m-%d %H:%M} UTC{by}"
    )


TOOL = tool(
    "list_checkpoints",
    "Lists this conversation's checkpoints, the newest first: points of its history that people can restore.",
    list_checkpoints,
    is_idempotent=True,
    seconds=10,
)
