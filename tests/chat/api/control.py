"""What callers do to move a conversation's pointer, and what a refusal must leave as it was."""

from __future__ import annotations

from typing import Any

from chat.database_threads import read
from sessions_app.models import AuditEntry, Conversation, Session
from tests.chat.api.conftest import Answered, Caller
from tests.chat.live import Live

HERE = "conversations/team:general"
RESETS, RESTORES, UNDOS = f"{HERE}/resets", f"{HERE}/restores", f"{HERE}/undos"


async def say(caller: Caller, text: str) -> None:
    assert (await caller.post(f"{HERE}/messages?wait=20", {"text": text})).json["turn"][
        "state"
    ] == "completed"


async def looked(caller: Caller) -> dict[str, Any]:
    """What a caller sends who has looked at what a reset would archive."""
    preview = (await caller.get(f"{RESETS}/preview")).json
    return {"confirmation": preview["confirmation"], "expected_session": preview["session"]["id"]}


async def reset(caller: Caller) -> Answered:
    done = await caller.post(RESETS, await looked(caller))
    assert done.status == 201
    return done


async def state(live: Live) -> dict[str, Any]:
    """All that a refusal must leave as it is."""
    return await read(_state, live.cast.conversation.pk)


def _state(conversation: int) -> dict[str, Any]:
    session = Conversation.objects.get(pk=conversation).active_session
    return {
        "active": str(session.public_id),
        "digest": session.head_digest,
        "messages": session.message_count,
        "sessions": Session.objects.count(),
        "entries": AuditEntry.objects.filter(conversation_id=conversation).count(),
    }


def refusal(answer: Answered) -> tuple[int, str]:
    assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status, answer.json["code"]
