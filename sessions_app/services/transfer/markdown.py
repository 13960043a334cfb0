"""Writes a conversation for people to read: its active session word for word, the others by name."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from itertools import islice
from typing import Any

from sessions_app.models import Checkpoint, CheckpointKind, Conversation, Message, Session, Turn, TurnState
from sessions_app.services.history import oldest_first, superseded_in
from sessions_app.services.transfer.inert import fenced, plain, quoted

PAGE = 50
MINUTE = "%d %b %Y, %H:%M UTC"


def as_markdown(session: Session) -> Iterator[str]:
    """As far as messages were sealed when `session` was read; a reply that is still being written is left out."""
    conversation = session.conversation
    yield f"# {plain(conversation.title)}\n\nThe conversation `{conversation.key}`"
    yield f" in {plain(conversation.workspace.name)}.\n\n"
    yield from _sessions(conversation)
    yield from _checkpoints(conversation)
    yield f"## Session {session.number}\n\n"
    messages = oldest_first(session)
    while page := list(islice(messages, PAGE)):
        yield from _page(session, page)


def _sessions(conversation: Conversation) -> Iterator[str]:
    yield "## Sessions\n\n"
    for row in Session.objects.filter(conversation=conversation).select_related("parent").order_by("number"):
        state = f"archived {_time(row.archived_at)}" if row.archived_at else "active"
        reason = f": {plain(row.archived_reason)}" if row.archived_reason else ""
        fork = f", forked from session {row.parent.number}" if row.parent else ""
        yield f"- Session {row.number}{fork}, {_messages(row.message_count)}, begun {_time(row.started_at)}, "
        yield f"{state}{reason}\n"
    yield "\n"


def _checkpoints(conversation: Conversation) -> Iterator[str]:
    found = Checkpoint.objects.filter(session__conversation=conversation)
    taken = found.filter(kind=CheckpointKind.MANUAL).select_related("session", "taken_by").order_by("pk")
    heading = "## Checkpoints\n\n"
    for row in taken:
        by = f" by {plain(row.taken_by.name)}" if row.taken_by else ""
        yield f"{heading}- {plain(row.name)}: session {row.session.number}, {_messages(row.message_count)}, "
        yield f"taken {_time(row.taken_at)}{by}\n"
        heading = ""
    yield "" if heading else "\n"


def _page(session: Session, page: list[Message]) -> Iterator[str]:
    superseded = superseded_in(session, page)
    turns = Turn.objects.filter(question__in=page, state=TurnState.WITHDRAWN, session=session)
    withdrawn = set(turns.values_list("question_id", flat=True))
    for message in page:
        author = message.author or message.agent
        assert author is not None
        yield f"### {plain(author.name)}, {_time(message.posted_at)}\n\n"
        if message.pk in superseded:
            yield "*An earlier version; a newer one follows.*\n\n"
        if message.pk in withdrawn:
            yield "*Withdrawn.*\n\n"
        content = message.folded
        for part in content["parts"]:
            yield _part(part) + "\n\n"
        yield _outcome(content["outcome"])


def _part(part: dict[str, Any]) -> str:
    match part["kind"]:
        case "reasoning":
            return f"<details><summary>Reasoning</summary>\n\n{quoted(part['text'])}\n\n</details>"
        case "tool_call":
            took = f", {part['duration_ms']} ms" if part["duration_ms"] is not None else ""
            said = f"Called the tool {plain(part['name'])}: {plain(part['status'])}{took}"
            return f"{said}\n\n{fenced(_arguments(part['arguments']), 'json')}"
        case "tool_result":
            return f"It gave:\n\n{fenced(part['output'])}"
        case "error":
            return f"*It failed:* {plain(part['text'])}"
        case _:
            return quoted(part["text"])


def _arguments(text: Any) -> str:
    return text if isinstance(text, str) else json.dumps(text, ensure_ascii=False)


def _outcome(outcome: dict[str, Any] | None) -> str:
    if outcome is None or outcome["state"] == TurnState.COMPLETED:
        return ""
    by = f" by {plain(outcome['by_name'])}" if outcome["by_name"] else ""
    reason = f": {plain(outcome['reason'])}" if outcome["reason"] else ""
    return f"*{outcome['state'].capitalize()}{by}{reason}*\n\n"


def _messages(count: int) -> str:
    return f"{count} message{'' if count == 1 else 's'}"


def _time(at: datetime | None) -> str:
    return at.strftime(MINUTE) if at else ""
