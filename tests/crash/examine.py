"""Reads a site's whole database through the product's own services, and prints it for the checker."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from typing import Any

import django


def main() -> None:
    django.setup()

    from sessions_app.models import Session
    from sessions_app.services.verify import verify

    facts = {
        "findings": [asdict(finding) for finding in verify().findings],
        "sessions": {str(session.public_id): facts_of(session) for session in Session.objects.all()},
    }
    with os.fdopen(1, "w", encoding="utf-8") as output:
        json.dump(facts, output)


def facts_of(session: Any) -> dict[str, Any]:
    from sessions_app.models import SessionEvent
    from sessions_app.services.history import snapshot

    events = SessionEvent.objects.filter(session=session).order_by("seq").select_related("message")
    view = snapshot(session, limit=1000)
    return {
        "events": [
            {
                "seq": event.seq,
                "kind": event.kind,
                "message": str(event.message.public_id) if event.message else None,
                "at": event.at.isoformat(),
                "payload": json.loads(event.payload),
            }
            for event in events
        ],
        "contents": {str(message.public_id): view.contents[message.pk] for message in view.messages},
        "turns": [
            {
                "state": turn.state,
                "reason": turn.reason,
                "resumes": turn.resumes,
                "question": str(turn.question.public_id),
                "reply": str(turn.reply.public_id) if turn.reply else None,
            }
            for turn in session.turns.order_by("pk").select_related("question", "reply")
        ],
    }


if __name__ == "__main__":
    main()
