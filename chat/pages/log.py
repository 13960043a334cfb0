"""A session's log as JSON, for a page whose network lets no socket through."""

from __future__ import annotations

import json
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse

from chat.pages.doors import asks, visible_session
from sessions_app.errors import Invalid
from sessions_app.models import SessionEvent
from sessions_app.services.log import read_log


@asks
def events(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """What follows `after`, in the form of the socket's `events` frame."""
    session, after = visible_session(request, public_id), request.GET.get("after", "0")
    if not (after.isascii() and after.isdigit() and len(after) < 19):
        raise Invalid("“after” must be a whole number from 0 on.")
    found = read_log(session, after=int(after))
    return JsonResponse(
        {
            "type": "events",
            "session": session.public_id,
            "first": int(after) + 1,
            "last": found[-1].seq if found else int(after),
            "events": [_event(event) for event in found],
            "as_of": session.last_seq,
        }
    )


def _event(event: SessionEvent) -> dict[str, object]:
    return {
        "seq": event.seq,
        "kind": event.kind,
        "message": event.message.public_id if event.message else None,
        "at": event.at.isoformat(),
        "payload": json.loads(event.payload),
    }
