"""What people do with a message or an answer: edit and resend, fork, continue, regenerate, stop, withdraw."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404

from chat.broadcast.announcing import announce
from chat.origins import origin_of
from chat.pages.doors import Fields, acts, acts_as, person, visible_message
from chat.rates import Rate
from sessions_app.models import Message, Session, Trigger, Turn
from sessions_app.services.ending import stop_turn
from sessions_app.services.fork import edit_and_resend, fork_before
from sessions_app.services.requeue import continue_reply, regenerate_reply
from sessions_app.services.withdraw import withdraw_turn


@acts_as(Rate.SEND)
def edits(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Sends another text in a message's place; the original stays in the session before."""
    message, fields = visible_message(request, public_id), Fields(request)
    posted = edit_and_resend(
        message,
        by=person(request),
        text=fields.text("text"),
        client_id=fields.text("client_id"),
        origin=origin_of(request, Trigger.EDIT),
        expected_session=_expected(message, fields),
    )
    announce(message.conversation)
    return JsonResponse({"message": posted.message.public_id, "session": posted.message.session.public_id})


@acts_as(Rate.MOVE)
def forks(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Makes a new session active that ends just before the message."""
    message, fields = visible_message(request, public_id), Fields(request)
    fork_before(
        message,
        by=person(request),
        origin=origin_of(request, Trigger.FORK),
        expected_session=_expected(message, fields),
        idempotency_key=fields.optional_text("idempotency_key"),
    )
    announce(message.conversation)
    return HttpResponse(status=204)


@acts_as(Rate.SEND)
def continuations(request: HttpRequest, public_id: UUID) -> HttpResponse:
    return _queued(continue_reply(visible_message(request, public_id), by=person(request)))


@acts_as(Rate.SEND)
def versions(request: HttpRequest, public_id: UUID) -> HttpResponse:
    return _queued(regenerate_reply(visible_message(request, public_id), by=person(request)))


@acts
def stop(request: HttpRequest, public_id: UUID) -> HttpResponse:
    return _ended(stop_turn(_visible_turn(request, public_id), by=person(request)))


@acts
def withdraw(request: HttpRequest, public_id: UUID) -> HttpResponse:
    return _ended(withdraw_turn(_visible_turn(request, public_id), by=person(request)))


def _queued(turn: Turn) -> HttpResponse:
    announce(turn.session.conversation)
    return JsonResponse({"turn": turn.public_id})


def _ended(turn: Turn) -> HttpResponse:
    announce(turn.session.conversation)
    return JsonResponse({"state": turn.state})


def _visible_turn(request: HttpRequest, public_id: UUID) -> Turn:
    return get_object_or_404(Turn.objects.visible_to(person(request)), public_id=public_id)


def _expected(message: Message, fields: Fields) -> Session | None:
    public_id = fields.optional_id("session")
    return get_object_or_404(message.conversation.sessions, public_id=public_id) if public_id else None
