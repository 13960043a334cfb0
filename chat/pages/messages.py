"""Messages as pieces of HTML for a page that is open, and the door through which one is sent without a socket."""

from __future__ import annotations

from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render

from chat.broadcast.announcing import announce
from chat.pages.conversation import transcript_context
from chat.pages.doors import Fields, acts_as, asks, person, visible_conversation, visible_session
from chat.pages.notices import notice_of
from chat.pages.rights import rights
from chat.pages.transcript import shown_messages
from chat.pages.windows import window
from chat.rates import Rate
from sessions_app.models import Conversation, Message, Session
from sessions_app.services.facts import facts_between
from sessions_app.services.folding import text_of
from sessions_app.services.history import content_at, is_part_of
from sessions_app.services.transcript import post_message


@asks
def message_window(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """A page of a session's history; the headers say what there is beyond it."""
    view = window(visible_session(request, public_id), request.GET)
    context = {**transcript_context(view), **_rights(request, view.session)}
    response = render(request, "chat/_items.html", context)
    response["Holdfast-As-Of"] = str(view.as_of)
    response["Holdfast-Has-Older"] = str(int(view.has_older))
    response["Holdfast-Has-Newer"] = str(int(view.has_newer))
    return response


@asks
def message(request: HttpRequest, public_id: UUID, message_id: UUID) -> HttpResponse:
    """One message as its session shows it now."""
    session, found = _part_of_session(request, public_id, message_id)
    [shown] = shown_messages(session, [found], as_of=session.last_seq)
    return render(request, "chat/_message.html", {"shown": shown, **_rights(request, session)})


@asks
def message_text(request: HttpRequest, public_id: UUID, message_id: UUID) -> HttpResponse:
    """The words of a message as they were written, to copy or to edit."""
    session, found = _part_of_session(request, public_id, message_id)
    text = text_of(content_at(found, session, session.last_seq))
    return HttpResponse(text, content_type="text/plain; charset=utf-8")


@asks
def notice(request: HttpRequest, public_id: UUID, seq: int) -> HttpResponse:
    """One fact of the log, in the words of the transcript."""
    session = visible_session(request, public_id)
    shown = [notice_of(event) for event in facts_between(session, after=seq - 1, up_to=seq)]
    if shown and shown[0] is None:
        return HttpResponse()
    if not shown:
        raise Http404
    return render(request, "chat/_notice.html", {"notice": shown[0]})


@asks
def last_read(request: HttpRequest, public_id: UUID, seq: int) -> HttpResponse:
    """The message at a place of the log: the last that began there or before."""
    session = visible_session(request, public_id)
    found = session.messages.filter(first_seq__lte=seq).order_by("-first_seq").first()
    return JsonResponse({"message": found.public_id if found else None})


def _part_of_session(request: HttpRequest, public_id: UUID, message_id: UUID) -> tuple[Session, Message]:
    session = visible_session(request, public_id)
    found = get_object_or_404(
        Message.objects.select_related("author", "agent"),
        conversation=session.conversation_id,
        public_id=message_id,
    )
    if not is_part_of(session, found):
        raise Http404
    return session, found


@acts_as(Rate.SEND)
def messages(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """Sends a message, for those whose network lets no socket through; twice with one client id is once."""
    conversation, fields = visible_conversation(request, public_id), Fields(request)
    posted = post_message(
        conversation,
        by=person(request),
        text=fields.text("text"),
        client_id=fields.text("client_id"),
        expected_session=_expected(conversation, fields),
    )
    announce(conversation)
    answer = {
        "message": posted.message.public_id,
        "turn": posted.turn.public_id if posted.turn else None,
        "session": posted.message.session.public_id,
        "seq": posted.message.sealed_seq,
        "is_new": posted.is_new,
    }
    return JsonResponse(answer, status=201 if posted.is_new else 200)


def _expected(conversation: Conversation, fields: Fields) -> Session | None:
    """The session it was written for, which must be one of this conversation's."""
    public_id = fields.optional_id("session")
    return get_object_or_404(conversation.sessions, public_id=public_id) if public_id else None


def _rights(request: HttpRequest, session: Session) -> dict[str, object]:
    return {
        "session": session,
        "conversation": session.conversation,
        **rights(person(request), session.conversation, session),
    }
