"""The tool `search_history`: what was said in this conversation, archived sessions included."""

from __future__ import annotations

from typing import Annotated

from chat.turns.tools.base import ToolContext, tool
from chat.turns.tools.signature import Hint
from sessions_app.services.search import FoundMessage, search_conversation


def search_history(
    context: ToolContext,
    query: Annotated[str, Hint("Words that must all be there; a phrase in quotes.", least=1, most=1_000)],
    limit: Annotated[int, Hint("How many messages at most; 10 if left out.", least=1, most=50)] = 10,
) -> str:
    found = search_conversation(context.conversation, query, limit=limit)
    return "\n\n".join(_told(each) for each in found) or "Nothing in this conversation's history matches."


def _told(found: FoundMessage) -> str:
    message = found.message
    who = message.author or message.agent
    where = f"session {message.session.number}" + (", archived" if found.is_archived else "")
    head = f"{who.name if who else ''}, {message.posted_at:%Y-%m-%d %H:%M} UTC ({where}):"
    return f"{head}\n{''.join(segment.text for segment in found.passage)}"


TOOL = tool(
    "search_history",
    "Searches everything that was said in this conversation, also in its archived sessions; the newest first.",
    search_history,
    is_idempotent=True,
    seconds=20,
)
