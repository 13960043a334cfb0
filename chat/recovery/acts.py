"""One click each: restore a session or a checkpoint, undo a move, bring a deleted conversation back."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_POST

from chat.broadcast.announcing import announce
from chat.recovery.operators import back, for_operators, tell_move, who
from sessions_app.models import AuditEntry, Checkpoint, Conversation, Session
from sessions_app.services import restore
from sessions_app.services.deletion import undelete_conversation


@require_POST
@for_operators
def restore_session(request: HttpRequest, public_id: UUID) -> HttpResponse:
    session = get_object_or_404(Session.objects.select_related("conversation"), public_id=public_id)
    tell_move(request, restore.restore_session(session, **who(request)))
    return back(request)


@require_POST
@for_operators
def restore_checkpoint(request: HttpRequest, public_id: UUID) -> HttpResponse:
    found = Checkpoint.objects.select_related("session__conversation")
    checkpoint = get_object_or_404(found, public_id=public_id)
    tell_move(request, restore.restore_checkpoint(checkpoint, **who(request)))
    return back(request)


@require_POST
@for_operators
def undo(request: HttpRequest, entry_id: int) -> HttpResponse:
    """Takes a move back, as long as nothing has moved since."""
    entry = get_object_or_404(AuditEntry.objects.pointer_moves(), pk=entry_id)
    conversation = get_object_or_404(Conversation, pk=entry.conversation_id)
    tell_move(request, restore.undo_move(conversation, entry=entry, **who(request)))
    return back(request)


@require_POST
@for_operators
def undelete(request: HttpRequest, public_id: UUID) -> HttpResponse:
    conversation = get_object_or_404(Conversation, public_id=public_id)
    announce(undelete_conversation(conversation, **who(request)))
    messages.success(request, f"{conversation.key} is back where it was before it was deleted.")
    return back(request)
