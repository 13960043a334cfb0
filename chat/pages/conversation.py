"""A conversation's page, and the read-only page of one of its archived sessions."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from chat.pages.doors import person, visible_conversation, visible_session
from chat.pages.home import agents_of, shell_context
from chat.pages.rights import rights
from chat.pages.transcript import blank_message, shown_transcript
from chat.pages.windows import Window, window
from sessions_app.models import Conversation, MessageRole, PersonalState, Session
from sessions_app.services.personal import personal_state
from sessions_app.services.recovery_notice import RecoveryNotice, recovery_notice
from sessions_app.services.transcript import LONGEST_BYTES


@require_safe
@login_required
def conversation(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The active session: its newest page, or the one that the address names."""
    found = visible_conversation(request, public_id)
    return render(request, "chat/conversation.html", _context(request, found, found.active_session))


@require_safe
@login_required
def session(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """An archived session, to read; the active one is at its conversation's address."""
    found = visible_session(request, public_id)
    if found.is_active:
        query = request.GET.urlencode()
        address = reverse("conversation", args=[found.conversation.public_id])
        return redirect(f"{address}?{query}" if query else address)
    return render(request, "chat/conversation.html", _context(request, found.conversation, found))


def _context(request: HttpRequest, conversation: Conversation, session: Session) -> dict[str, Any]:
    view = window(session, request.GET)
    mine = personal_state(conversation, person(request))
    running = view.session.turns.live().order_by("pk").select_related("agent")
    return {
        **shell_context(request, conversation.workspace),
        **transcript_context(view),
        "conversation": conversation,
        "session": view.session,
        "current": str(conversation.public_id),
        **rights(person(request), conversation, view.session),
        "is_pinned": mine.pinned_at is not None,
        "draft": mine.draft,
        "read_seq": _read_up_to(mine, view.session),
        "first_unread": _first_unread(view, mine),
        "running": next((turn for turn in running if turn.is_running), None),
        "is_live": bool(running),
        "agents": agents_of(conversation.workspace),
        "recovery": _recovery(view.session),
        "message_bytes": LONGEST_BYTES,
        "patterns": [blank_message(MessageRole.PERSON), blank_message(MessageRole.AGENT)],
    }


def transcript_context(view: Window) -> dict[str, Any]:
    items = shown_transcript(
        view.session, view.messages, as_of=view.as_of, after=view.facts_after, up_to=view.facts_up_to
    )
    return {"items": items, "as_of": view.as_of, "has_older": view.has_older, "has_newer": view.has_newer}


def _recovery(session: Session) -> RecoveryNotice | None:
    notice = recovery_notice(session) if session.is_active else None
    return notice if notice and notice.is_recent else None


def _read_up_to(mine: PersonalState, session: Session) -> int:
    return mine.read_seq if mine.read_session_id == session.pk else 0


def _first_unread(view: Window, mine: PersonalState) -> str:
    """The first message since this person was here; nothing on a first visit, when all is new."""
    if mine.read_session_id != view.session.pk:
        return ""
    unread = (
        message
        for message in view.messages
        if message.session_id == view.session.pk
        and message.first_seq > mine.read_seq
        and message.author_id != mine.user_id
    )
    first = next(unread, None)
    return str(first.public_id) if first else ""
