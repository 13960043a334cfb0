"""What people do with the sessions of a conversation: reset after a look, restore, undo."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from chat.broadcast.announcing import announce
from chat.origins import origin_of
from chat.pages.doors import Fields, acts_as, asks, person, visible_conversation, visible_session
from chat.rates import Rate
from sessions_app.models import AuditEntry, Checkpoint, Conversation, Message, Session, Trigger
from sessions_app.services import restore
from sessions_app.services.confirmed_reset import reset_as_confirmed, what_would_be_archived
from sessions_app.services.recovery_notice import recovery_notice

RESET_TRIGGERS = {"menu": Trigger.MENU, "page": Trigger.PAGE}


@asks
def reset(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """What the dialog says before anything happens."""
    conversation = visible_conversation(request, public_id)
    preview = what_would_be_archived(conversation, by=person(request))
    return render(request, "chat/_reset.html", {"preview": preview, "conversation": conversation})


@acts_as(Rate.MOVE)
def resets(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Starts a new session, as confirmed; the same confirmation again changes nothing."""
    conversation, fields = visible_conversation(request, public_id), Fields(request)
    trigger = RESET_TRIGGERS.get(fields.optional_text("through") or "page", Trigger.PAGE)
    entry = reset_as_confirmed(
        conversation,
        by=person(request),
        confirmation=fields.text("confirmation"),
        origin=origin_of(request, trigger),
        reason=fields.optional_text("reason") or "",
    )
    return moved(conversation, entry)


@acts_as(Rate.MOVE)
def session_restores(request: HttpRequest, public_id: UUID) -> HttpResponse:
    session, fields = visible_session(request, public_id), Fields(request)
    return moved(
        session.conversation,
        restore.restore_session(
            session,
            by=person(request),
            origin=origin_of(request, Trigger.RESTORE),
            expected_session=_expected(session.conversation, fields),
            idempotency_key=fields.optional_text("idempotency_key"),
        ),
    )


@acts_as(Rate.MOVE)
def checkpoint_restores(request: HttpRequest, public_id: UUID) -> HttpResponse:
    checkpoint, fields = _visible_checkpoint(request, public_id), Fields(request)
    conversation = checkpoint.session.conversation
    return moved(
        conversation,
        restore.restore_checkpoint(
            checkpoint,
            by=person(request),
            origin=origin_of(request, Trigger.RESTORE),
            expected_session=_expected(conversation, fields),
            idempotency_key=fields.optional_text("idempotency_key"),
        ),
    )


@acts_as(Rate.MOVE)
def undos(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Takes the newest move back."""
    conversation, fields = visible_conversation(request, public_id), Fields(request)
    entries = AuditEntry.objects.filter(conversation_id=conversation.pk)
    entry = get_object_or_404(entries, number=fields.number("entry"))
    undone = restore.undo_move(
        conversation, entry=entry, by=person(request), origin=origin_of(request, Trigger.UNDO)
    )
    return moved(conversation, undone)


@asks
def checkpoint(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Leads to where the checkpoint was taken, to read."""
    found = _visible_checkpoint(request, public_id)
    sealed = Message.objects.filter(session=found.session, sealed_seq__lte=found.seq)
    last = sealed.order_by("-sealed_seq").first()
    address = reverse("session", args=[found.session.public_id])
    return redirect(f"{address}?around={last.public_id}" if last else address)


@asks
def recovery(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """What the last crash left of an answer in the active session, in one line."""
    conversation = visible_conversation(request, public_id)
    notice = recovery_notice(conversation.active_session)
    if notice is None:
        return JsonResponse({"sentence": "", "key": ""})
    return JsonResponse({"sentence": notice.sentence, "key": notice.key})


def moved(conversation: Conversation, entry: AuditEntry) -> HttpResponse:
    """Tells everybody, and answers what is active now, what was archived, and how to take it back."""
    announce(conversation)
    return JsonResponse({"says": _says(entry.told), "undo": entry.number})


def _says(told: dict[str, Any]) -> str:
    new, old = told["new_session"], told["old_session"]
    return (
        f"Session {new['number']} with {_counted(new['messages'])} is active now; "
        f"session {old['number']} with {_counted(old['messages'])} is in the history."
    )


def _counted(messages: int) -> str:
    return "1 message" if messages == 1 else f"{messages:,} messages"


def _expected(conversation: Conversation, fields: Fields) -> Session | None:
    public_id = fields.optional_id("expected_session")
    return get_object_or_404(conversation.sessions, public_id=public_id) if public_id else None


def _visible_checkpoint(request: HttpRequest, public_id: UUID) -> Checkpoint:
    found = Checkpoint.objects.visible_to(person(request)).select_related("session__conversation__workspace")
    return get_object_or_404(found, public_id=public_id)
